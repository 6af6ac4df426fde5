"""The socket of a tournament's page, which shows the standing and the viewer's next table as they change."""

from __future__ import annotations

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


class Reads:
    """The reads that the sockets of a process share."""

    def __init__(self) -> None:
        self.shared: SingleFlight[str, Shared] = SingleFlight()


_reads = PerProcess(Reads)


class TournamentSocket(PacedSocket):
    update_interval_seconds = 2.0
    slug = ""
    tournament_id = 0
    revision = ""  # the last that was announced
    is_visible = False
    seen_at: datetime | None = None  # when the page was last in sight
    parts: tuple[Content, Own] | None = None  # what the browser shows
    zones: Zones | None = None

    async def on_open(self) -> None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        self.tournament_id = (await in_database(self.load_row)).pk
        await self.join_groups()
        await self.note_visibility({})
        await self.send_changes()

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
        await super().on_heartbeat(data)
        if not self.ended:
            await self.note_visibility(data)

    async def open_nonce(self, data: Mapping[str, Any]) -> None:
        """Store the person's part in the deals. The page does this by itself, so a late one is not reported."""
        _commitment, nonce = inbound.read_nonce(data)
        if self.user_id is not None:
            with suppress(Refused):
                await in_database(
                    opening.open_nonce, tournament_id=self.tournament_id, user_id=self.user_id, nonce=nonce
                )
        await self.send_update(EMPTY_MESSAGE)

    async def note_visibility(self, data: Mapping[str, Any]) -> None:
        """Store that the page is in sight. People who look at something else get no table."""
        self.is_visible = inbound.is_page_visible(data)
        if self.user_id is not None and self.is_visible:
            self.seen_at = now = timezone.now()
            await in_database(entering.note_seen, tournament_id=self.tournament_id, user_id=self.user_id, now=now)

    async def on_disconnect(self) -> None:
        if self.user_id is not None and self.seen_at is not None:
            await in_database(entering.note_gone, slug=self.slug, user_id=self.user_id, seen_at=self.seen_at)

    async def tournament_page_closed(self, message: dict[str, Any]) -> None:
        """Note that this page is in sight, after the person closed another page of the tournament."""
        if self.user_id is not None and self.is_visible and message["slug"] == self.slug:
            self.seen_at = now = timezone.now()
            await in_database(entering.note_still_seen, slug=self.slug, user_id=self.user_id, now=now)

    async def layer_back(self, message: dict[str, Any]) -> None:
        self.revision = ""
        self.schedule_update()

    async def tournament_changed(self, message: dict[str, Any]) -> None:
        self.revision = str(message["revision"])
        self.schedule_update()

    async def user_seated(self, message: dict[str, Any]) -> None:
        """Show the way to a new table at once. The next update brings the rest of the page."""
        if self.parts is not None and not self.ended:
            content, own = self.parts
            await self.send_parts(content, replace(own, match=message["slug"]))

    async def send_changed_zones(self) -> None:
        """Read what all pages share once for all, and only for a few what they do not share."""
        shared = await _reads().shared.join(self.slug, partial(in_database, self.load_shared), token=self.revision)
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
