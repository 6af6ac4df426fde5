"""The base class of the sockets: the person who is connected, and the checks of inbound messages."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

import structlog
from channels.exceptions import StopConsumer
from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import QueryDict
from django.utils import timezone

from accounts.selectors import has_access
from accounts.services import session_hash
from games.access import require_not_suspended
from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.engine.refusal import Refusal
from games.errors import Refused
from games.languages import socket_language
from games.presence.lost_connections import NO_CLOSE_FRAME
from games.presence.pages import pages
from games.presence.people import Attendee
from games.rendering.frame import notice_zones
from games.rendering.next_table import next_table_zones
from games.rendering.site_banner import site_banner_zones
from games.rendering.zones import Zones
from games.services import inbound
from games.site_switches import current_switches
from games.sockets.consumer import CloseCode, Consumer
from infrastructure.addresses import address_key_of_socket
from infrastructure.asgi import Message, Receive, Scope, Send
from infrastructure.limits import TokenBucket, limits
from infrastructure.outages import is_outage
from infrastructure.server.connection import ASGI_EXTENSION, NO_CONNECTION, Connection, encode_message

if TYPE_CHECKING:
    from asgiref.typing import WebSocketDisconnectEvent, WebSocketReceiveEvent

log = structlog.get_logger()

Handler = Callable[[Mapping[str, Any]], Awaitable[None]]

MESSAGE_BURST = 20
MESSAGES_PER_SECOND = 5
EMPTY_MESSAGE = "{}"  # an answer that changes nothing: without any, a browser considers the connection lost
MAX_REJECTED_MESSAGES = 40  # in a row; then the socket is closed


class Socket(Consumer):
    """The connection of a person or a visitor. ``variant`` chooses the words of its refusals."""

    variant = ""
    match_id = 0  # of the match whose table the page shows
    slug = ""  # its name
    rejected_count = 0  # messages in a row above the rate limits
    place = ""  # where the person counts as present, "" if not yet
    attendee: Attendee
    seated = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.user, self.language = scope["user"], socket_language(scope)
        self.user_id: int | None = self.user.pk  # read once: the user is a lazy object, too slow for every frame
        self.address = address_key_of_socket(scope)
        # Every page has a form and so sets this cookie. It distinguishes browsers at one address.
        self.browser = self.address, scope["cookies"].get(settings.CSRF_COOKIE_NAME, "")
        self.connection: Connection = scope.get("extensions", {}).get(ASGI_EXTENSION, NO_CONNECTION)
        self.rate_limit = TokenBucket(size=MESSAGE_BURST, rate=MESSAGES_PER_SECOND, now=time.monotonic())
        await super().__call__(scope, receive, send)

    async def socket_open(self, message: Message) -> None:
        if self.user_id is not None:
            await self.channel_layer.group_add(groups.user_group(self.user_id), self.channel_name)
        await self.on_open()
        if not self.ended:
            self.report_visibility({})

    async def join_groups(self) -> None:
        """Join all groups. Repeating it restores memberships that were lost."""
        for group in self.all_groups():
            await self.channel_layer.group_add(group, self.channel_name)

    async def websocket_disconnect(self, message: WebSocketDisconnectEvent) -> None:
        if self.is_restarting:
            raise StopConsumer
        try:
            if message["code"] == NO_CLOSE_FRAME:
                self.on_connection_lost()
            else:
                self.report_visibility({"visible": False})
            await self.on_disconnect()
        except Exception as error:
            if not is_outage(error):
                log.exception("goodbye_failed")
        raise StopConsumer

    async def websocket_receive(self, message: WebSocketReceiveEvent) -> None:
        if self.ended:
            return
        if not self.count_against_limits():
            await self.reject_message()
            return
        self.rejected_count = 0
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

    def query_parameters(self) -> QueryDict:
        """Return the parameters of the socket's address, or none if there are more than Django accepts."""
        try:
            return QueryDict(self.scope["query_string"])
        except TooManyFieldsSent:
            return QueryDict()

    @cached_property
    def page_digests(self) -> frozenset[str]:
        """The digests of the zones that the page contained when it was loaded, for the first frame."""
        return frozenset(filter(None, self.query_parameters().get("shown", "").split(".")))

    def count_against_limits(self) -> bool:
        """Count a message against the limits of this socket, of its address, and of its account or the visitors there.

        Return whether it is within all of them.
        """
        if not self.rate_limit.take_token(time.monotonic()):
            return False
        visitors = self.address if self.user_id is None else ""
        return not limits.consume("frames", address=self.address, account=self.user_id, visitors=visitors)

    async def user_closed(self, message: Message) -> None:
        """Close after a log-out or suspension; a log-out closes only the sockets of its own session."""
        mark = message.get("session", "")
        if not mark or mark == session_hash(self.scope["session"].session_key):
            await self.close_with_reason(await self.closing_refusal(message["code"]), CloseCode.ENDED)

    async def user_seated(self, message: Message) -> None:
        """Lead the page to the table that the site has laid for this person. During a match it only gets a link."""
        slug = message["slug"]
        if not self.ended and slug != self.slug:
            zones = next_table_zones(slug, self.language, follows=not await self.is_at_play())
            await self.send_update(zones.full_update)

    async def closing_refusal(self, code: str) -> Refused:
        """Return the refusal to show before closing. A suspended person learns why and until when."""
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

    def join_presence(self, place: str) -> None:
        """Count the person as present at a place until the socket closes."""
        self.attendee, self.place = self.as_attendee(), place
        pages().join(place, self)

    def as_attendee(self) -> Attendee:
        """Return the person of this socket."""
        guest = self.user_id is not None and self.user.is_guest
        return Attendee(self.user_id, str(self.user), guest, self.browser)

    def on_close(self) -> None:
        pages().leave(self.place, self)

    async def is_still_admitted(self) -> bool:
        """Return whether the person is still let in; close for good if not. Not every change is announced."""
        if self.user_id is not None and not await in_database(self.is_admitted):
            await self.close_with_reason(Refused("ended"), CloseCode.ENDED)
        return not self.ended

    def is_admitted(self) -> bool:
        """Return whether the person of this socket is let in, on a database thread."""
        return has_access(self.user)

    def report_visibility(self, data: Mapping[str, Any]) -> None:
        """Store whether the page is visible, according to its heartbeat. A broken connection may come back."""
        if not inbound.is_page_visible(data):
            pages().mark_hidden(self.channel_name)
        elif self.user_id is not None:
            pages().mark_visible(self.channel_name, self.user_id, self.match_id or None, timezone.now())

    async def reject_message(self) -> None:
        self.rejected_count += 1
        if self.rejected_count == 1:
            await self.refuse(Refused("too_fast"))
        elif self.rejected_count >= MAX_REJECTED_MESSAGES:
            await self.close_with_reason(Refused("too_fast"), CloseCode.FLOOD)

    async def send_update(self, text: str) -> None:
        """Send a text, directly if the connection accepts it: the way through Channels and Daphne takes longer."""
        if self.connection.is_open:
            self.connection.write(encode_message(text))
        else:
            await self.send(text_data=text)

    def banner_zones(self) -> Zones:
        return site_banner_zones(**asdict(current_switches()), language=self.language)

    def banner_update(self) -> str:
        """Return the banner for the first frame, "" if the page contained it: it may have changed in between."""
        return self.banner_zones().update_from_page(self.page_digests)

    async def refuse(self, refusal: Refusal | Refused) -> None:
        """Show the person the reason."""
        await self.send_update(notice_zones(refusal, self.variant, self.language).full_update)

    # Implemented by subclasses.

    async def on_open(self) -> None:
        """Join the groups, then read, then send."""
        raise NotImplementedError

    def on_connection_lost(self) -> None:
        """Called before ``on_disconnect`` if the connection broke: the page was not closed."""

    async def on_disconnect(self) -> None:
        """Called when the browser has disconnected, unless the process ends first. It may use the database."""

    async def layer_back(self, message: Message) -> None:
        """Messages of other processes were lost for a while: send updates that were missed."""

    async def site_changed(self, message: Message) -> None:
        """Show the banner that the operators have changed."""
        if not self.ended:
            await self.send_update(self.banner_zones().full_update)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers of inbound messages by type."""
        raise NotImplementedError

    async def is_at_play(self) -> bool:
        """Return True if the page shows a match that this person plays."""
        return False

    def all_groups(self) -> list[str]:
        return [] if self.user_id is None else [groups.user_group(self.user_id)]
