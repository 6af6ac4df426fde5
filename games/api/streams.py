"""Streams: one JSON object a line, each of them complete, so a program that missed some has missed nothing.

An empty line every ``KEEP_ALIVE_SECONDS`` tells both sides that the connection still works.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import structlog
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.http import AsyncHttpConsumer
from django.utils import timezone
from django.utils.translation import override

from accounts.models import ApiToken
from accounts.services import session_hash
from accounts.tokens.authentication import InvalidToken, NoToken, authenticate, require_scope
from accounts.tokens.selectors import usable_tokens
from games import access
from games.api.errors import ApiError, api_error
from games.api.match_json import events_data, match_data, own_seat
from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.errors import Refused
from games.languages import socket_language
from games.presence import leases
from games.sockets import match_reads
from games.sockets.consumer import OPEN_SOCKETS
from games.tournaments import entering
from infrastructure.addresses import address_key_of_socket
from infrastructure.asgi import Message, Receive, Scope, Send
from infrastructure.limits import limits
from infrastructure.outages import is_outage
from infrastructure.server.connection import STREAM_HEADER

if TYPE_CHECKING:
    from asgiref.typing import HTTPDisconnectEvent, HTTPRequestEvent

log = structlog.get_logger()

KEEP_ALIVE_SECONDS = 15.0
NO_STORE = (b"cache-control", b"no-store")
STREAM_HEADERS = (STREAM_HEADER, NO_STORE, (b"x-accel-buffering", b"no"))


class Stream(AsyncHttpConsumer):
    """A stream of the person of a token. It ends when the token does, or with a line that says why."""

    scope: Any  # the hints lack what Channels adds
    required_scope: str
    channel_layer: Any  # one of ``games.broadcast``
    task: asyncio.Task[None] | None = None
    is_begun = False
    is_restarting = False  # the process stops, so the program comes back
    line = b""  # the last one sent
    revision = 0  # the announced one of the match

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.changed = asyncio.Event()
        try:
            with OPEN_SOCKETS.labels(type(self).__name__).track_inprogress():
                await super().__call__(scope, receive, send)
        finally:
            if self.task is not None:
                self.task.cancel()
            self.channel_layer.forget(self.channel_name)

    async def dispatch(self, message: Message) -> None:
        """Call the handler of a message. The dispatch of Channels would first wait for a database thread."""
        if handler := getattr(self, get_handler_name(message), None):
            await handler(message)

    async def http_request(self, message: HTTPRequestEvent) -> None:
        """Answer in a task of its own, so that announcements and the end of the connection are handled meanwhile."""
        if not message.get("more_body"):
            self.task = asyncio.create_task(self.answer() if self.scope["method"] == "GET" else self.refuse_method())

    async def http_disconnect(self, message: HTTPDisconnectEvent) -> None:
        await self.cancel_task()
        raise StopConsumer

    async def http_restart(self, message: Message) -> None:
        """End because the process stops. The seat is kept until the program comes back."""
        self.is_restarting = True
        await self.cancel_task()
        await self.send_body(b"")
        raise StopConsumer

    async def cancel_task(self) -> None:
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task

    async def answer(self) -> None:
        """Send lines until the stream ends."""
        try:
            limits.enforce("streams", address=address_key_of_socket(self.scope))
            await self.admit()
            with limits.hold_place("streams", account=self.token.user_id):
                await self.send_lines()
        except Exception as exception:
            error = api_error(exception)
            if error.status == HTTPStatus.SERVICE_UNAVAILABLE and not is_outage(exception):
                log.exception("stream_broken")
            await self.refuse(error)

    async def refuse_method(self) -> None:
        status = HTTPStatus.METHOD_NOT_ALLOWED
        await self.refuse(ApiError(status, "method_not_allowed", status.phrase, headers={"Allow": "GET"}))

    async def admit(self) -> None:
        """Authenticate. Raises NoToken, InvalidToken, MissingScope, LimitExceeded, Http404."""
        token = await in_database(
            authenticate, dict(self.scope["headers"]).get(b"authorization", b"").decode("latin1")
        )
        if token is None:
            raise NoToken
        require_scope(token, self.required_scope)
        limits.enforce("streams", account=token.user_id)
        self.token, self.user_id = token, token.user_id

    async def send_lines(self) -> None:
        # Join first, then read, then send, so that nothing is lost in between.
        await self.join_groups(self.own_groups())
        now = asyncio.get_running_loop().time
        keep_alive_at = now() + KEEP_ALIVE_SECONDS
        try:
            while True:
                self.changed.clear()
                await self.send_line()
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(keep_alive_at):
                        await self.changed.wait()
                # On a schedule of its own, so that it does not show when something happens that is not visible yet.
                if now() >= keep_alive_at:
                    await self.keep_alive()
                    keep_alive_at = now() + KEEP_ALIVE_SECONDS
        finally:
            if not self.is_restarting:
                await asyncio.shield(self.on_end())

    async def send_line(self) -> None:
        """Send what there is to see now, unless it is the same as before."""
        line = json.dumps(await self.read_line(), ensure_ascii=False, separators=(",", ":")).encode()
        if line != self.line:
            self.line = line
            await self.send_text(line + b"\n")

    async def send_text(self, text: bytes) -> None:
        if not self.is_begun:
            self.is_begun = True
            await self.send_headers(headers=STREAM_HEADERS)
        await self.send_body(text, more_body=True)

    async def keep_alive(self) -> None:
        """Check the token again, whose end may not have been announced, and show that the stream works."""
        if not await in_database(usable_tokens().filter(pk=self.token.pk).exists):
            raise InvalidToken
        await self.send_text(b"\n")

    async def refuse(self, error: ApiError) -> None:
        """End the stream with the reason: as the answer if nothing was sent, otherwise as the last line."""
        with override(self.language):
            data = error.data
        if not self.is_begun:
            headers = {"Content-Type": "application/json", **error.headers}
            lines = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
            await self.send_headers(status=error.status, headers=[*lines, NO_STORE])
        await self.send_body(json.dumps(data, ensure_ascii=False).encode() + b"\n")

    @property
    def language(self) -> str:
        user = self.token.user if hasattr(self, "token") else None
        return socket_language({**self.scope, "user": user})

    def own_groups(self) -> list[str]:
        return [groups.user_group(self.user_id)]

    async def join_groups(self, names: Iterable[str]) -> None:
        for name in names:
            await self.channel_layer.group_add(name, self.channel_name)

    # Announcements.

    async def user_closed(self, message: Mapping[str, Any]) -> None:
        """End after the token was revoked or the person suspended; a log-out of a browser does not matter."""
        session = message.get("session", "")
        is_running = self.task is not None and not self.task.done()
        if is_running and session in ("", session_hash(self.token.session_key)):
            await self.cancel_task()
            code = "suspended" if message["code"] == "suspended" else "ended"
            await self.refuse(api_error(Refused(code)))

    async def match_changed(self, message: Mapping[str, Any]) -> None:
        self.revision = max(self.revision, message.get("revision", 0))
        self.changed.set()

    user_recheck = user_seated = user_notices = layer_back = match_due = match_changed

    # Implemented by subclasses.

    async def read_line(self) -> dict[str, Any]:
        """Return what the person may see now. Raises Http404 if they may no longer see it."""
        raise NotImplementedError

    async def on_end(self) -> None:
        """Called when the program has gone."""


class EventStream(Stream):
    """The tables of a bot and its invitations. Like a page of each of its tournaments, it waits for their tables."""

    required_scope = ApiToken.Scope.BOT_PLAY
    slugs: frozenset[str] = frozenset()  # the matches whose groups it has joined
    seen_at: datetime | None = None  # when tournaments last noted it; None once it has ended

    async def admit(self) -> None:
        await super().admit()
        await self.note_seen()

    async def read_line(self) -> dict[str, Any]:
        """Return the matches and invitations, read after joining the groups of all these matches."""
        while True:
            data = await in_database(events_data, self.user_id)
            slugs = frozenset(row["slug"] for row in data["matches"])
            if slugs <= self.slugs:
                break
            await self.join_groups(map(groups.match_group, slugs - self.slugs))
            self.slugs |= slugs
        for slug in self.slugs - slugs:
            await self.channel_layer.group_discard(groups.match_group(slug), self.channel_name)
        self.slugs = slugs
        return data

    async def keep_alive(self) -> None:
        await super().keep_alive()
        await self.note_seen()

    async def note_seen(self) -> None:
        """Tournaments pair the bots whose programs run."""
        self.seen_at = now = timezone.now()
        await in_database(entering.note_program_seen, user_id=self.user_id, now=now)

    async def tournament_page_closed(self, message: Mapping[str, Any]) -> None:
        """Note that this stream is open, after another one of the bot has ended."""
        if self.seen_at is not None:
            self.seen_at = now = timezone.now()
            await in_database(entering.note_still_seen, slug=message["slug"], user_id=self.user_id, now=now)

    async def on_end(self) -> None:
        seen_at, self.seen_at = self.seen_at, None
        if seen_at is not None:
            await in_database(entering.note_program_gone, user_id=self.user_id, seen_at=seen_at)


class MatchStream(Stream):
    """A match as a bot that plays or a spectator sees it. Like an open page, it keeps the seat of the bot."""

    required_scope = ApiToken.Scope.READ
    lease_renewed_at: datetime | None = None
    is_admitted = False  # since the last change of what this person may see

    async def admit(self) -> None:
        await super().admit()
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        self.match_id = (await in_database(access.visible_match, self.token.user, self.slug)).pk

    def own_groups(self) -> list[str]:
        return [*super().own_groups(), groups.match_group(self.slug), groups.delayed_group(self.slug)]

    async def user_recheck(self, message: Mapping[str, Any]) -> None:
        """A block may have changed what this person may see."""
        self.is_admitted = False
        self.changed.set()

    async def layer_back(self, message: Mapping[str, Any]) -> None:
        """Read the newest revision, whose announcement may be lost."""
        await self.user_recheck(message)

    async def page_closed(self, message: Mapping[str, Any]) -> None:
        """Renew the lease after another stream of this match was closed: this one is still open."""
        if message["match"] == self.match_id:
            self.lease_renewed_at = None
            self.changed.set()

    async def read_line(self) -> dict[str, Any]:
        if not self.is_admitted:
            await in_database(access.visible_match, self.token.user, self.slug)
            self.is_admitted = True
            self.revision = (await match_reads.newest_snapshot(self.match_id)).table.revision
        snapshot = await match_reads.snapshot_for_viewer(self.match_id, self.revision, self.user_id)
        seat = own_seat(self.token, snapshot.table)
        if self.lease_renewed_at is None and seat is not None and snapshot.table.is_played_by(self.user_id):
            await self.renew_lease()
        return match_data(snapshot, seat)

    async def keep_alive(self) -> None:
        await super().keep_alive()
        self.is_admitted = False
        if self.lease_renewed_at is not None:
            await self.renew_lease()

    async def renew_lease(self) -> None:
        self.lease_renewed_at = now = timezone.now()
        await in_database(leases.renew_lease, match_id=self.match_id, user_id=self.user_id, now=now)

    async def on_end(self) -> None:
        if self.lease_renewed_at is not None:
            await in_database(
                leases.release_seat_lease,
                match_id=self.match_id,
                user_id=self.user_id,
                renewed_at=self.lease_renewed_at,
                now=timezone.now(),
            )
