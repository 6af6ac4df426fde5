"""Limits on opening sockets and on open sockets, for each address and account."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from infrastructure.addresses import address_of_socket
from infrastructure.asgi import Application, Receive, Scope, Send
from infrastructure.limits import TooFast, limits

TRY_LATER = (
    4013  # replaces 1013, which a server may not send; pages reconnect after it (``base.html``, ``timeout.js``)
)
FLOOD = 4429  # the client sent too much; pages do not reconnect after it
TURN_AWAY_SECONDS = 2.0


def by_address(scope: Scope) -> dict[str, Any]:
    """Count a socket by its address."""
    return {"address": address_of_socket(scope)}


def by_account(scope: Scope) -> dict[str, Any]:
    """Count a socket by its account, or together with all visitors of its address if it has no account."""
    account = scope["user"].pk
    return {"account": account} if account is not None else {"visitors": address_of_socket(scope)}


class SocketRateLimit:
    """Closes a socket with ``TRY_LATER`` if its address or account (``counted``) opens too many."""

    def __init__(self, application: Application, counted: Callable[[Scope], dict[str, Any]]) -> None:
        self.application, self.counted = application, counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        whose = self.counted(scope)
        try:
            limits.require("sockets", **whose)
            give_back = limits.hold("sockets", **whose)
        except TooFast:
            return await turn_away(receive, send)
        try:
            return await self.application(scope, receive, send)
        finally:
            give_back()


async def turn_away(receive: Receive, send: Send) -> None:
    """Accept and close a socket, because browsers do not report the reason of a refusal to the page.

    Waits first, because a client that reconnects at once would keep the site busy.
    """
    await receive()
    with suppress(TimeoutError):
        async with asyncio.timeout(TURN_AWAY_SECONDS):
            await receive()  # nothing arrives before acceptance, unless the browser leaves
            return
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": TRY_LATER})
