"""The base of the sockets: lean dispatch, a check of every inbound message, and an answer whatever happens."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from prometheus_client import Gauge

from accounts.selectors import is_let_in
from accounts.services import session_mark
from games.access import require_not_suspended
from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.engine.refusal import Refusal
from games.errors import Refused
from games.languages import language_of
from games.presence.people import Attendee
from games.services import inbound
from games.sockets import feed
from infrastructure.addresses import address_of_socket
from infrastructure.asgi import Message, Receive, Scope, Send
from infrastructure.limits import Bucket, limits
from infrastructure.outages import is_outage
from infrastructure.socket_limits import TRY_LATER

if TYPE_CHECKING:
    from asgiref.typing import WebSocketConnectEvent, WebSocketDisconnectEvent, WebSocketReceiveEvent

log = structlog.get_logger()
SOCKETS = Gauge("dominoes_sockets", "Open sockets", ["kind"])

Handler = Callable[[Mapping[str, Any]], Awaitable[None]]

MESSAGES_AT_ONCE, MESSAGES_A_SECOND = 20, 5
MOST_TOO_FAST = 40
RETRY_SECONDS = 1.0, 3.0
"""After an outage each socket waits a random time between these before it tries again."""


class CloseCode(IntEnum):
    """Why a socket was closed. With these codes the browser does not reconnect."""

    ENDED = 4401
    """The session or the account is no longer let in."""
    NO_TABLE = 4404
    FLOOD = 4429
    BROKEN = 4500


class Socket(AsyncWebsocketConsumer):
    """A socket that says why before it closes. ``variant`` chooses the words of its refusals."""

    variant = ""
    too_fast = 0
    ended = False
    catching_up: asyncio.Task[None] | None = None
    channel_layer: Any
    """One of ``games.broadcast``, which have methods that channels' own layers lack."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one browser with two lasting tasks, where channels would start two for every message."""
        self.scope, self.base_send = scope, send
        self.user, self.language = scope["user"], language_of(scope)
        self.user_id: int | None = self.user.pk  # read once: the user is a lazy object, too slow for every frame
        self.address = address_of_socket(scope)
        # Every page has a form and so sets this cookie: it tells browsers at one address apart.
        self.browser = self.address, scope["cookies"].get(settings.CSRF_COOKIE_NAME, "")
        self.rate_limit = Bucket(size=MESSAGES_AT_ONCE, rate=MESSAGES_A_SECOND, now=time.monotonic())
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

    async def websocket_connect(self, message: WebSocketConnectEvent) -> None:
        # Accept first: a browser is not told why a connection was refused, and would try for ever.
        await self.accept()
        await self.dispatch({"type": "socket.open"})

    async def socket_open(self, message: Message) -> None:
        if self.user_id is not None:
            await self.channel_layer.group_add(groups.user_group(self.user_id), self.channel_name)
        await self.opened()

    async def join(self) -> None:
        """Join the groups, or renew the memberships before the layer forgets them."""
        for group in self.all_groups():
            await self.channel_layer.group_add(group, self.channel_name)

    async def websocket_disconnect(self, message: WebSocketDisconnectEvent) -> None:
        try:
            await self.goodbye()
        except Exception as error:
            if not is_outage(error):
                log.exception("goodbye_failed")
        raise StopConsumer

    async def websocket_receive(self, message: WebSocketReceiveEvent) -> None:
        if self.ended:
            return
        if not self.has_time():
            await self.slow_down()
            return
        self.too_fast = 0
        try:
            data = inbound.read(message.get("text"))
            handler = self.handlers().get(inbound.type_of(data))
            if handler is None:
                raise Refused("bad_request")
            await handler(data)
        except (Refused, Refusal) as refusal:
            await self.refuse(refusal)
        except Exception as error:
            if not is_outage(error):
                raise
            await self.refuse(Refused("unavailable"))

    def has_time(self) -> bool:
        """Take a token of this socket, its account and its address. Return whether each had one."""
        if not self.rate_limit.take(time.monotonic()):
            return False
        return not limits.wait("frames", address=self.address, account=self.user_id)

    async def user_closed(self, message: Message) -> None:
        """Close after a log-out or suspension; a log-out closes only the sockets of its own session."""
        mark = message.get("session", "")
        if not mark or mark == session_mark(self.scope["session"].session_key):
            await self.end(await self.farewell(message["code"]), CloseCode.ENDED)

    async def farewell(self, code: str) -> Refused:
        """Return what to say at the end: to a suspended person, why and until when."""
        if code != "suspended":
            return Refused("ended")
        if self.user_id is not None:
            try:
                await in_database(require_not_suspended, self.user_id)
            except Refused as refused:
                return refused
            except Exception as error:
                if not is_outage(error):
                    raise
        return Refused("suspended")

    def attend(self) -> Attendee:
        """Return who is here through this socket."""
        guest = self.user_id is not None and self.user.is_guest
        return Attendee(self.user_id, str(self.user), guest, self.browser)

    async def may_stay(self) -> bool:
        """Return whether the person is still let in; close for good if not. Not every change is announced."""
        if self.user_id is not None and not await in_database(is_let_in, self.user):
            await self.end(Refused("ended"), CloseCode.ENDED)
        return not self.ended

    async def slow_down(self) -> None:
        self.too_fast += 1
        if self.too_fast == 1:
            await self.refuse(Refused("too_fast"))
        elif self.too_fast >= MOST_TOO_FAST:
            await self.end(Refused("too_fast"), CloseCode.FLOOD)

    async def refuse(self, refusal: Refusal | Refused) -> None:
        """Tell the person why."""
        await self.send(text_data=feed.refusal(refusal, self.variant, self.language))

    async def end(self, refusal: Refused, code: int) -> None:
        """Tell the person why, and close for good."""
        if not self.ended:
            self.ended = True
            await self.refuse(refusal)
            await self.close(int(code), refusal.code)

    # What each kind of socket fills in.

    async def opened(self) -> None:
        """Join the groups, then read, then send."""
        raise NotImplementedError

    async def goodbye(self) -> None:
        """Called when the browser has left, if there is time: the place for database work."""

    def closed(self) -> None:
        """Called however the socket ended: forget it in this process."""

    async def layer_back(self, message: Message) -> None:
        """Messages of other processes were lost for a while: look for what was missed."""

    def handlers(self) -> Mapping[str, Handler]:
        """Return what a browser may ask for, by type."""
        raise NotImplementedError

    def all_groups(self) -> list[str]:
        return [] if self.user_id is None else [groups.user_group(self.user_id)]
