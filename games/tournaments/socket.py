"""The socket of a tournament's page, which shows the standing and the viewer's next table as they change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from django.utils import timezone

from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.errors import Refused
from games.models import Tournament
from games.rendering.zones import Zones
from games.services import inbound
from games.sockets.base import EMPTY_MESSAGE, Handler
from games.sockets.paced import PacedSocket
from games.sockets.single_flight import SingleFlight
from games.tournaments import entering, opening, reading, selectors
from games.tournaments.content import Content, Own
from games.tournaments.reading import Shared
from games.tournaments.rendering import page_zones
from infrastructure.runtime import PerProcess

MIN_INTERVAL_SECONDS = 2.0  # between two reads of a tournament, and between two updates of a page
UPDATES_PER_SECOND = 100  # to the pages of a tournament: a thousand at once would delay the moves at all tables


class OpenPages:
    """The open pages of this process by tournament, and what they read together."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.reads: SingleFlight[str, Shared] = SingleFlight()


_pages = PerProcess(OpenPages)


class TournamentSocket(PacedSocket):
    slug = ""
    tournament_id = 0
    revision = 0  # the last that was announced
    shown_revision = 0  # the last that the browser shows
    is_visible = True
    seen_at: datetime | None = None  # when the page was last in sight
    parts: tuple[Content, Own] | None = None  # what the browser shows
    zones: Zones | None = None

    async def on_open(self) -> None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        _pages().counts[self.slug] += 1
        await self.join_groups()
        row = await in_database(self.load_row)
        self.tournament_id, self.revision, self.shown_revision = row.pk, row.revision, row.revision
        await in_database(self.note_visible)
        await self.send_changes()

    def on_close(self) -> None:
        super().on_close()
        if self.slug:
            _pages().counts -= Counter([self.slug])

    def load_row(self) -> Tournament:
        """Raises Tournament.DoesNotExist."""
        row = selectors.tournament_with_slug(self.slug)
        if row is None:
            raise Tournament.DoesNotExist
        return row

    def all_groups(self) -> list[str]:
        return [*super().all_groups(), groups.tournament_group(self.slug)]

    def handlers(self) -> Mapping[str, Handler]:
        return {"seen": self.on_heartbeat, "nonce": self.open_nonce} if self.tournament_id else {}

    async def on_heartbeat(self, data: Mapping[str, Any]) -> None:
        self.is_visible = inbound.is_page_visible(data)
        await super().on_heartbeat(data)

    def is_admitted(self) -> bool:
        """Also store that the page is in sight, in the same piece of work: a thousand pages send heartbeats."""
        is_admitted = super().is_admitted()
        if is_admitted and self.is_visible:
            self.note_visible()
        return is_admitted

    async def open_nonce(self, data: Mapping[str, Any]) -> None:
        """Store the person's part in the deals. The page does this by itself, so a late one is not reported."""
        _commitment, nonce = inbound.read_nonce(data)
        if self.user_id is not None:
            with suppress(Refused):
                await in_database(
                    opening.open_nonce, tournament_id=self.tournament_id, user_id=self.user_id, nonce=nonce
                )
        await self.send_update(EMPTY_MESSAGE)

    def note_visible(self) -> None:
        """Store that the page is in sight. People who look at something else get no table."""
        if self.user_id is not None:
            self.seen_at = now = timezone.now()
            entering.note_seen(tournament_id=self.tournament_id, user_id=self.user_id, now=now)

    async def on_disconnect(self) -> None:
        if self.user_id is not None and self.seen_at is not None:
            await in_database(entering.note_gone, slug=self.slug, user_id=self.user_id, seen_at=self.seen_at)

    async def tournament_page_closed(self, message: dict[str, Any]) -> None:
        """Note that this page is in sight, after the person closed another page of the tournament."""
        if self.user_id is not None and self.is_visible and message["slug"] == self.slug:
            self.seen_at = now = timezone.now()
            await in_database(entering.note_still_seen, slug=self.slug, user_id=self.user_id, now=now)

    async def layer_back(self, message: dict[str, Any]) -> None:
        _pages().reads.stop_sharing(self.slug)  # it may lack a change whose announcement was lost
        self.schedule_update()

    async def tournament_changed(self, message: dict[str, Any]) -> None:
        self.revision = message["revision"]
        self.schedule_update()

    async def user_seated(self, message: dict[str, Any]) -> None:
        """Show the way to a new table at once. The next update brings the rest of the page."""
        if self.parts is not None and not self.ended:
            content, own = self.parts
            await self.send_parts(content, replace(own, match=message["slug"]))

    def schedule_update(self) -> None:
        pages = _pages().counts[self.slug]
        self.update_interval_seconds = self.spread_seconds = max(MIN_INTERVAL_SECONDS, pages / UPDATES_PER_SECOND)
        super().schedule_update()

    async def send_changed_zones(self) -> None:
        """Read what all pages share once in an interval, and only for a few what they do not share."""
        interval = str(int(self.updated_at / MIN_INTERVAL_SECONDS))
        shared = await _pages().reads.join(self.slug, partial(in_database, self.load_shared), token=interval)
        if shared.row.revision < self.revision:  # read before the last change; the next interval reads again
            self.schedule_update()
        if shared.row.revision < self.shown_revision:
            await self.send_update(EMPTY_MESSAGE)
            return
        self.shown_revision = shared.row.revision
        if shared.needs_queries(self.user_id):
            own = await in_database(self.load_own, shared)
        else:
            own = self.load_own(shared)
        await self.send_parts(shared.content, own)

    async def send_parts(self, content: Content, own: Own) -> None:
        zones, before = page_zones(content, own, self.language), self.zones
        self.parts, self.zones = (content, own), zones
        if before is None:  # the first frame tells the page that its socket works
            await self.send_update(zones.update_from_page(self.page_digests) + self.banner_update())
        elif update := zones.update_from(before):
            await self.send_update(update)

    def load_shared(self) -> Shared:
        return reading.load_shared(self.load_row())

    def load_own(self, shared: Shared) -> Own:
        return reading.load_own(shared, self.user, timezone.now())
