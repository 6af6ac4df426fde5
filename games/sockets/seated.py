"""The base of a socket whose person may have a seat: it renews the lease of the seat, and gives it up."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.http import Http404
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.errors import Refused
from games.presence.losses import losses
from games.presence.people import Attendee
from games.rendering.clock import with_time
from games.services import heartbeats, presence
from games.services.downtime import GRACE
from games.services.heartbeats import Found, Page, Signs
from games.sockets import match_reads
from games.sockets.base import Socket
from games.sockets.consumer import CloseCode
from games.sockets.presence import presence as socket_presence
from infrastructure.asgi import Receive, Scope, Send


class SeatedSocket(Socket):
    """The socket of a match. ``renewed_at`` is when a page of this person at this process last renewed the lease."""

    seated = False
    attendee: Attendee
    renewed_at: datetime | None = None
    slug = ""
    signs: Signs = ()
    """By which the page was let in last."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with losses().counted(self):
            await super().__call__(scope, receive, send)

    async def tell(self, text: str) -> None:
        await super().tell(with_time(text))

    def connection_lost(self) -> None:
        losses().add(self, timezone.now())

    async def renew(self) -> int:
        """Renew the lease of the seat, if there is one, and return the revision the table has now."""
        if self.seated and self.user_id is not None:
            self.line.measure()
            self.renewed_at = now = timezone.now()
            lag_ms = self.line.lag_ms
            await in_database(presence.seen, match_id=self.match_id, user_id=self.user_id, now=now, lag_ms=lag_ms)
        return (await match_reads.newest(self.match_id)).table.revision

    async def beat(self, *, in_sight: bool) -> Found:
        """Take a person's heartbeat; close for good who may not stay."""
        now = timezone.now()
        if self.seated:
            self.line.measure()
            self.renewed_at = now
        page = Page(
            self.channel_name,
            self.user,
            self.slug,
            self.match_id,
            self.scope["cookies"],
            seated=self.seated,
            signs=self.signs,
            sighted=self.in_sight,
            lag_ms=self.line.lag_ms,
        )
        found = heartbeats.NOTHING
        try:
            found = await in_database(heartbeats.beat, page, in_sight=in_sight, now=now)
        except Refused as refused:
            await self.end(refused, CloseCode.ENDED)
        except Http404:
            await self.end(Refused("no_table"), CloseCode.NO_TABLE)
        self.signs, self.in_sight = found.signs, found.sighted
        return found

    async def page_closed(self, message: dict[str, Any]) -> None:
        """The person has closed a page at another process, perhaps of this match: this one is still open."""
        if self.seated and message["match"] == self.match_id:
            await self.renew()

    async def goodbye(self) -> None:
        """Give the seat up, unless the person has another page of the match open here.

        Where many are lost at once, it is given up only when their pages could have come back.
        """
        if not self.seated or self.user_id is None or self.renewed_at is None:
            return
        others = socket_presence().others_of(self)
        for other in others:
            other.renewed_at = max(other.renewed_at or self.renewed_at, self.renewed_at)
        if not others:
            match_id, user_id, renewed_at = self.match_id, self.user_id, self.renewed_at
            now = timezone.now()
            now += GRACE if losses().since(now) else timedelta()
            await in_database(presence.gone, match_id=match_id, user_id=user_id, renewed_at=renewed_at, now=now)

    async def require_seat(self) -> int:
        """Return the id of the seated user. Raises Refused ``not_seated``, from memory: spectators cause no query."""
        user_id = self.user_id
        if user_id is None or (await match_reads.at_least(self.match_id, 0)).table.seat_of(user_id) is None:
            raise Refused("not_seated")
        return user_id
