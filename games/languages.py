"""In which language a socket speaks: the one its page is in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from django.utils.translation import get_language_from_request


def language_of(scope: dict[str, Any]) -> str:
    """Return the language of the account, else of the cookie, else of the browser, as pages do."""
    if chosen := getattr(scope["user"], "language", ""):
        return str(chosen)
    headers = dict(scope["headers"])
    request = SimpleNamespace(
        COOKIES=scope.get("cookies", {}),
        META={"HTTP_ACCEPT_LANGUAGE": headers.get(b"accept-language", b"").decode("latin1")},
        path_info="",
    )
    return get_language_from_request(request)
