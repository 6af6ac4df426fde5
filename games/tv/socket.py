"""Sends the board of the featured match to the sockets of the lobby. They do not count as its spectators."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol

import structlog
from django.core.exceptions import ObjectDoesNotExist

from games.broadcast.memory_layer import yield_to_moves
from games.match.listed import ListedTable
from games.match.snapshots import Snapshot
from games.sockets import match_reads, shared_frames
from games.sockets.chance_estimator import chance_estimator
from games.sockets.listeners import Listeners, ListenersByMatch
from infrastructure.outages import is_outage
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
BOARD_INTERVAL_SECONDS = 1.0  # between two boards; a browser that is busy then waits for the next one
SOCKET_BATCH = 32  # sockets written to before other tasks run


class BoardSocket(Protocol):
    """A socket that shows the board of a match."""

    def can_receive_now(self) -> bool:
        """Return True if an update can be sent without blocking."""

    async def show_board(self, snapshot: Snapshot) -> None: ...


class FeaturedMatch(Listeners[BoardSocket]):
    """The sockets of the lobby that show one match."""

    def __init__(self, match_id: int, slug: str) -> None:
        super().__init__(match_id, slug)
        self.revision = 0
        self.sent_at = 0.0
        self.send_task: asyncio.Task[None] | None = None

    def close(self) -> None:
        super().close()
        if self.send_task is not None:
            self.send_task.cancel()

    def on_announcement(self, revision: int) -> None:
        self.revision = max(self.revision, revision)
        if self.send_task is None:
            self.send_task = asyncio.create_task(self.send_board_soon())

    def on_new_chances(self) -> int:
        """Send the new chances to win, and return the number of sockets."""
        shared_frames.forget_chances(self.match_id)
        self.on_announcement(self.revision)
        return len(self.sockets)

    async def send_board_soon(self) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self.sent_at + BOARD_INTERVAL_SECONDS - loop.time()))
        self.send_task, self.sent_at = None, loop.time()
        try:
            snapshot = await self.snapshot()
            sockets = [socket for socket in self.sockets if socket.can_receive_now()]
            for number, socket in enumerate(sockets, 1):
                await socket.show_board(snapshot)
                if number % SOCKET_BATCH == 0:
                    await yield_to_moves()
            chance_estimator().request(snapshot, self.on_new_chances)
        except ObjectDoesNotExist:
            pass  # the match is gone, and the lists are read again
        except Exception as error:
            if is_outage(error):
                self.on_announcement(self.revision)
            else:
                log.exception("featured_match")

    async def snapshot(self) -> Snapshot:
        """Return the match as spectators may see it."""
        return await match_reads.snapshot_for_viewer(self.match_id, self.revision, None)


_matches: PerProcess[ListenersByMatch[FeaturedMatch, BoardSocket]] = PerProcess(
    partial(ListenersByMatch, FeaturedMatch)
)


async def subscribe(table: ListedTable, socket: BoardSocket) -> Snapshot:
    """Send a socket the board of this match from now on, and return the match. Raises Match.DoesNotExist."""
    match = await _matches().subscribe(table.match_id, table.slug, socket)
    if not match.revision:
        match.revision = (await match_reads.newest_snapshot(table.match_id)).table.revision
    return await match.snapshot()


def unsubscribe(match_id: int, socket: BoardSocket) -> None:
    """Stop sending the board of a match to a socket."""
    _matches().unsubscribe(match_id, socket)
