"""The base of a socket whose person may have a seat: it renews the lease of the seat, and gives it up."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.http import Http404
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.errors import Refused
from games.models import Match
from games.presence import leases
from games.presence.losses import losses
from games.presence.pages import pages
from games.rendering.clock import with_time
from games.services import heartbeats
from games.services.downtime import GRACE
from games.services.heartbeats import Finding, Page, Signs
from games.sockets import match_reads
from games.sockets.base import Socket
from games.sockets.consumer import CloseCode


class SeatedSocket(Socket):
    """The socket of a match. ``renewed_at`` is when a page of this person at this process last renewed the lease."""

    renewed_at: datetime | None = None
    slug = ""
    match: Match
    signs: Signs = ()  # by which the page was last let in

    async def tell(self, text: str) -> None:
        await super().tell(with_time(text))

    def connection_lost(self) -> None:
        if self.seated and self.user_id is not None:
            losses().add(self.address, self.user_id, timezone.now())

    async def renew(self) -> int:
        """Renew the lease of the seat, if there is one, and return the revision the table has now."""
        if self.seated and self.user_id is not None:
            self.line.measure()
            self.renewed_at = now = timezone.now()
            lag_ms = self.line.lag_ms
            await in_database(leases.renew, match_id=self.match_id, user_id=self.user_id, now=now, lag_ms=lag_ms)
        return (await match_reads.newest(self.match_id)).table.revision

    async def beat(self) -> Finding:
        """Take a person's heartbeat; close for good who may not stay."""
        now = timezone.now()
        if self.seated:
            self.line.measure()
            self.renewed_at = now
        page = Page(
            self.user,
            self.slug,
            self.match_id,
            self.scope["cookies"],
            seated=self.seated,
            signs=self.signs,
            lag_ms=self.line.lag_ms,
        )
        finding = Finding()
        try:
            finding = await in_database(heartbeats.beat, page, now=now)
        except Refused as refused:
            await self.end(refused, CloseCode.ENDED)
        except Http404:
            await self.end(Refused("no_table"), CloseCode.NO_TABLE)
        self.signs = finding.signs
        return finding

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
        others = [page for page in self.pages_of_person() if page is not self]
        for other in others:
            other.renewed_at = max(other.renewed_at or self.renewed_at, self.renewed_at)
        if not others:
            match_id, user_id, renewed_at = self.match_id, self.user_id, self.renewed_at
            now = timezone.now()
            now += GRACE if losses().since(now) else timedelta()
            await in_database(leases.release, match_id=match_id, user_id=user_id, renewed_at=renewed_at, now=now)

    def pages_of_person(self) -> list[SeatedSocket]:
        """Return the sockets of this process through which the person is at the match."""
        sockets = (page for page in pages().at(self.place) if isinstance(page, SeatedSocket))
        return [socket for socket in sockets if socket.user_id == self.user_id]

    async def require_seat(self) -> int:
        """Return the id of the seated user. Raises Refused ``not_seated``, from memory: spectators cause no query."""
        user_id = self.user_id
        if user_id is None or (await match_reads.at_least(self.match_id, 0)).table.seat_of(user_id) is None:
            raise Refused("not_seated")
        return user_id
