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
from games.rendering.changes import Frame
from games.services import heartbeats, inbound
from games.sockets import match_broadcasts, match_reads, shared_frames
from games.sockets.base import Handler
from games.sockets.consumer import CloseCode
from games.sockets.player import NO_TILE_CHOSEN, RESYNCS, ChosenTile, PlayerSocket
from games.sockets.shared_frames import Display, Rendered

NOTHING_SHOWN = (0, -1)


class TableSocket(PlayerSocket):
    """A table as its viewer sees it. Each update brings what changed since the last one that this socket sent."""

    slug = ""
    display: Display
    shown_number = NOTHING_SHOWN  # stage and revision of the last frame
    frame: Frame | None = None  # what the browser shows, None if unknown
    follows_spectators = False  # gets the spectator chat: players do once their match is over
    spectator_lines: tuple[ChatLine, ...] | None = None  # those that the browser shows
    spectators: People | None = None  # those that the browser shows
    spectators_frame: asyncio.Task[None] | None = None

    async def opened(self) -> None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        cookies = self.scope["cookies"]
        self.display = Display(self.language, inbound.shape_of(cookies), inbound.wants_hints(cookies))
        if not await self.admitted():
            return
        self.match_id, self.variant = self.match.pk, self.match.variant
        # Join first, then read, then send, so that nothing is lost in between.
        await self.join()
        await self.show(await self.renew())
        self.attend(groups.match_group(self.slug))

    async def admitted(self) -> bool:
        """Return whether this person may see the table, and close for good if not. Also reads the person's blocks."""
        try:
            self.admission_inputs, (self.match, muted) = await in_database(
                heartbeats.admit_page, self.user, self.slug, self.scope["cookies"]
            )
            self.display = self.display._replace(muted=muted)
        except Http404:
            await self.end(Refused("no_table"), CloseCode.NO_TABLE)
        return not self.ended

    async def user_recheck(self, message: dict[str, Any]) -> None:
        """Update the chats after a change of blocks by or of this person, or of the tables that they mute."""
        if self.match_id and not self.ended and await self.admitted():
            update = self.pending_update(await self.current_snapshot())
            if self.follows_spectators:
                update += await self.spectator_chat_update()
            await self.send_update(update)

    async def join(self) -> None:
        """Join the broadcasts of the match too, as a player or a spectator."""
        self.seated = (await match_reads.at_least(self.match_id, 0)).table.seat_of(self.user_id) is not None
        await super().join()
        await match_broadcasts.subscribe(self)

    def closed(self) -> None:
        super().closed()
        match_broadcasts.leave(self)

    async def layer_back(self, message: dict[str, Any]) -> None:
        if self.match_id:
            RESYNCS.labels("layer").inc()
            await self.show((await match_reads.newest(self.match_id)).table.revision)

    def all_groups(self) -> list[str]:
        return [*super().all_groups(), *self.own_groups()]

    def own_groups(self) -> list[str]:
        return [groups.spectator_chat_group(self.slug)] if self.follows_spectators else []

    def can_receive_now(self, snapshot: Snapshot) -> bool:
        """Return True if an update can be sent without blocking."""
        if not self.line.is_open or (self.handling.locked() and not self.awaits_move):
            return False
        if snapshot.table.is_played_by(self.user_id):
            return True
        return self.follows_spectators and self.seated == (snapshot.table.seat_of(self.user_id) is not None)

    def handlers(self) -> Mapping[str, Handler]:
        views = (self.choose, self.hint, self.felt, self.seen)
        return {**super().handlers(), **{handler.__name__: handler for handler in views}}

    async def match_changed(self, message: dict[str, Any]) -> None:
        if self.shows_delayed or message["revision"] > self.shown_number[1]:
            await self.show(message["revision"])

    async def spectator_chat_changed(self, message: dict[str, Any]) -> None:
        if update := await self.spectator_chat_update(message["mark"]):
            await self.send_update(update)

    @property
    def shows_delayed(self) -> bool:
        return self.shown_number[0] == DELAYED

    async def current_snapshot(self) -> Snapshot:
        """Return the snapshot that the browser shows, or a newer one."""
        return await match_reads.for_viewer(
            self.match_id, 0 if self.shows_delayed else self.shown_number[1], self.user_id
        )

    async def show(self, revision: int) -> None:
        snapshot = await match_reads.for_viewer(self.match_id, revision, self.user_id)
        if self.ended or snapshot.number <= self.shown_number:
            return
        chat_update = ""
        if not self.follows_spectators and not snapshot.table.is_played_by(self.user_id):
            self.follows_spectators = True
            await self.join()
            chat_update = await self.spectator_chat_update()
        whole = self.frame is None
        await self.send_update(self.pending_update(snapshot) + chat_update)
        if whole and self.choice.tile:  # many places may make the frame too large, so they follow in one of their own
            await self.choose({"tile": self.choice.tile})

    def next_frame(self, rendered: Rendered) -> Frame:
        """Return what the browser should show."""
        snapshot = rendered.snapshot
        if snapshot.table.version != self.choice.version:
            self.choice = NO_TILE_CHOSEN
        chosen = self.choice.tile if self.frame else ""
        return rendered.frame(snapshot.table.seat_of(self.user_id), self.display, chosen)

    def mark_shown(self, snapshot: Snapshot, frame: Frame) -> None:
        """Note what the browser shows from now on, and whether the person has a seat."""
        self.shown_number, self.frame = snapshot.number, frame
        if self.seated != (snapshot.table.seat_of(self.user_id) is not None):
            self.seated = not self.seated
            match_broadcasts.classify(self)

    def pending_update(self, snapshot: Snapshot) -> str:
        """Return the HTML that brings the browser up to date, and mark it as shown."""
        frame = self.next_frame(shared_frames.rendered(snapshot))
        update = frame.since(self.frame)
        self.mark_shown(snapshot, frame)
        return update

    def forget(self) -> None:
        self.shown_number, self.frame = NOTHING_SHOWN, None

    async def spectator_chat_update(self, token: str = "") -> str:
        """Return the spectator chat if this person may read it and the browser shows other lines, "" otherwise."""
        chat = await match_reads.spectator_chat(self.match_id, token)
        lines = visible_lines(chat.lines, self.display.muted)
        if self.ended or lines == self.spectator_lines or not chat.is_open_to(self.user_id):
            return ""
        self.spectator_lines = lines
        return shared_frames.spectator_chat(chat, lines, self.language)

    async def current_revision(self, data: Mapping[str, Any]) -> int:
        """Take a heartbeat and return the revision of the table; visitors share a read for seconds."""
        if self.user_id is None:  # nobody can block a visitor, so a thousand visitors cause no queries
            return (await match_reads.recent(self.match_id)).table.revision
        self.report(data)
        result = await self.beat()
        if result.admission is not None:
            self.match, muted = result.admission
            self.display = self.display._replace(muted=muted)
        return result.revision

    async def choose(self, data: Mapping[str, Any]) -> None:
        """Show the places of one of the player's tiles, until another is chosen or a move is made."""
        tile, snapshot = inbound.tile_of(data), await self.current_snapshot()
        self.choice = ChosenTile(tile, snapshot.table.version)
        seat = snapshot.table.seat_of(self.user_id)
        own = shared_frames.rendered(snapshot).frame(seat, self.display, tile).own
        if self.frame is not None:
            self.frame = self.frame._replace(own=own)
        await self.send_update(own.whole)  # all of it, because the page may have hidden what it showed before

    async def hint(self, data: Mapping[str, Any]) -> None:
        """Turn the hints on or off: which numbers may still come where."""
        self.display = self.display._replace(hints=inbound.wants_hints(data))
        await self.send_update(self.pending_update(await self.current_snapshot()))

    async def felt(self, data: Mapping[str, Any]) -> None:
        """Arrange the table for another shape of felt: a window was resized, or a phone turned."""
        self.display = self.display._replace(shape=inbound.shape_of(data))
        self.forget()
        await self.show((await self.current_snapshot()).table.revision)

    async def seen(self, data: Mapping[str, Any]) -> None:
        """Take a heartbeat: renew memberships and the lease, send what was missed, and always answer."""
        await self.join()
        revision = await self.current_revision(data)
        if self.ended:
            return
        if inbound.revision_of(data) not in (None, self.shown_number[1]):
            self.forget()  # a frame was lost, or is on its way
        before = self.shown_number
        await self.show(revision)
        chat_update = ""
        if self.follows_spectators:
            chat_update = await self.spectator_chat_update(match_reads.heartbeat_token())
        if self.shown_number != before:
            RESYNCS.labels("heartbeat").inc()
        if not self.ended and (chat_update or self.shown_number == before):
            await self.send_update(chat_update)
