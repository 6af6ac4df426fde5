"""A lean consumer: handles messages one at a time, those that met an outage again later, and ends with a reason."""

from __future__ import annotations

import asyncio
import random
from enum import IntEnum
from functools import partial
from typing import Any

import structlog
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.core.exceptions import ObjectDoesNotExist
from prometheus_client import Gauge

from games.engine.refusal import Refusal
from games.errors import Refused
from infrastructure.asgi import Message, Receive, Scope, Send
from infrastructure.outages import is_outage
from infrastructure.socket_limits import FLOOD, TRY_LATER

log = structlog.get_logger()
SOCKETS = Gauge("dominoes_sockets", "Open sockets", ["kind"])

RETRY_SECONDS = 1.0, 3.0
"""After an outage each socket waits a random time between these before it tries again."""


class CloseCode(IntEnum):
    """Why a socket was closed. With these codes the browser does not reconnect."""

    ENDED = 4401
    """The session or the account is no longer let in."""
    NO_TABLE = 4404
    FLOOD = FLOOD
    BROKEN = 4500


class Consumer(AsyncWebsocketConsumer):
    """One connection of a browser, which is told why before it is closed."""

    ended = False
    catching_up: asyncio.Task[None] | None = None
    channel_layer: Any
    """One of ``games.broadcast``, which have methods that channels' own layers lack."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one browser with two lasting tasks, where channels would start two for every message."""
        self.scope, self.base_send = scope, send
        self.channel_layer = get_channel_layer()
        self.channel_name = await self.channel_layer.new_channel()
        self.handling = asyncio.Lock()
        self.missed: dict[str, Message] = {}
        listening = asyncio.create_task(self.listen())
        try:
            with SOCKETS.labels(type(self).__name__).track_inprogress():
                await self.open(receive)
                await self.serve(receive)
        except StopConsumer:
            pass
        finally:
            listening.cancel()
            self.clear()

    def clear(self) -> None:
        """Leave nothing behind, however the socket ended."""
        if self.catching_up is not None:
            self.catching_up.cancel()
        self.channel_layer.forget(self.channel_name)
        try:
            self.closed()
        except Exception:
            log.exception("socket_not_cleared")

    async def listen(self) -> None:
        """Handle messages of the layer. If that fails, close: the socket would show an old table for ever."""
        try:
            await self.serve(partial(self.channel_layer.receive, self.channel_name))
        except Exception as error:
            if is_outage(error):
                await self.end(Refused("unavailable"), TRY_LATER)
            else:
                log.exception("layer_lost")
                await self.end(Refused("failed"), CloseCode.BROKEN)

    async def serve(self, receive: Receive) -> None:
        """Handle messages from the browser, or from the layer, one at a time."""
        while True:
            await self.handle(await receive())

    async def open(self, receive: Receive) -> None:
        """Handle the first message; stop if the browser leaves while that waits for the database."""
        opening = asyncio.create_task(self.handle(await receive()))
        following: asyncio.Future[Message] = asyncio.ensure_future(receive())
        try:
            await asyncio.wait((opening, following), return_when=asyncio.FIRST_COMPLETED)
            if not opening.done() and following.result()["type"] == "websocket.disconnect":
                raise StopConsumer
            await opening
            await self.handle(await following)
        finally:
            opening.cancel()
            following.cancel()

    async def handle(self, message: Message) -> None:
        async with self.handling:
            await self.dispatch(message)

    async def dispatch(self, message: Message) -> None:
        """Handle a message. Unlike channels this needs no database thread, which any slow query would delay.

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
                await self.handle(message)
        self.catching_up = None

    async def end(self, refusal: Refused, code: int) -> None:
        """Tell the person why, and close for good."""
        if not self.ended:
            self.ended = True
            await self.refuse(refusal)
            await self.close(int(code), refusal.code)

    # What each kind of consumer fills in.

    async def refuse(self, refusal: Refusal | Refused) -> None:
        """Tell the person why."""
        raise NotImplementedError

    def closed(self) -> None:
        """Called however the socket ended: forget it in this process."""
