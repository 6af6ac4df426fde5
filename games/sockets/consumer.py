"""A consumer that retries after outages, and sends the reason before it closes for good."""

from __future__ import annotations

import asyncio
import random
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import structlog
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.core.exceptions import ObjectDoesNotExist
from prometheus_client import Gauge

from games.engine.refusal import Refusal
from games.errors import Refused
from infrastructure.asgi import Message, Receive, Scope, Send
from infrastructure.outages import is_outage
from infrastructure.socket_limits import FLOOD

if TYPE_CHECKING:
    from asgiref.typing import WebSocketConnectEvent

log = structlog.get_logger()
SOCKETS = Gauge("dominoes_sockets", "Open sockets", ["kind"])

# After an outage each socket waits a random time between these before it tries again.
RETRY_SECONDS = 1.0, 3.0


class CloseCode(IntEnum):
    """Why a socket was closed. With these codes the browser does not reconnect."""

    ENDED = 4401  # the session or the account is no longer let in
    NO_TABLE = 4404
    FLOOD = FLOOD
    BROKEN = 4500


class Consumer(AsyncWebsocketConsumer):
    """One connection of a browser. Messages of the browser and of the layer are handled one at a time."""

    ended = False
    opening: asyncio.Task[None] | None = None
    catching_up: asyncio.Task[None] | None = None
    channel_layer: Any  # one of ``games.broadcast``, which have methods that the layers of Channels lack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.handling = asyncio.Lock()
        self.missed: dict[str, Message] = {}
        try:
            with SOCKETS.labels(type(self).__name__).track_inprogress():
                await super().__call__(scope, receive, send)
        finally:
            self.clear()

    def clear(self) -> None:
        """Clean up, however the socket ended."""
        for task in (self.opening, self.catching_up):
            if task is not None:
                task.cancel()
        self.channel_layer.forget(self.channel_name)
        try:
            self.closed()
        except Exception:
            log.exception("socket_not_cleared")

    async def websocket_connect(self, message: WebSocketConnectEvent) -> None:
        """Accept first: a browser does not learn why a connection was refused, and would retry for ever.

        ``socket_open`` runs in a task of its own, so that a browser that leaves meanwhile does not wait for it.
        """
        await self.accept()
        self.opening = asyncio.create_task(self.dispatch({"type": "socket.open"}))

    async def dispatch(self, message: Message) -> None:
        """Handle a message after those before it. The dispatch of Channels would first wait for a database thread."""
        if self.opening is not None and message["type"] == "websocket.disconnect":
            self.opening.cancel()
        async with self.handling:
            await self.handle(message)

    async def handle(self, message: Message) -> None:
        """Call the handler of a message.

        An exception must not reach the server, which would close with a code after which browsers reconnect at once.
        """
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            return
        try:
            await handler(message)
        except StopConsumer:
            raise
        except ObjectDoesNotExist:
            await self.end(Refused("no_table"), CloseCode.NO_TABLE)
        except Exception as error:
            if is_outage(error):
                await self.miss(message)
                return
            log.exception("socket_broken", message=message["type"])
            await self.end(Refused("failed"), CloseCode.BROKEN)

    async def miss(self, message: Message) -> None:
        """Keep a message that met an outage, to handle it later: the newest of each type."""
        self.missed[message["type"]] = message
        if self.catching_up is None:
            self.catching_up = asyncio.create_task(self.catch_up())
            await self.refuse(Refused("unavailable"))

    async def catch_up(self) -> None:
        """Try until the database is back, each socket after a random delay."""
        while self.missed and not self.ended:
            await asyncio.sleep(random.uniform(*RETRY_SECONDS))  # noqa: S311
            missed, self.missed = self.missed, {}
            for message in missed.values():
                await self.dispatch(message)
        self.catching_up = None

    async def end(self, refusal: Refused, code: int) -> None:
        """Show the person the reason and close for good."""
        if not self.ended:
            self.ended = True
            await self.refuse(refusal)
            await self.close(int(code), refusal.code)

    # Implemented by subclasses.

    async def refuse(self, refusal: Refusal | Refused) -> None:
        """Send the person the reason."""
        raise NotImplementedError

    def closed(self) -> None:
        """Called however the socket ended: forget it in this process."""
