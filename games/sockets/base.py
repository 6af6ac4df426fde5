"""The base of the sockets: who is connected, and a check of every inbound message before it is handled."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import structlog
from channels.exceptions import StopConsumer
from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import QueryDict
from django.utils import timezone

from accounts.selectors import is_let_in
from accounts.services import session_mark
from games.access import require_not_suspended
from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.engine.refusal import Refusal
from games.errors import Refused
from games.languages import language_of
from games.presence.lost_connections import NO_CLOSE_FRAME
from games.presence.pages import pages
from games.presence.people import Attendee
from games.rendering.frame import notice_zones
from games.services import inbound
from games.sockets.consumer import CloseCode, Consumer
from infrastructure.addresses import address_of_socket
from infrastructure.asgi import Message, Receive, Scope, Send
from infrastructure.limits import Bucket, limits
from infrastructure.outages import is_outage
from infrastructure.server.connection import EXTENSION, NO_CONNECTION, Connection, prepare

if TYPE_CHECKING:
    from asgiref.typing import WebSocketDisconnectEvent, WebSocketReceiveEvent

log = structlog.get_logger()

Handler = Callable[[Mapping[str, Any]], Awaitable[None]]

MESSAGES_AT_ONCE, MESSAGES_A_SECOND = 20, 5
MOST_TOO_FAST = 40


class Socket(Consumer):
    """The connection of a person or a visitor. ``variant`` chooses the words of its refusals."""

    variant = ""
    match_id = 0  # of the match whose table the page shows
    too_fast = 0
    place = ""  # where the person is counted as present, "" if not yet
    attendee: Attendee
    seated = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.user, self.language = scope["user"], language_of(scope)
        self.user_id: int | None = self.user.pk  # read once: the user is a lazy object, too slow for every frame
        self.address = address_of_socket(scope)
        # Every page has a form and so sets this cookie: it tells browsers at one address apart.
        self.browser = self.address, scope["cookies"].get(settings.CSRF_COOKIE_NAME, "")
        self.line: Connection = scope.get("extensions", {}).get(EXTENSION, NO_CONNECTION)
        self.rate_limit = Bucket(size=MESSAGES_AT_ONCE, rate=MESSAGES_A_SECOND, now=time.monotonic())
        await super().__call__(scope, receive, send)

    async def socket_open(self, message: Message) -> None:
        if self.user_id is not None:
            await self.channel_layer.group_add(groups.user_group(self.user_id), self.channel_name)
        await self.opened()
        if not self.ended:
            self.report({})

    async def join(self) -> None:
        """Join the groups, or join again those that were lost."""
        for group in self.all_groups():
            await self.channel_layer.group_add(group, self.channel_name)

    async def websocket_disconnect(self, message: WebSocketDisconnectEvent) -> None:
        try:
            if message["code"] == NO_CLOSE_FRAME:
                self.connection_lost()
            else:
                self.report({"visible": False})
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
            data = inbound.parse_message(message.get("text"))
            handler = self.handlers().get(inbound.message_type(data))
            if handler is None:
                raise Refused("bad_request")
            await handler(data)
        except (Refused, Refusal) as refusal:
            await self.refuse(refusal)
        except Exception as error:
            if not is_outage(error):
                raise
            await self.refuse(Refused("unavailable"))

    def query(self) -> QueryDict:
        """Return the parameters of the socket's address, none if there are more than Django reads."""
        try:
            return QueryDict(self.scope["query_string"])
        except TooManyFieldsSent:
            return QueryDict()

    def has_time(self) -> bool:
        """Take a token of this socket, its account (or the visitors of its address) and its address.

        Return whether each had one.
        """
        if not self.rate_limit.take(time.monotonic()):
            return False
        visitors = self.address if self.user_id is None else ""
        return not limits.wait("frames", address=self.address, account=self.user_id, visitors=visitors)

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

    def attend(self, place: str) -> None:
        """Count the person as present at a place, until the socket closes."""
        self.attendee, self.place = self.as_attendee(), place
        pages().join(place, self)

    def as_attendee(self) -> Attendee:
        """Return who is here through this socket."""
        guest = self.user_id is not None and self.user.is_guest
        return Attendee(self.user_id, str(self.user), guest, self.browser)

    def closed(self) -> None:
        pages().leave(self.place, self)

    async def may_stay(self) -> bool:
        """Return whether the person is still let in; close for good if not. Not every change is announced."""
        if self.user_id is not None and not await in_database(is_let_in, self.user):
            await self.end(Refused("ended"), CloseCode.ENDED)
        return not self.ended

    def report(self, data: Mapping[str, Any]) -> None:
        """Note whether the page is in sight, as its heartbeat says. A connection that broke may come back."""
        if not inbound.is_page_visible(data):
            pages().mark_hidden(self.channel_name)
        elif self.user_id is not None:
            pages().mark_visible(self.channel_name, self.user_id, self.match_id or None, timezone.now())

    async def slow_down(self) -> None:
        self.too_fast += 1
        if self.too_fast == 1:
            await self.refuse(Refused("too_fast"))
        elif self.too_fast >= MOST_TOO_FAST:
            await self.end(Refused("too_fast"), CloseCode.FLOOD)

    async def send_update(self, text: str) -> None:
        """Send a text: at once where the line can take it, because the hops of channels and daphne take longer."""
        if self.line.is_open:
            self.line.write(prepare(text))
        else:
            await self.send(text_data=text)

    async def refuse(self, refusal: Refusal | Refused) -> None:
        """Tell the person why."""
        await self.send_update(notice_zones(refusal, self.variant, self.language).whole)

    # What each kind of socket fills in.

    async def opened(self) -> None:
        """Join the groups, then read, then send."""
        raise NotImplementedError

    def connection_lost(self) -> None:
        """Called before ``goodbye`` if the connection broke: the page was not closed."""

    async def goodbye(self) -> None:
        """Called when the browser has left, if there is time: the place for database work."""

    async def layer_back(self, message: Message) -> None:
        """Messages of other processes were lost for a while: look for what was missed."""

    def handlers(self) -> Mapping[str, Handler]:
        """Return what a browser may ask for, by type."""
        raise NotImplementedError

    def all_groups(self) -> list[str]:
        return [] if self.user_id is None else [groups.user_group(self.user_id)]
