"""Broadcasts match updates to the sockets connected to this process.

Players are updated first. Spectators who need the same update share one pre-encoded message, so a thousand of them
cost one rendering. A socket that cannot be written to immediately updates itself in a task of its own.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol

from games.broadcast.memory_layer import yield_to_moves
from games.match import snapshots
from games.match.snapshots import Snapshot
from games.rendering.clock import with_server_time
from games.rendering.zones import Frame
from games.sockets import match_reads, shared_frames
from games.sockets.chance_estimator import chance_estimator
from games.sockets.listeners import Listeners, ListenersByMatch
from games.sockets.shared_frames import RenderedMatch
from games.spectators import chances
from infrastructure.asgi import Message
from infrastructure.runtime import PerProcess
from infrastructure.server.connection import Connection, PreparedMessage, encode_message

SPECTATOR_BATCH = 32  # spectators written per turn of the event loop, about 2 ms of work


class Viewer(Protocol):
    """The person at a socket, and their network address."""

    user_id: int | None
    address: str


class TableSocket(Viewer, Protocol):
    """A socket of a table, of a player or a spectator."""

    match_id: int
    slug: str
    ended: bool
    seated: bool
    shown_stage_and_revision: tuple[int, int]
    frame: Frame | None
    connection: Connection

    def can_receive_now(self, snapshot: Snapshot) -> bool:
        """Return True if an update can be sent without blocking."""

    def next_frame(self, rendered: RenderedMatch) -> Frame:
        """Return the frame that its browser should show."""

    def mark_shown(self, snapshot: Snapshot, frame: Frame) -> None:
        """Store which frame its browser shows from now on."""

    def invalidate_frame(self) -> None:
        """Send everything with the next update."""

    async def dispatch(self, message: Message) -> None: ...


# The messages of one broadcast, by the new frame and the one that the browser shows.
PreparedMessages = dict[tuple[Frame, Frame | None], PreparedMessage]


class MatchBroadcaster(Listeners[TableSocket]):
    """Keeps the sockets of one match up to date."""

    def __init__(self, match_id: int, slug: str) -> None:
        super().__init__(match_id, slug)
        # Stored separately: finding the players among a thousand sockets would delay the move.
        self.players: dict[TableSocket, None] = {}
        self.player_addresses: set[str] = set()  # of all players that this process has seen at the table
        self.revision = 0  # the table has at least this revision
        self.is_stale = False  # a newer revision was announced during the broadcast
        self.has_new_chances = False  # to win, which spectators have not received
        self.broadcast_task: asyncio.Task[None] | None = None
        self.socket_tasks: dict[TableSocket, asyncio.Task[None]] = {}  # sockets that are updating themselves
        self.stale_sockets: set[TableSocket] = set()  # those of them that have to update themselves again

    async def subscribe(self, socket: TableSocket) -> None:
        self.classify(socket)
        await super().subscribe(socket)

    def classify(self, socket: TableSocket) -> None:
        """Count a socket as a player's or a spectator's."""
        if socket.seated:
            self.players[socket] = None
            self.player_addresses.add(socket.address)
        else:
            self.players.pop(socket, None)

    def unsubscribe(self, socket: TableSocket) -> None:
        super().unsubscribe(socket)
        self.players.pop(socket, None)
        self.stale_sockets.discard(socket)

    def close(self) -> None:
        super().close()
        if self.broadcast_task is not None:
            self.broadcast_task.cancel()

    def on_announcement(self, revision: int) -> None:
        self.revision = max(self.revision, revision)
        snapshot = snapshots.cached_snapshot(self.match_id, self.revision)
        if snapshot is not None:
            self.update_players(snapshot)
        if self.broadcast_task is not None:
            self.is_stale = True
        elif snapshot is None or len(self.players) < len(self.sockets):
            self.broadcast_task = asyncio.create_task(self.update_all())

    def on_new_chances(self) -> int:
        """Send spectators the new chances to win, and return the number of spectators."""
        shared_frames.forget_chances(self.match_id)
        self.has_new_chances = True
        if self.broadcast_task is not None:
            self.is_stale = True
        else:
            self.broadcast_task = asyncio.create_task(self.update_all())
        return len(self.sockets) - len(self.players)

    async def update_all(self) -> None:
        """Update all sockets, and again if a newer revision is announced meanwhile."""
        try:
            await self.update_once()
            while self.is_stale:
                await self.update_once()
        except Exception:  # an outage, or the match was deleted: each socket finds out and reports it
            for socket in list(self.sockets):
                self.update_in_task(socket)
        finally:
            self.broadcast_task = None

    async def update_once(self) -> None:
        revision, self.is_stale = self.revision, False
        has_new_chances, self.has_new_chances = self.has_new_chances, False
        self.update_players(await match_reads.snapshot_at_least(self.match_id, revision))
        spectators = [socket for socket in self.sockets if not socket.seated]
        if not spectators:
            return
        snapshot = await match_reads.snapshot_for_viewer(self.match_id, revision, None)
        rendered, messages = shared_frames.rendered_match(snapshot), PreparedMessages()
        if len(spectators) > SPECTATOR_BATCH:
            await yield_to_moves()
        for number, socket in enumerate(spectators, 1):
            self.update_spectator(socket, rendered, messages, has_new_chances=has_new_chances)
            if number % SPECTATOR_BATCH == 0:
                await yield_to_moves()
        chance_estimator().request(snapshot, self.on_new_chances)

    def update_spectator(
        self, socket: TableSocket, rendered: RenderedMatch, messages: PreparedMessages, *, has_new_chances: bool
    ) -> None:
        """Send the revision, or new chances to win if the browser shows it already and can be updated at once."""
        snapshot = rendered.snapshot
        shows_revision = snapshot.stage_and_revision <= socket.shown_stage_and_revision
        shows_newer = snapshot.stage_and_revision < socket.shown_stage_and_revision
        if socket.ended or shows_newer or (shows_revision and not has_new_chances):
            return
        if socket.can_receive_now(snapshot) and snapshot.table.seat_of(socket.user_id) is None:
            if not shows_revision or socket.next_frame(rendered) is not socket.frame:
                self.send(socket, rendered, messages)
        elif not shows_revision:
            self.update_in_task(socket)

    def update_players(self, snapshot: Snapshot) -> None:
        rendered, messages = shared_frames.rendered_match(snapshot), PreparedMessages()
        for socket in list(self.players):
            if socket.ended or snapshot.stage_and_revision <= socket.shown_stage_and_revision:
                continue
            try:
                if socket.can_receive_now(snapshot):
                    self.send(socket, rendered, messages)
                    continue
            except Exception:  # it fails again in the task, which logs it and closes this socket alone
                socket.invalidate_frame()
            self.update_in_task(socket)

    def send(self, socket: TableSocket, rendered: RenderedMatch, messages: PreparedMessages) -> None:
        """Write the update of a socket, encoded once for all that need the same one."""
        frame = socket.next_frame(rendered)
        key = frame, socket.frame
        if (message := messages.get(key)) is None:
            message = messages[key] = encode_message(with_server_time(frame.update_from(socket.frame)))
        socket.connection.write(message)
        socket.mark_shown(rendered.snapshot, frame)

    def update_in_task(self, socket: TableSocket) -> None:
        """Update one socket without blocking the others; runs again if a newer revision arrives meanwhile."""
        if socket in self.socket_tasks:
            self.stale_sockets.add(socket)
            return
        announcement = {"type": "match.changed", "revision": self.revision}
        self.socket_tasks[socket] = asyncio.create_task(socket.dispatch(announcement))
        self.socket_tasks[socket].add_done_callback(partial(self.on_task_done, socket))

    def on_task_done(self, socket: TableSocket, _task: asyncio.Task[None]) -> None:
        del self.socket_tasks[socket]
        if socket in self.stale_sockets:
            self.stale_sockets.discard(socket)
            self.update_in_task(socket)


_broadcasters: PerProcess[ListenersByMatch[MatchBroadcaster, TableSocket]] = PerProcess(
    partial(ListenersByMatch, MatchBroadcaster)
)


async def subscribe(socket: TableSocket) -> None:
    """Keep a socket up to date until it unsubscribes."""
    await _broadcasters().subscribe(socket.match_id, socket.slug, socket)


def classify(socket: TableSocket) -> None:
    """Update a socket as a player's or a spectator's from now on."""
    broadcaster = _broadcasters().by_match.get(socket.match_id)
    if broadcaster is not None and socket in broadcaster.sockets:
        broadcaster.classify(socket)


def may_see_chances(viewer: Viewer, snapshot: Snapshot) -> bool:
    """Return whether the chances to win may be sent to a socket: not to players, nor to other people at their address.

    An address counts if a player's page at the table is, or was, open there in this process.
    """
    if snapshot.table.seat_of(viewer.user_id) is not None or not chances.are_offered(snapshot.table.variant):
        return False
    broadcaster = _broadcasters().by_match.get(snapshot.table.match_id)
    return broadcaster is None or viewer.address not in broadcaster.player_addresses


def unsubscribe(socket: TableSocket) -> None:
    """Stop updating a socket."""
    _broadcasters().unsubscribe(socket.match_id, socket)
