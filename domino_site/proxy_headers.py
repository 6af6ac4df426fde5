"""Where a request came from and by which scheme: what the one trusted proxy says of it, never what a visitor does."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from infrastructure.addresses import last_element, parsed
from infrastructure.asgi import Application, Receive, Scope, Send


class ProxyHeaders:
    """Pass each request on as the site's own facts have it.

    The site stands at the root of its host: links begin with ``root_path``, which daphne takes from a header. Headers
    by which proxies tell of a request stop here; behind a proxy they decide ``client`` and ``scheme``.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        told = [(name, value) for name, value in scope["headers"] if is_of_proxies(name)]
        headers = [(name, value) for name, value in scope["headers"] if not is_of_proxies(name)]
        facts = {"root_path": "", "headers": headers} | (told_by_proxy(scope, told) if settings.BEHIND_PROXY else {})
        return await self.application(scope | facts, receive, send)


def is_of_proxies(name: bytes) -> bool:
    return name.startswith(b"x-forwarded-") or name in (b"forwarded", b"daphne-root-path")


def told_by_proxy(scope: Scope, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    """Return the client and the scheme."""
    facts: dict[str, Any] = {}
    if client := parsed(last_word(headers, b"x-forwarded-for")):
        facts["client"] = [client, 0]
    plain, secure = ("ws", "wss") if scope["type"] == "websocket" else ("http", "https")
    facts["scheme"] = secure if last_word(headers, b"x-forwarded-proto").lower() == "https" else plain
    return facts


def last_word(headers: list[tuple[bytes, bytes]], name: bytes) -> str:
    return last_element(value for key, value in headers if key == name)
