"""The spectators at the sockets of this process, and what each socket shows of the spectators.

Nothing is written or sent when a socket joins or leaves. Every two seconds the process exchanges its counts with the
others and sends a small frame to the sockets that show something else. A thousand spectators who arrive at once are
one change.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import structlog
from django.utils import timezone

from accounts.selectors import hiding_spectators
from games.broadcast.database_threads import in_database
from games.broadcast.memory_layer import AT_ONCE, yield_to_moves
from games.presence import spectators
from games.presence.people import NOBODY, Attendee, People, counted
from games.rendering.spectators import spectators_frame
from infrastructure.outages import is_outage
from infrastructure.runtime import PerProcess, Runtime

log = structlog.get_logger()
POLL_SECONDS = 2.0


class CountedSocket(Protocol):
    """A socket of a table. Without a seat it is a spectator's."""

    match_id: int
    attendee: Attendee
    language: str
    seated: bool
    renewed_at: datetime | None
    """When it last renewed the lease of the seat."""

    @property
    def user_id(self) -> int | None: ...

    async def send(self, text_data: str) -> None: ...


@dataclass(eq=False, slots=True)
class Connection:
    """A socket, what it shows of the spectators, and the frame that is on its way."""

    socket: CountedSocket
    shown: People | None = None
    sending: asyncio.Task[None] | None = None

    @property
    def waits(self) -> bool:
        """Return whether the previous frame is still being sent: then the newest is sent later."""
        return self.sending is not None and not self.sending.done()

    async def send(self, text: str) -> None:
        try:
            await self.socket.send(text_data=text)
        except Exception as error:  # it has just been closed
            log.info("spectators_not_shown", error=repr(error))


class Presence:
    """The presence of one process, which ``process`` names among all."""

    def __init__(self, process: str = "") -> None:
        self.process = process or Runtime.current.process
        self.connections: dict[int, dict[CountedSocket, Connection]] = {}
        self.spectators: dict[int, People] = {}
        self.work: asyncio.Task[None] | None = None

    def join(self, socket: CountedSocket) -> None:
        """Count a socket, and show it the spectators, from now on."""
        self.connections.setdefault(socket.match_id, {})[socket] = Connection(socket)
        if self.work is None or self.work.done():
            self.work = asyncio.create_task(self.run())

    def leave(self, socket: CountedSocket) -> None:
        """Stop counting a socket."""
        connections = self.connections.get(socket.match_id, {})
        connections.pop(socket, None)
        if not connections:
            self.connections.pop(socket.match_id, None)

    def others_of(self, socket: CountedSocket) -> list[CountedSocket]:
        """Return the other sockets through which this person is at the match."""
        sockets = self.connections.get(socket.match_id, {})
        return [other for other in sockets if other.user_id == socket.user_id and other is not socket]

    async def run(self) -> None:
        """Work as long as there are sockets, and once more to report that there are none."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.poll()
            except Exception as error:
                if not is_outage(error):
                    log.exception("spectators_not_counted")
            else:
                if not self.connections:
                    return

    async def poll(self) -> None:
        """Count, exchange the counts, and show what changed."""
        here = {
            match_id: counted(socket.attendee for socket in sockets if not socket.seated)
            for match_id, sockets in self.connections.items()
        }
        found = await in_database(spectators.exchange, process=self.process, here=here, now=timezone.now())
        before, self.spectators = self.spectators, {pk: found.get(pk, NOBODY) for pk in self.connections}
        # Equal people stay the same object, so that comparing a thousand connections costs nothing.
        self.spectators.update({pk: known for pk, known in before.items() if self.spectators.get(pk) == known})
        await self.show()

    async def show(self) -> None:
        """Send the spectators to all sockets that show others."""
        late = {
            match_id: [
                each for each in connections.values() if each.shown is not self.spectators[match_id] and not each.waits
            ]
            for match_id, connections in self.connections.items()
            if match_id in self.spectators
        }
        attendees = [each.socket.attendee for connections in late.values() for each in connections]
        user_ids = {one.user_id for one in attendees if one.user_id is not None}
        hiding = await in_database(hiding_spectators, user_ids) if user_ids else frozenset()
        for match_id, connections in late.items():
            await self.show_to(connections, self.spectators[match_id], hiding)

    async def show_to(self, connections: list[Connection], people: People, hiding: frozenset[int]) -> None:
        frames: dict[tuple[str, bool], str] = {}
        for number, connection in enumerate(connections, 1):
            wanted = connection.socket.language, connection.socket.attendee.user_id not in hiding
            if wanted not in frames:
                frames[wanted] = spectators_frame(people, wanted[0], named=wanted[1])
            connection.shown = people
            connection.sending = asyncio.create_task(connection.send(frames[wanted]))
            if number % AT_ONCE == 0:
                await yield_to_moves()


presence = PerProcess(Presence)
