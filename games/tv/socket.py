"""The board of the featured match, shown to the sockets of the lobby as it changes. They are no spectators of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol

import structlog
from django.core.exceptions import ObjectDoesNotExist

from games.broadcast.memory_layer import yield_to_moves
from games.match.listed import ListedTable
from games.match.snapshots import Snapshot
from games.sockets import match_reads
from games.sockets.listeners import ByMatch, Listeners
from infrastructure.outages import is_outage
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
BOARD_SECONDS = 1.0
"""The board is sent at most this often. A browser that cannot be told then waits for the next time."""
AT_ONCE = 32
"""Sockets that are written to in one go."""


class LobbySocket(Protocol):
    """A socket that shows the board of a match."""

    def can_be_told(self) -> bool:
        """Return whether this socket can be told now, without waiting for its browser."""

    async def show_board(self, found: Snapshot) -> None: ...


class FeaturedMatch(Listeners[LobbySocket]):
    """The sockets of lobbies that show a match."""

    def __init__(self, match_id: int, slug: str) -> None:
        super().__init__(match_id, slug)
        self.revision = 0
        self.told_at = 0.0
        self.coming: asyncio.Task[None] | None = None

    def close(self) -> None:
        super().close()
        if self.coming is not None:
            self.coming.cancel()

    def hear(self, revision: int) -> None:
        self.revision = max(self.revision, revision)
        if self.coming is None:
            self.coming = asyncio.create_task(self.show_soon())

    async def show_soon(self) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self.told_at + BOARD_SECONDS - loop.time()))
        self.coming, self.told_at = None, loop.time()
        try:
            found = await self.found()
            for number, socket in enumerate([each for each in self.sockets if each.can_be_told()], 1):
                await socket.show_board(found)
                if number % AT_ONCE == 0:
                    await yield_to_moves()
        except ObjectDoesNotExist:
            pass  # the lists, which are read again, show what became of it
        except Exception as error:
            if is_outage(error):
                self.hear(self.revision)
            else:
                log.exception("featured_match")

    async def found(self) -> Snapshot:
        """Return the match as spectators may see it."""
        return await match_reads.for_viewer(self.match_id, self.revision, None)


_matches: PerProcess[ByMatch[FeaturedMatch, LobbySocket]] = PerProcess(partial(ByMatch, FeaturedMatch))


async def enter(table: ListedTable, socket: LobbySocket) -> Snapshot:
    """Show a socket the board of this match from now on; return it as it is now. Raises Match.DoesNotExist."""
    match = await _matches().enter(table.match_id, table.slug, socket)
    if not match.revision:
        match.revision = (await match_reads.newest(table.match_id)).table.revision
    return await match.found()


def leave(match_id: int, socket: LobbySocket) -> None:
    """Show it that board no more."""
    _matches().leave(match_id, socket)
