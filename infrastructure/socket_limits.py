"""Limits on opening sockets and on open sockets, for each address and account."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from prometheus_client import Counter

from infrastructure.addresses import address_key_of_socket
from infrastructure.asgi import Application, Receive, Scope, Send
from infrastructure.limits import LimitExceeded, limits

TRY_LATER_CODE = (
    4013  # replaces 1013, which a server may not send; pages reconnect after it (``base.html``, ``timeout.js``)
)
FLOOD_CODE = 4429  # the client sent too much; pages do not reconnect after it
SOCKET_CLOSES = Counter("dominoes_socket_closes_total", "Sockets that the site closed, by close code", ["code"])
for code in (TRY_LATER_CODE, FLOOD_CODE):
    SOCKET_CLOSES.labels(code)
REJECTION_DELAY_SECONDS = 2.0


def client_by_address(scope: Scope) -> dict[str, Any]:
    """Return the client, as arguments of ``Limits``, to count a socket by its address."""
    return {"address": address_key_of_socket(scope)}


def client_by_account(scope: Scope) -> dict[str, Any]:
    """Count a socket by its account, or together with all visitors of its address if it has no account."""
    account = scope["user"].pk
    return {"account": account} if account is not None else {"visitors": address_key_of_socket(scope)}


class SocketRateLimit:
    """Closes a socket with ``TRY_LATER_CODE`` if its address or account (``client``) opens too many."""

    def __init__(self, application: Application, client: Callable[[Scope], dict[str, Any]]) -> None:
        self.application, self.client = application, client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        client = self.client(scope)
        try:
            limits.enforce("sockets", **client)
            release_place = limits.acquire_place("sockets", **client)
        except LimitExceeded:
            return await reject_socket(receive, send)
        try:
            return await self.application(scope, receive, send)
        finally:
            release_place()


async def reject_socket(receive: Receive, send: Send) -> None:
    """Accept and close a socket, because browsers do not report the reason of a refusal to the page.

    Waits first, because a client that reconnects at once would keep the site busy.
    """
    await receive()
    with suppress(TimeoutError):
        async with asyncio.timeout(REJECTION_DELAY_SECONDS):
            await receive()  # nothing arrives before acceptance, unless the browser leaves
            return
    await send({"type": "websocket.accept"})
    SOCKET_CLOSES.labels(TRY_LATER_CODE).inc()
    await send({"type": "websocket.close", "code": TRY_LATER_CODE})
