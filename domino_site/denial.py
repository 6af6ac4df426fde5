"""How a socket is refused that nobody of the site may open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any


async def deny(_scope: dict[str, Any], _receive: Any, send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
    """Close before accepting: the browser gets 403. Nothing is made for the socket, not even a channel."""
    await send({"type": "websocket.close"})
