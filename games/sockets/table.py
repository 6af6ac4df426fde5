"""The socket of a table. ``feed`` decides what a viewer may see, nothing here does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from django.http import Http404
from prometheus_client import Counter, Histogram

from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.chat import posting
from games.errors import Refused
from games.fair_dealing import nonces
from games.geometry.spots import Shape
from games.match.snapshots import DELAYED, Snapshot
from games.match.table import NOTHING_MUTED, visible_lines
from games.presence.people import People
from games.rendering.changes import Frame
from games.services import absence, heartbeats, inbound, play, rematch
from games.services.moves import MoveRequest, MoveResult
from games.sockets import audience, feed, match_reads
from games.sockets.base import Handler
from games.sockets.consumer import CloseCode
from games.sockets.move_queue import move_queue
from games.sockets.reading import NO_TILE_CHOSEN, ChosenTile, Reading
from games.sockets.seated import SeatedSocket
from infrastructure.limits import limits

NOTHING_NEW = feed.NOTHING_NEW
MOVE_SECONDS = Histogram("dominoes_move_frame_seconds", "From the frame that brings a move to the frame that shows it")
RESYNCS = Counter("dominoes_resyncs_total", "Views sent because one had been missed, by what found out", ["by"])
NOTHING_SHOWN = (0, -1)
TOO_LATE = ("not_open", "starting")
"""Refusals of a nonce that only mean that the match has started meanwhile."""


class TableSocket(SeatedSocket):
    """A table as its viewer sees it. Each frame brings what has changed since the last one that this socket sent."""

    slug = ""
    shown = NOTHING_SHOWN
    """Stage and revision of the last frame."""
    frame: Frame | None = None
    """What the browser shows, None if nothing is known of it."""
    choice = NO_TILE_CHOSEN
    hints = False
    """Whether the browser shows which numbers may still come where."""
    shape = Shape.EVEN
    """Of the felt in the browser."""
    spectators: People | None = None
    """Those that the browser shows."""
    spectators_frame: asyncio.Task[None] | None = None
    awaits_move = False
    """Whether all that it does is to wait until its move is made."""

    async def opened(self) -> None:
        self.reading = Reading()
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        if not await self.admitted():
            return
        self.match_id, self.variant = self.match.pk, self.match.variant
        self.hints = inbound.asks_hints(self.scope["cookies"])
        self.shape = inbound.shape_of(self.scope["cookies"])
        # Join first, then read, then send: nothing can fall between.
        await self.join()
        await self.show(await self.renew())
        self.attend(groups.match_group(self.slug))

    async def admitted(self) -> bool:
        """Return whether this person may see the table; close for good if not. Also reads the person's blocks."""
        try:
            found = await in_database(heartbeats.admit, self.user, self.slug, self.scope["cookies"])
            self.signs, (self.match, self.reading.muted) = found
        except Http404:
            await self.end(Refused("no_table"), CloseCode.NO_TABLE)
        return not self.ended

    async def user_blocks(self, message: dict[str, Any]) -> None:
        """A block by or of this person was made or lifted, or the person muted a table or no longer does."""
        if self.match_id and not self.ended and await self.admitted():
            text = self.new_lines(await self.known())
            if self.reading.follows_spectators:
                text += await self.new_spectator_chat_lines()
            await self.tell(text)

    async def join(self) -> None:
        """Join the audience of the match too, as a player or a spectator."""
        self.seated = (await match_reads.at_least(self.match_id, 0)).table.seat_of(self.user_id) is not None
        await super().join()
        await audience.enter(self)

    def closed(self) -> None:
        super().closed()
        audience.leave(self)

    async def layer_back(self, message: dict[str, Any]) -> None:
        if self.match_id:
            RESYNCS.labels("layer").inc()
            await self.show((await match_reads.newest(self.match_id)).table.revision)

    def all_groups(self) -> list[str]:
        return [*super().all_groups(), *self.own_groups()]

    def own_groups(self) -> list[str]:
        return [groups.spectator_chat_group(self.slug)] if self.reading.follows_spectators else []

    def can_be_told(self, found: Snapshot) -> bool:
        """Return whether this socket can be told now, without waiting for anything."""
        if not self.line.is_open or (self.handling.locked() and not self.awaits_move):
            return False
        if found.table.is_played_by(self.user_id):
            return True
        return self.reading.follows_spectators and self.seated == (found.table.seat_of(self.user_id) is not None)

    def is_alike(self, found: Snapshot) -> bool:
        """Return whether this socket sees what every spectator with its settings sees."""
        return self.reading.muted == NOTHING_MUTED and found.table.seat_of(self.user_id) is None

    def handlers(self) -> Mapping[str, Handler]:
        seeing = (self.choose, self.hint, self.felt, self.seen)
        acting = (self.move, self.ready, self.vote, self.nonce, self.rematch, self.chat, self.mute)
        return {handler.__name__: handler for handler in seeing + acting}

    async def match_changed(self, message: dict[str, Any]) -> None:
        if self.shows_delayed or message["revision"] > self.shown[1]:
            await self.show(message["revision"])

    async def spectator_chat_changed(self, message: dict[str, Any]) -> None:
        if text := await self.new_spectator_chat_lines(message["mark"]):
            await self.tell(text)

    @property
    def shows_delayed(self) -> bool:
        return self.shown[0] == DELAYED

    async def known(self) -> Snapshot:
        """Return the snapshot that the browser shows, or a newer one."""
        return await match_reads.for_viewer(self.match_id, 0 if self.shows_delayed else self.shown[1], self.user_id)

    async def show(self, revision: int) -> None:
        """Send the newest view that this viewer may have; the table is at least at this revision."""
        found = await match_reads.for_viewer(self.match_id, revision, self.user_id)
        if self.ended or found.number <= self.shown:
            return
        said = ""
        if not self.reading.follows_spectators and not found.table.is_played_by(self.user_id):
            self.reading.follows_spectators = True
            await self.join()
            said = await self.new_spectator_chat_lines()
        whole = self.frame is None
        await self.tell(self.news(found) + said)
        if whole and self.choice.tile:  # there may be many places, so they are a frame of their own
            await self.choose({"tile": self.choice.tile})

    def news(self, found: Snapshot) -> str:
        """Return what the browser lacks, which it shows from then on."""
        seat = found.table.seat_of(self.user_id)
        if self.seated != (seat is not None):
            self.seated = not self.seated
            audience.sort(self)
        if found.table.version != self.choice.version:
            self.choice = NO_TILE_CHOSEN
        frame = feed.frame(found, seat, self.language, self.choice.tile if self.frame else "", self.shape)
        text: str = frame.since(self.frame)
        if self.hints:
            text += feed.hints(found, self.language, asked=True)
        text += self.new_lines(found)
        self.shown, self.frame = found.number, frame  # only now: what failed before is tried again
        return text

    def forget(self) -> None:
        """Show everything anew next time."""
        self.shown, self.frame = NOTHING_SHOWN, None

    def new_lines(self, found: Snapshot) -> str:
        """Return the chat if it differs from what the browser shows, "" otherwise."""
        lines, muted = visible_lines(found.table.messages, self.reading.muted), self.reading.muted.table
        if (lines, muted) == (self.reading.table, self.reading.shows_muted):
            return ""
        self.reading.table, self.reading.shows_muted = lines, muted
        return feed.muted(self.language) if muted else feed.chat(found, lines, self.language)

    async def new_spectator_chat_lines(self, token: str = "") -> str:
        """Return the spectator chat if this person may read it and the browser shows something else, "" otherwise."""
        found = await match_reads.spectator_chat(self.match_id, token)
        lines = visible_lines(found.lines, self.reading.muted)
        if self.ended or lines == self.reading.spectators or not found.is_open_to(self.user_id):
            return ""
        self.reading.spectators = lines
        return feed.spectator_chat(found, lines, self.language)

    async def revision_now(self, data: Mapping[str, Any]) -> int:
        """Take a heartbeat and return the revision of the table; for visitors, from a read shared for seconds."""
        if self.user_id is None:  # nobody can block a visitor, so a thousand visitors cause no queries
            return (await match_reads.recent(self.match_id)).table.revision
        self.report(data)
        found = await self.beat()
        if found.admitted is not None:
            self.match, self.reading.muted = found.admitted
        return found.revision

    async def choose(self, data: Mapping[str, Any]) -> None:
        """Show the places of one of the player's tiles, until another is chosen or a move is made."""
        tile, found = inbound.tile_of(data), await self.known()
        self.choice = ChosenTile(tile, found.table.version)
        shown = feed.choice(found, found.table.seat_of(self.user_id), self.language, tile, self.shape)
        if self.frame is not None:
            self.frame = self.frame._replace(own=shown.own)
        await self.tell(shown.whole)  # all of it, for the page may have put away on its own what it showed before

    async def hint(self, data: Mapping[str, Any]) -> None:
        """Turn the hints on or off: which numbers may still come where."""
        self.hints = inbound.asks_hints(data)
        found = await self.known()
        await self.tell(feed.hints(found, self.language, asked=self.hints))

    async def felt(self, data: Mapping[str, Any]) -> None:
        """Show the table laid for another shape of felt: a window was made wider, or a telephone turned."""
        self.shape, found = inbound.shape_of(data), await self.known()
        self.forget()
        await self.show(found.table.revision)

    async def move(self, data: Mapping[str, Any]) -> None:
        began = time.perf_counter()
        move, version = inbound.move_of(data)
        user_id = await self.require_seat()
        self.choice = NO_TILE_CHOSEN
        self.awaits_move = True
        try:
            answer = await move_queue().make(MoveRequest(self.match_id, version, move, user_id))
        finally:
            self.awaits_move = False
        if isinstance(answer, MoveResult):
            # The announcement may come later, through Redis.
            await self.show(answer.revision)
            MOVE_SECONDS.observe(time.perf_counter() - began)
            return
        if answer.code == "stale":
            RESYNCS.labels("stale").inc()
            self.forget()
            await self.show(await self.renew())
        await self.refuse(answer)

    async def ready(self, data: Mapping[str, Any]) -> None:
        await in_database(play.ready, match_id=self.match_id, user_id=await self.require_seat())

    async def vote(self, data: Mapping[str, Any]) -> None:
        """Say how to go on without somebody, or to stop."""
        user_id, choice = await self.require_seat(), inbound.vote_of(data)
        await in_database(absence.vote, match_id=self.match_id, user_id=user_id, choice=choice)

    async def rematch(self, data: Mapping[str, Any]) -> None:
        """Offer a rematch or answer one. Also what changes nothing is answered."""
        await self.require_seat()
        if limits.wait("tables", address=self.address, account=self.user_id):
            raise Refused("too_fast")
        no = inbound.says_no(data)
        await in_database(rematch.answer, match=self.match, by=self.user, no=no, address=self.address)
        await self.tell(NOTHING_NEW)

    async def nonce(self, data: Mapping[str, Any]) -> None:
        """Add to the shuffle. The page does so by itself, so one that came too late is not reported."""
        commitment, nonce = inbound.nonce_of(data)
        user_id = await self.require_seat()
        try:
            await in_database(nonces.give, match_id=self.match_id, user_id=user_id, commitment=commitment, nonce=nonce)
        except Refused as refused:
            if refused.code not in TOO_LATE:
                raise

    async def chat(self, data: Mapping[str, Any]) -> None:
        said = inbound.line_of(data)
        if self.user_id is None:
            raise Refused("no_name")
        await in_database(posting.post_message, match=self.match, user=self.user, **said)

    async def mute(self, data: Mapping[str, Any]) -> None:
        """Show nothing more that anybody writes here, or show it again; all pages of the person do."""
        if self.user_id is None:
            raise Refused("no_name")
        muted = inbound.mutes(data)
        await in_database(posting.mute_table, match=self.match, user_id=self.user_id, muted=muted)
        await self.user_blocks({})

    async def seen(self, data: Mapping[str, Any]) -> None:
        """The heartbeat: renews memberships and the lease of the seat, finds what was lost, and is always answered."""
        await self.join()
        revision = await self.revision_now(data)
        if self.ended:
            return
        if inbound.revision_of(data) not in (None, self.shown[1]):
            self.forget()  # a frame was lost on its way, or is on it
        shown = self.shown
        await self.show(revision)
        said = ""
        if self.reading.follows_spectators:
            said = await self.new_spectator_chat_lines(match_reads.heartbeat_token())
        if self.shown != shown:
            RESYNCS.labels("heartbeat").inc()
        if not self.ended and (said or self.shown == shown):
            await self.tell(said)
