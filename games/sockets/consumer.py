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
from infrastructure.server.connection import RESTART_CODE
from infrastructure.socket_limits import FLOOD_CODE, SOCKET_CLOSES

if TYPE_CHECKING:
    from asgiref.typing import WebSocketConnectEvent

log = structlog.get_logger()
OPEN_SOCKETS = Gauge("dominoes_sockets", "Open sockets", ["kind"])

RETRY_SECONDS = 1.0, 3.0  # the range of the random delay before a retry


class CloseCode(IntEnum):
    """The reason why a socket was closed. The browser does not reconnect after these codes."""

    ENDED = 4401  # the session or the account is no longer let in
    NO_TABLE = 4404
    FLOOD = FLOOD_CODE
    BROKEN = 4500


for code in (*CloseCode, RESTART_CODE):
    SOCKET_CLOSES.labels(int(code))


class Consumer(AsyncWebsocketConsumer):
    """One connection of a browser. Messages of the browser and of the channel layer are handled one at a time."""

    ended = False
    is_restarting = False  # the process stops, so the page comes back
    opening_task: asyncio.Task[None] | None = None
    retry_task: asyncio.Task[None] | None = None
    channel_layer: Any  # one of ``games.broadcast``, which have methods that the layers of Channels lack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.handling_lock = asyncio.Lock()
        self.retry_messages: dict[str, Message] = {}
        try:
            with OPEN_SOCKETS.labels(type(self).__name__).track_inprogress():
                await super().__call__(scope, receive, send)
        finally:
            self.clean_up()

    def clean_up(self) -> None:
        """Clean up, however the socket ended."""
        for task in (self.opening_task, self.retry_task):
            if task is not None:
                task.cancel()
        self.channel_layer.forget(self.channel_name)
        try:
            self.on_close()
        except Exception:
            log.exception("socket_not_cleared")

    async def websocket_connect(self, message: WebSocketConnectEvent) -> None:
        """Accept first: a browser does not learn why a connection was refused, and would retry forever.

        ``socket_open`` runs in a task of its own, so that a browser that leaves meanwhile does not wait for it.
        """
        await self.accept()
        self.opening_task = asyncio.create_task(self.dispatch({"type": "socket.open"}))

    async def dispatch(self, message: Message) -> None:
        """Handle a message after those before it. The dispatch of Channels would first wait for a database thread."""
        if self.opening_task is not None and message["type"] in ("websocket.disconnect", "websocket.restart"):
            self.opening_task.cancel()
        async with self.handling_lock:
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
            await self.close_with_reason(Refused("no_table"), CloseCode.NO_TABLE)
        except Exception as error:
            if is_outage(error):
                await self.retry_later(message)
                return
            log.exception("socket_broken", message=message["type"])
            await self.close_with_reason(Refused("failed"), CloseCode.BROKEN)

    async def retry_later(self, message: Message) -> None:
        """Store a message that failed because of an outage, to handle it later: the newest of each type."""
        self.retry_messages[message["type"]] = message
        if self.retry_task is None:
            self.retry_task = asyncio.create_task(self.retry())
            await self.refuse(Refused("unavailable"))

    async def retry(self) -> None:
        """Handle the stored messages once the database is back. Each socket tries after a random delay."""
        while self.retry_messages and not self.ended:
            await asyncio.sleep(random.uniform(*RETRY_SECONDS))  # noqa: S311
            messages, self.retry_messages = self.retry_messages, {}
            for message in messages.values():
                await self.dispatch(message)
        self.retry_task = None

    async def websocket_restart(self, message: Message) -> None:
        """Close because the process stops, after the messages that arrived before.

        Those that arrive until the browser answers are handled, too: it may have sent a move just before.
        """
        self.is_restarting = True
        SOCKET_CLOSES.labels(RESTART_CODE).inc()
        await self.close(RESTART_CODE)

    async def close_with_reason(self, refusal: Refused, code: int) -> None:
        """Show the person the reason and close for good."""
        if not self.ended:
            self.ended = True
            SOCKET_CLOSES.labels(int(code)).inc()
            await self.refuse(refusal)
            await self.close(int(code), refusal.code)

    # Implemented by subclasses.

    async def refuse(self, refusal: Refusal | Refused) -> None:
        """Send the person the reason."""
        raise NotImplementedError

    def on_close(self) -> None:
        """Called however the socket ended. Remove it from all registries of this process."""
