"""The sockets at a match in this process, told together: the players at once, one after the other, then the
spectators, of whom what a thousand see alike is written a thousand times, and everything else is done once.

A spectator whose view is its own, and any socket that is busy or whose browser is slow, is told by itself, in a task
that may wait for it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import NamedTuple, Protocol, Self

from games.broadcast.memory_layer import yield_to_moves
from games.geometry.spots import Shape
from games.match import snapshots
from games.match.snapshots import Snapshot
from games.match.table import ChatLine
from games.rendering.changes import Frame
from games.rendering.clock import with_time
from games.sockets import feed, match_reads
from games.sockets.listeners import ByMatch, Listeners
from infrastructure.asgi import Message
from infrastructure.runtime import PerProcess
from infrastructure.server.connection import Connection, PreparedMessage, prepare

AT_ONCE = 32
"""Spectators that are written to in one go: about 2 ms of work."""


class ShownLines(Protocol):
    """What of the chat at the table a browser shows."""

    table: tuple[ChatLine, ...]


class TableSocket(Protocol):
    """A socket of a table, of a player or a spectator."""

    match_id: int
    slug: str
    language: str
    shape: Shape
    hints: bool
    ended: bool
    seated: bool
    shown: tuple[int, int]
    frame: Frame | None
    line: Connection

    @property
    def reading(self) -> ShownLines: ...

    def can_be_told(self, found: Snapshot) -> bool:
        """Return whether this socket can be told now, without waiting for anything."""

    def is_alike(self, found: Snapshot) -> bool:
        """Return whether it sees what every spectator with its settings sees."""

    def news(self, found: Snapshot) -> str:
        """Return what its browser lacks, which it shows from then on."""

    def forget(self) -> None:
        """Show everything anew next time."""

    async def dispatch(self, message: Message) -> None: ...


class Kind(NamedTuple):
    """What tells the frames of one revision apart that spectators get."""

    language: str
    shape: Shape
    hints: bool
    chat: bool
    """Whether the lines at the table are new to the browser."""
    before: Frame | None
    """What the browser shows."""

    @classmethod
    def of(cls, socket: TableSocket, found: Snapshot) -> Self:
        shown, lines = socket.reading.table, found.table.messages
        return cls(socket.language, socket.shape, socket.hints, shown is not lines and shown != lines, socket.frame)

    def told(self, found: Snapshot) -> Told:
        frame = feed.frame(found, None, self.language, shape=self.shape)
        text: str = frame.since(self.before)
        if self.hints:
            text += feed.hints(found, self.language, asked=True)
        text += feed.chat(found, found.table.messages, self.language) if self.chat else ""
        return Told(frame, prepare(with_time(text)))


class Told(NamedTuple):
    """What sockets of one kind are told: the frame that their browsers show then, and the message with what is new."""

    frame: Frame
    message: PreparedMessage


class Audience(Listeners[TableSocket]):
    """The sockets at one match."""

    def __init__(self, match_id: int, slug: str) -> None:
        super().__init__(match_id, slug)
        self.players: dict[TableSocket, None] = {}
        """Those of the sockets that are told first: to find them among a thousand would take time from the move."""
        self.revision = 0
        """The table is at least at this revision."""
        self.heard_more = False
        """Whether there is something newer than what is being shown."""
        self.showing: asyncio.Task[None] | None = None
        self.alone: dict[TableSocket, asyncio.Task[None]] = {}
        """The sockets that are being told by themselves."""
        self.late: set[TableSocket] = set()
        """Those of them for which there is something newer meanwhile."""

    async def enter(self, socket: TableSocket) -> None:
        self.sort(socket)
        await super().enter(socket)

    def sort(self, socket: TableSocket) -> None:
        """Count a socket among the players, or no longer."""
        if socket.seated:
            self.players[socket] = None
        else:
            self.players.pop(socket, None)

    def leave(self, socket: TableSocket) -> None:
        super().leave(socket)
        self.players.pop(socket, None)
        self.late.discard(socket)

    def close(self) -> None:
        super().close()
        if self.showing is not None:
            self.showing.cancel()

    def hear(self, revision: int) -> None:
        self.revision = max(self.revision, revision)
        found = snapshots.known(self.match_id, self.revision)
        if found is not None:
            self.tell_players(found)
        if self.showing is not None:
            self.heard_more = True
        elif found is None or len(self.players) < len(self.sockets):
            self.showing = asyncio.create_task(self.show_all())

    async def show_all(self) -> None:
        """Show everybody the newest view that they may have, and again if there is something newer meanwhile."""
        try:
            await self.show()
            while self.heard_more:
                await self.show()
        except Exception:  # an outage, or the match is gone: each socket finds out for itself, and says so
            for socket in list(self.sockets):
                self.tell_alone(socket)
        finally:
            self.showing = None

    async def show(self) -> None:
        revision, self.heard_more = self.revision, False
        self.tell_players(await match_reads.at_least(self.match_id, revision))
        spectators = [socket for socket in self.sockets if not socket.seated]
        if not spectators:
            return
        found = await match_reads.for_viewer(self.match_id, revision, None)
        # Kept here: the feed forgets a revision when another is rendered, which may be before all are told this one.
        told: dict[Kind, Told] = {}
        if len(spectators) > AT_ONCE:
            await yield_to_moves()
        for number, socket in enumerate(spectators, 1):
            if socket.ended or found.number <= socket.shown:
                continue
            if socket.can_be_told(found) and socket.is_alike(found):
                self.tell(socket, found, told)
            else:
                self.tell_alone(socket)
            if number % AT_ONCE == 0:
                await yield_to_moves()

    def tell_players(self, found: Snapshot) -> None:
        for socket in list(self.players):
            if socket.ended or found.number <= socket.shown:
                continue
            try:
                if socket.can_be_told(found):
                    socket.line.write(prepare(with_time(socket.news(found))))
                    continue
            except Exception:  # it fails again where that is logged and closes this socket, and no other
                socket.forget()
            self.tell_alone(socket)

    def tell(self, socket: TableSocket, found: Snapshot, told: dict[Kind, Told]) -> None:
        """Write what sockets of its kind are told."""
        kind = Kind.of(socket, found)
        if kind not in told:
            told[kind] = kind.told(found)
        socket.reading.table, socket.shown, socket.frame = found.table.messages, found.number, told[kind].frame
        socket.line.write(told[kind].message)

    def tell_alone(self, socket: TableSocket) -> None:
        """Have a socket show the newest by itself, and once more if something newer comes while it does."""
        if socket in self.alone:
            self.late.add(socket)
            return
        newest = {"type": "match.changed", "revision": self.revision}
        self.alone[socket] = asyncio.create_task(socket.dispatch(newest))
        self.alone[socket].add_done_callback(partial(self.told_alone, socket))

    def told_alone(self, socket: TableSocket, _task: asyncio.Task[None]) -> None:
        del self.alone[socket]
        if socket in self.late:
            self.late.discard(socket)
            self.tell_alone(socket)


_audiences: PerProcess[ByMatch[Audience, TableSocket]] = PerProcess(partial(ByMatch, Audience))


async def enter(socket: TableSocket) -> None:
    """Have a socket told what happens at its match, until it leaves."""
    await _audiences().enter(socket.match_id, socket.slug, socket)


def sort(socket: TableSocket) -> None:
    """Have it told as a player or as a spectator from now on."""
    gathered = _audiences().gathered.get(socket.match_id)
    if gathered is not None and socket in gathered.sockets:
        gathered.sort(socket)


def leave(socket: TableSocket) -> None:
    """Have it told no more."""
    _audiences().leave(socket.match_id, socket)
