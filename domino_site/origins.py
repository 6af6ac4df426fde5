"""Which pages may open a socket. Sockets carry no CSRF token: the Origin header is the defence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from domino_site.denial import deny
from infrastructure.asgi import Application, Receive, Scope, Send


class OriginCheck:
    """Pass a socket on only if its page comes from an allowed origin: scheme, host and port."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        if is_allowed(scope):
            return await self.application(scope, receive, send)
        return await deny(scope, receive, send)


def is_allowed(scope: Scope) -> bool:
    """Return whether the one Origin header names an origin of this site."""
    origins = list(header_values(scope, b"origin"))
    if len(origins) != 1:
        return False
    allowed = settings.SOCKET_ORIGINS or own_origins(scope)
    return origins[0].lower() in {origin.lower().rstrip("/") for origin in allowed}


def own_origins(scope: Scope) -> list[str]:
    """Return the origin of the address this socket was opened at; none if the host is not ours."""
    hosts = list(header_values(scope, b"host"))
    if len(hosts) != 1 or not validate_host(split_domain_port(hosts[0])[0], settings.ALLOWED_HOSTS):
        return []
    return [f"{'https' if is_secure(scope) else 'http'}://{hosts[0]}"]


def is_secure(scope: Scope) -> bool:
    """Return whether the browser speaks TLS, to us or to the proxy we trust (``proxy_headers``)."""
    return scope.get("scheme") in ("wss", "https")


def header_values(scope: Scope, name: bytes) -> Iterable[str]:
    return (value.decode("latin1") for key, value in scope.get("headers", []) if key == name)
