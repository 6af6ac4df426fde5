"""The socket of a table: keeps what its browser shows up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from django.http import Http404

from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.errors import Refused
from games.match.snapshots import DELAYED, Snapshot
from games.match.table import ChatLine, visible_lines
from games.presence.people import People
from games.rendering.zones import Frame
from games.services import heartbeats, inbound
from games.sockets import match_broadcasts, match_reads, shared_frames
from games.sockets.base import Handler
from games.sockets.consumer import CloseCode
from games.sockets.player import NO_TILE_CHOSEN, RESYNCS, ChosenTile, PlayerSocket
from games.sockets.shared_frames import Display, RenderedMatch

NOTHING_SHOWN = (0, -1)


class TableSocket(PlayerSocket):
    """A table as its viewer sees it. Each update brings what changed since the last one that this socket sent."""

    display: Display
    shown_stage_and_revision = NOTHING_SHOWN  # stage and revision of the last frame
    frame: Frame | None = None  # what the browser shows, None if unknown
    follows_spectator_chat = False  # spectators do, and players once their match is over
    shown_spectator_lines: tuple[ChatLine, ...] | None = None
    shown_spectators: People | None = None
    spectators_task: asyncio.Task[None] | None = None

    async def on_open(self) -> None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        cookies = self.scope["cookies"]
        self.display = Display(self.language, inbound.read_shape(cookies), inbound.wants_hints(cookies))
        if not await self.admit():
            return
        self.match_id, self.variant = self.match.pk, self.match.variant
        # Join first, then read, then send, so that nothing is lost in between.
        await self.join_groups()
        await self.show_revision(await self.renew_lease())
        self.join_presence(groups.match_group(self.slug))

    async def admit(self) -> bool:
        """Return whether this person may see the table; close for good if not. This also reads the person's blocks."""
        try:
            self.admission_inputs, (self.match, muted) = await in_database(
                heartbeats.admit_page, self.user, self.slug, self.scope["cookies"]
            )
            self.display = self.display._replace(muted=muted)
        except Http404:
            await self.close_with_reason(Refused("no_table"), CloseCode.NO_TABLE)
        return not self.ended

    async def user_recheck(self, message: dict[str, Any]) -> None:
        """Update the chats after a change of blocks by or of this person, or of the tables that they mute."""
        if self.match_id and not self.ended and await self.admit():
            update = self.pending_update(await self.snapshot_for_viewer())
            if self.follows_spectator_chat:
                update += await self.spectator_chat_update()
            await self.send_update(update)

    async def join_groups(self) -> None:
        """Join the broadcasts of the match too, as a player or a spectator."""
        self.seated = (await match_reads.snapshot_at_least(self.match_id, 0)).table.seat_of(self.user_id) is not None
        await super().join_groups()
        await match_broadcasts.subscribe(self)

    def on_close(self) -> None:
        super().on_close()
        match_broadcasts.unsubscribe(self)

    async def layer_back(self, message: dict[str, Any]) -> None:
        if self.match_id:
            shown_before = self.shown_stage_and_revision
            await self.show_revision((await match_reads.newest_snapshot(self.match_id)).table.revision)
            if self.shown_stage_and_revision != shown_before:
                RESYNCS.labels("layer").inc()

    def all_groups(self) -> list[str]:
        return [*super().all_groups(), *self.extra_groups()]

    def extra_groups(self) -> list[str]:
        return [groups.spectator_chat_group(self.slug)] if self.follows_spectator_chat else []

    def can_receive_now(self, snapshot: Snapshot) -> bool:
        """Return True if an update can be sent without blocking."""
        if not self.connection.is_open or (self.handling_lock.locked() and not self.has_move_in_queue):
            return False
        if snapshot.table.is_played_by(self.user_id):
            return True
        return self.follows_spectator_chat and self.seated == (snapshot.table.seat_of(self.user_id) is not None)

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(),
            "choose": self.choose_tile,
            "hint": self.set_hints,
            "felt": self.change_shape,
            "seen": self.on_heartbeat,
        }

    async def match_changed(self, message: dict[str, Any]) -> None:
        if self.shows_delayed or message["revision"] > self.shown_stage_and_revision[1]:
            await self.show_revision(message["revision"])

    async def spectator_chat_changed(self, message: dict[str, Any]) -> None:
        if update := await self.spectator_chat_update(message["mark"]):
            await self.send_update(update)

    @property
    def shows_delayed(self) -> bool:
        return self.shown_stage_and_revision[0] == DELAYED

    async def snapshot_for_viewer(self) -> Snapshot:
        """Return the snapshot that the browser shows, or a newer one."""
        return await match_reads.snapshot_for_viewer(
            self.match_id, 0 if self.shows_delayed else self.shown_stage_and_revision[1], self.user_id
        )

    async def show_revision(self, revision: int) -> None:
        snapshot = await match_reads.snapshot_for_viewer(self.match_id, revision, self.user_id)
        if self.ended or snapshot.stage_and_revision <= self.shown_stage_and_revision:
            return
        chat_update = ""
        if not self.follows_spectator_chat and not snapshot.table.is_played_by(self.user_id):
            self.follows_spectator_chat = True
            await self.join_groups()
            chat_update = await self.spectator_chat_update()
        is_first_frame = self.frame is None
        await self.send_update(self.pending_update(snapshot) + chat_update)
        # Many places could make the frame too large, so they follow in a frame of their own.
        if is_first_frame and self.chosen_tile.tile:
            await self.choose_tile({"tile": self.chosen_tile.tile})

    def next_frame(self, rendered: RenderedMatch) -> Frame:
        """Return the frame that the browser should show."""
        snapshot = rendered.snapshot
        if snapshot.table.version != self.chosen_tile.version:
            self.chosen_tile = NO_TILE_CHOSEN
        chosen = self.chosen_tile.tile if self.frame else ""
        seat, shows_chances = snapshot.table.seat_of(self.user_id), match_broadcasts.may_see_chances(self, snapshot)
        return rendered.frame(seat, self.display, chosen, shows_chances=shows_chances)

    def mark_shown(self, snapshot: Snapshot, frame: Frame) -> None:
        """Store which frame the browser shows from now on, and whether the person has a seat."""
        self.shown_stage_and_revision, self.frame = snapshot.stage_and_revision, frame
        self.page_digests = frozenset()
        if self.seated != (snapshot.table.seat_of(self.user_id) is not None):
            self.seated = not self.seated
            match_broadcasts.classify(self)

    def pending_update(self, snapshot: Snapshot) -> str:
        """Return the HTML that brings the browser up to date, and mark it as shown."""
        frame = self.next_frame(shared_frames.rendered_match(snapshot))
        digests = self.page_digests
        update = frame.update_from_page(digests) if digests else frame.update_from(self.frame)
        banner = self.banner_update() if self.frame is None else ""
        self.mark_shown(snapshot, frame)
        return update + banner

    def has_missed(self, revision: int) -> bool:
        return self.shown_stage_and_revision[1] < revision

    def invalidate_frame(self) -> None:
        self.shown_stage_and_revision, self.frame = NOTHING_SHOWN, None

    async def spectator_chat_update(self, token: str = "") -> str:
        """Return the spectator chat if this person may read it and the browser shows other lines, "" otherwise."""
        chat = await match_reads.read_shared_spectator_chat(self.match_id, token)
        lines = visible_lines(chat.lines, self.display.muted)
        if self.ended or lines == self.shown_spectator_lines or not chat.is_open_to(self.user_id):
            return ""
        self.shown_spectator_lines = lines
        return shared_frames.render_spectator_chat(chat, lines, self.language)

    async def revision_after_heartbeat(self, data: Mapping[str, Any]) -> int:
        """Handle a heartbeat and return the revision of the table. Visitors share a read for some seconds."""
        if self.user_id is None:  # nobody can block a visitor, so a thousand visitors cause no queries
            return (await match_reads.recent_snapshot(self.match_id)).table.revision
        self.report_visibility(data)
        result = await self.handle_heartbeat()
        if result.admission is not None:
            self.match, muted = result.admission
            self.display = self.display._replace(muted=muted)
        return result.revision

    async def choose_tile(self, data: Mapping[str, Any]) -> None:
        """Show the places of one of the player's tiles, until another is chosen or a move is made."""
        tile, snapshot = inbound.read_tile(data), await self.snapshot_for_viewer()
        self.chosen_tile = ChosenTile(tile, snapshot.table.version)
        seat = snapshot.table.seat_of(self.user_id)
        own = shared_frames.rendered_match(snapshot).frame(seat, self.display, tile).own
        if self.frame is not None:
            self.frame = self.frame._replace(own=own)
        await self.send_update(own.full_update)  # all of it, because the page may have hidden what it showed before

    async def set_hints(self, data: Mapping[str, Any]) -> None:
        """Turn the hints, which show where numbers can still go, on or off."""
        self.display = self.display._replace(hints=inbound.wants_hints(data))
        await self.send_update(self.pending_update(await self.snapshot_for_viewer()))

    async def change_shape(self, data: Mapping[str, Any]) -> None:
        """Arrange the table for another shape of felt, for example after a phone was turned."""
        self.display = self.display._replace(shape=inbound.read_shape(data))
        self.invalidate_frame()
        await self.show_revision((await self.snapshot_for_viewer()).table.revision)

    async def on_heartbeat(self, data: Mapping[str, Any]) -> None:
        """Handle a heartbeat: renew memberships and the lease, send missed updates, and always answer."""
        await self.join_groups()
        revision = await self.revision_after_heartbeat(data)
        if self.ended:
            return
        if inbound.read_revision(data) not in (None, self.shown_stage_and_revision[1]):
            self.invalidate_frame()  # a frame was lost, or is still in transit
        shown_before = self.shown_stage_and_revision
        await self.show_revision(revision)
        chat_update = ""
        if self.follows_spectator_chat:
            chat_update = await self.spectator_chat_update(match_reads.heartbeat_token())
        if self.shown_stage_and_revision != shown_before:
            RESYNCS.labels("heartbeat").inc()
        if not self.ended and (chat_update or self.shown_stage_and_revision == shown_before):
            await self.send_update(chat_update)
