"""Players who keep moving, whatever happens to the site, and what they have to wait."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from statistics import median

from websockets.exceptions import WebSocketException

from benchmarks.players import Screen, Table, seed
from tests.server import Server

TABLES = 8
PAUSE = 0.4
WARM_UP = 3.0


@dataclass
class Waits:
    """What the players saw in windows of one kind: moves made, and the seconds until everybody saw each."""

    seconds: float = 0.0
    moves: int = 0
    waits: list[float] = field(default_factory=list)

    @property
    def in_ten_seconds(self) -> float:
        return 10 * self.moves / self.seconds

    @property
    def median_ms(self) -> float:
        return 1000 * median(self.waits) if self.waits else math.inf


@dataclass
class Playing(Table):
    """People who stay at their table whatever happens, and come back as browsers do."""

    sent_at: float = 0.0
    """When the move was sent that is being waited for, 0 if none is."""
    given_up: list[tuple[float, float]] = field(default_factory=list)

    async def move(self, mover: Screen) -> None:
        self.sent_at = time.perf_counter()
        try:
            await super().move(mover)
        except TimeoutError:
            self.given_up.append((self.sent_at, time.perf_counter() - self.sent_at))
            raise
        finally:
            self.sent_at = 0.0

    async def stay(self) -> None:
        while True:
            with suppress(TimeoutError, OSError, WebSocketException):
                if not all(screen.connected for screen in self.screens):
                    await self.close()
                    await self.open()
                await self.play(until=math.inf)
            await asyncio.sleep(1)


async def watch(tables: Sequence[Playing], seconds: float, into: Waits) -> None:
    """Add what happens in so many seconds; a move that nobody has seen by the end has waited until then."""
    begin = time.perf_counter()
    await asyncio.sleep(seconds)
    end = time.perf_counter()
    seen = [wait for table in tables for sent, wait in table.taken if begin <= sent + wait < end]
    unseen = [wait for table in tables for sent, wait in table.given_up if begin <= sent + wait < end]
    unseen += [end - table.sent_at for table in tables if table.sent_at]
    into.seconds += end - begin
    into.moves += len(seen)
    into.waits += seen + unseen


@asynccontextmanager
async def players(server: Server) -> AsyncIterator[list[Playing]]:
    """Seat people at tables, who play on until the end; their matches never end."""
    seeded = await asyncio.to_thread(seed, server, tables=TABLES, rounds=1)
    tables = [
        Playing([Screen(server.url, each["slug"], key) for key in each["sessions"]], Random(number), pause=PAUSE)
        for number, each in enumerate(seeded)
    ]
    for table in tables:
        await table.open()
    staying = [asyncio.create_task(table.stay()) for table in tables]
    await asyncio.sleep(WARM_UP)
    try:
        yield tables
    finally:
        for task in staying:
            task.cancel()
        await asyncio.gather(*staying, return_exceptions=True)
        await asyncio.gather(*(table.close() for table in tables))
