"""The language of a socket, and that of pages shown by other sites."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language_from_request

from infrastructure.languages import language_if_offered


def socket_language(scope: dict[str, Any]) -> str:
    """Return the language of the account, the cookie or the browser, chosen as for pages."""
    if account_language := language_if_offered(getattr(scope["user"], "language", "")):
        return account_language
    headers = dict(scope["headers"])
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin1")
    return get_language_from_request(request)


def requested_language(request: HttpRequest) -> str:
    """Return the language named in the address (``?lang=hu``), otherwise that of the cookie or the browser."""
    return language_if_offered(request.GET.get("lang", "")) or get_language_from_request(request)
