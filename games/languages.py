"""In which language a socket speaks: the one its page is in. In which one speaks what other sites show."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_from_request


def language_of(scope: dict[str, Any]) -> str:
    """Return the language of the account, else of the cookie, else of the browser, as pages do."""
    if chosen := getattr(scope["user"], "language", ""):
        return str(chosen)
    headers = dict(scope["headers"])
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin1")
    return get_language_from_request(request)


def language_asked(request: HttpRequest) -> str:
    """Return the language that the address names (``?lang=hu``), else that of the cookie or the browser."""
    asked = request.GET.get("lang", "")
    return asked if asked in dict(settings.LANGUAGES) else get_language_from_request(request)
