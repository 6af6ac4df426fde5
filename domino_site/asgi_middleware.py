"""ASGI middleware for requests and sockets, before they reach Django or a consumer.

``domino_site.asgi`` assembles it. Two larger parts are in ``monitoring`` and ``page_queue``.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, cast

from channels.auth import AuthMiddleware
from channels.db import database_sync_to_async
from channels.sessions import SessionMiddleware
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

from infrastructure.addresses import last_list_element, parse_address
from infrastructure.asgi import Application, Message, Receive, Scope, Send
from infrastructure.outages import is_outage

CHARSET_PATTERN = re.compile(rb";\s*charset[*\d]*\s*=[^;]*", re.IGNORECASE)
OUTAGE_RETRY_SECONDS = 1.0, 3.0  # a random time between these, so that not all sockets retry at once


def header_values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin1") for key, value in scope.get("headers", []) if key == name]


async def deny_socket(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Refuse a socket with 403. Unlike a consumer that closes, this creates no channel."""
    await send({"type": "websocket.close"})


class TrustedScope:
    """Removes headers by which a visitor could set the client address, scheme, root path or charset.

    Behind the one trusted proxy, its headers set ``client`` and ``scheme``. Otherwise these headers are ignored.
    Links begin with ``root_path``, which Daphne takes from a header. All forms are UTF-8; Django would accept any
    codec of Python as a charset and fail while it renders the error.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        headers = [
            (name, CHARSET_PATTERN.sub(b"", value) if name == b"content-type" else value)
            for name, value in scope["headers"]
            if not is_proxy_header(name)
        ]
        changes = {"root_path": "", "headers": headers} | (forwarded_scope(scope) if settings.BEHIND_PROXY else {})
        return await self.application(scope | changes, receive, send)


def is_proxy_header(name: bytes) -> bool:
    return name.startswith(b"x-forwarded-") or name in (b"forwarded", b"daphne-root-path")


def forwarded_scope(scope: Scope) -> dict[str, Any]:
    """Return the client and the scheme that the proxy reports."""
    changes: dict[str, Any] = {}
    if client := parse_address(last_header_element(scope, b"x-forwarded-for")):
        changes["client"] = [client, 0]
    is_secure = last_header_element(scope, b"x-forwarded-proto").lower() == "https"
    plain_scheme, secure_scheme = ("ws", "wss") if scope["type"] == "websocket" else ("http", "https")
    changes["scheme"] = secure_scheme if is_secure else plain_scheme
    return changes


def last_header_element(scope: Scope, name: bytes) -> str:
    return last_list_element(value for key, value in scope["headers"] if key == name)


class ProcessAbandonedForms:
    """Processes a form that has arrived completely, even if its browser closes the connection.

    A browser does that when a button is pressed again. Django would cancel the request, perhaps after the view has
    created something and before the answer is stored for the second press (``infrastructure.idempotency``).
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        if scope["method"] != "POST":
            return await self.application(scope, receive, send)
        is_complete = False

        async def receive_form() -> Message:
            nonlocal is_complete
            if is_complete:
                await asyncio.Future()  # until the application is done and cancels it
            message: Message = await receive()
            is_complete = message["type"] == "http.request" and not message.get("more_body", False)
            return message

        return await self.application(scope, receive_form, send)


class OriginCheck:
    """Accepts sockets only from pages of an allowed origin: scheme, host and port.

    Sockets carry no CSRF token, so this is their protection. Channels' validator for ALLOWED_HOSTS ignores the port.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        if has_allowed_origin(scope):
            return await self.application(scope, receive, send)
        return await deny_socket(scope, receive, send)


def has_allowed_origin(scope: Scope) -> bool:
    """Return whether the one Origin header names an origin of this site."""
    origins = header_values(scope, b"origin")
    if len(origins) != 1:
        return False
    allowed: Iterable[str] = settings.SOCKET_ORIGINS or own_origin(scope)
    return origins[0].lower() in {origin.lower().rstrip("/") for origin in allowed}


def own_origin(scope: Scope) -> list[str]:
    """Return the origin of the URL at which this socket was opened, an empty list if the host is not ours."""
    hosts = header_values(scope, b"host")
    if len(hosts) != 1 or not validate_host(split_domain_port(hosts[0])[0], settings.ALLOWED_HOSTS):
        return []
    return [f"{'https' if scope.get('scheme') in ('wss', 'https') else 'http'}://{hosts[0]}"]


class RetryDuringOutage:
    """Retries to open a socket until the database is back; meanwhile its page shows that it waits.

    Consumers handle outages themselves once they have accepted the socket.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        while True:
            try:
                return await self.application(scope, receive, send)
            except Exception as error:
                if not is_outage(error):
                    raise
            await asyncio.sleep(random.uniform(*OUTAGE_RETRY_SECONDS))  # noqa: S311


class SocketSessions(SessionMiddleware):
    """Channels' sessions, without sockets whose cookies contain a NUL: PostgreSQL cannot look for such a key."""

    inner: Application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        if any("\0" in cookie for cookie in scope["cookies"].values()):
            return await deny_socket(scope, receive, send)
        return await super().__call__(scope, receive, send)


class SocketUsers(AuthMiddleware):
    """Channels' users, but a session made with a key in SECRET_KEY_FALLBACKS is valid and no session is ended.

    Channels deletes such a session, which would log out everybody whose page reconnects after the key was changed.
    """

    async def resolve_scope(self, scope: Scope) -> None:
        scope["user"]._wrapped = await user_of_session(scope["session"])


class SessionCopy(dict[str, Any]):
    """The data of a session. Django may renew or end the copy; the stored session stays as it is."""

    def cycle_key(self) -> None:
        """Does nothing."""

    def flush(self) -> None:
        """Does nothing."""


@database_sync_to_async
def user_of_session(session: Any) -> AbstractBaseUser | AnonymousUser:
    """Return the user who is logged in with a session."""
    return get_user(cast("HttpRequest", SimpleNamespace(session=SessionCopy(session.items()))))
