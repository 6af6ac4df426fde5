"""Refusing sockets at addresses that do not exist."""

from __future__ import annotations

from infrastructure.asgi import Receive, Scope, Send


async def deny(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Close before accepting: the browser gets 403. Nothing is made for the socket, not even a channel."""
    await send({"type": "websocket.close"})
