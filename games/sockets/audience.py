"""The spectators of a match in this process, told together: what a thousand see alike is written a thousand times, and
everything else is done once.

A socket whose view is its own, or whose browser is slow, is told by itself, in a task that may wait for it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, NamedTuple, Protocol, Self

from games.broadcast.memory_layer import yield_to_moves
from games.geometry.spots import Shape
from games.match.snapshots import Snapshot
from games.match.table import ChatLine
from games.rendering.changes import Frame
from games.sockets import feed, match_reads
from games.sockets.listeners import ByMatch, Listeners
from infrastructure.asgi import Message
from infrastructure.prepared_messages import PreparedLine, PreparedMessage, prepare
from infrastructure.runtime import PerProcess

AT_ONCE = 32
"""Sockets that are written to in one go: about 2 ms of work."""
NEWEST: dict[str, Any] = {"type": "match.due"}
"""The message after which a socket shows the newest that its viewer may see."""


class ShownLines(Protocol):
    """What of the chat at the table a browser shows."""

    table: tuple[ChatLine, ...]


class SpectatorSocket(Protocol):
    """A socket of a table. Without a seat it belongs to an audience."""

    match_id: int
    slug: str
    language: str
    shape: Shape
    hints: bool
    ended: bool
    shown: tuple[int, int]
    frame: Frame | None
    line: PreparedLine

    @property
    def reading(self) -> ShownLines: ...

    def can_be_told(self, found: Snapshot) -> bool:
        """Return whether this socket can be told now, and sees what every spectator with its settings sees."""

    async def handle(self, message: Message) -> None: ...


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
    def of(cls, socket: SpectatorSocket, found: Snapshot) -> Self:
        shown, lines = socket.reading.table, found.table.messages
        return cls(socket.language, socket.shape, socket.hints, shown is not lines and shown != lines, socket.frame)

    def told(self, found: Snapshot) -> Told:
        frame = feed.frame(found, None, self.language, shape=self.shape)
        text: str = frame.since(self.before)
        if self.hints:
            text += feed.hints(found, self.language, asked=True)
        text += feed.chat(found, found.table.messages, self.language) if self.chat else ""
        return Told(frame, prepare(text or feed.NOTHING_NEW))


class Told(NamedTuple):
    """What sockets of one kind are told: the frame that their browsers show then, and the message with what is new."""

    frame: Frame
    message: PreparedMessage


class Audience(Listeners[SpectatorSocket]):
    """The sockets at one match that have no seat."""

    def __init__(self, match_id: int, slug: str) -> None:
        super().__init__(match_id, slug)
        self.alone: dict[SpectatorSocket, asyncio.Task[None]] = {}
        """The sockets that are being told by themselves."""
        self.late: set[SpectatorSocket] = set()
        """Those of them for which there is something newer meanwhile."""

    def leave(self, socket: SpectatorSocket) -> None:
        super().leave(socket)
        self.late.discard(socket)

    async def hear(self, revision: int) -> None:
        try:
            await self.show(revision)
        except Exception:  # an outage, or the match is gone: each socket finds out for itself, and says so
            for socket in list(self.sockets):
                self.tell_alone(socket)

    async def show(self, revision: int) -> None:
        """Show everybody the newest view that spectators may have; the table is at least at this revision."""
        found = await match_reads.for_viewer(self.match_id, revision, None)
        # Kept here: the feed forgets a revision when another is rendered, which may be before all are told this one.
        told: dict[Kind, Told] = {}
        if len(self.sockets) > AT_ONCE:
            await yield_to_moves()
        for number, socket in enumerate(list(self.sockets), 1):
            if socket.ended or found.number <= socket.shown:
                continue
            if socket.can_be_told(found):
                self.tell(socket, found, told)
            else:
                self.tell_alone(socket)
            if number % AT_ONCE == 0:
                await yield_to_moves()

    def tell(self, socket: SpectatorSocket, found: Snapshot, told: dict[Kind, Told]) -> None:
        """Write what sockets of its kind are told."""
        kind = Kind.of(socket, found)
        if kind not in told:
            told[kind] = kind.told(found)
        socket.reading.table, socket.shown, socket.frame = found.table.messages, found.number, told[kind].frame
        socket.line.write(told[kind].message)

    def tell_alone(self, socket: SpectatorSocket) -> None:
        """Have a socket show the newest by itself, and once more if something newer comes while it does."""
        if socket in self.alone:
            self.late.add(socket)
            return
        self.alone[socket] = asyncio.create_task(socket.handle(NEWEST))
        self.alone[socket].add_done_callback(partial(self.told_alone, socket))

    def told_alone(self, socket: SpectatorSocket, _task: asyncio.Task[None]) -> None:
        del self.alone[socket]
        if socket in self.late:
            self.late.discard(socket)
            self.tell_alone(socket)


_audiences: PerProcess[ByMatch[Audience, SpectatorSocket]] = PerProcess(partial(ByMatch, Audience))


async def enter(socket: SpectatorSocket) -> None:
    """Have a socket without a seat told what happens at its match, until it leaves."""
    await _audiences().enter(socket.match_id, socket.slug, socket)


def leave(socket: SpectatorSocket) -> None:
    """Have it told no more."""
    _audiences().leave(socket.match_id, socket)
