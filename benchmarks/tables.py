"""CPU time of a table: ``python -m benchmarks.tables [--seconds 20] [--pairs 2]``.

People move every four seconds on average and their pages send heartbeats. Bots play at their usual pace. Each figure
is measured on a new site, minus the CPU time of the idle site. The output is the cost of a move and of a minute of a
table, and the number of tables that one core can serve, for tables of four people and of one person and three bots.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.live import cpu_seconds
from benchmarks.players import Screen, Table, seed_matches
from benchmarks.stacks import disable_limits, running_services
from tests.server import Server

MOVE_SECONDS = 4.0  # a person's mean time for a move
IDLE_SECONDS = 3.0  # after the start of a site
WARM_UP_SECONDS = 5.0
TABLES = 64
COUNT_MOVES_CODE = """
from datetime import datetime, timezone
from games.models import MatchEvent
begin, end = [datetime.fromtimestamp(moment, timezone.utc) for moment in {}]
answer = MatchEvent.objects.filter(kind__in=("played", "drew", "passed"), at__gte=begin, at__lt=end).count()
"""


@dataclass(frozen=True)
class TableCost:
    """CPU seconds of the site and its workers for ``seconds`` of play."""

    seconds: float
    moves: int
    cpu_seconds: float

    @property
    def move_ms(self) -> float:
        return 1000 * self.cpu_seconds / self.moves

    @property
    def minute_ms(self) -> float:
        """CPU milliseconds for a minute of a table."""
        return 60_000 * self.cpu_seconds / self.seconds / TABLES

    def __str__(self) -> str:
        return (
            f"{self.moves / self.seconds:5.1f} moves/s; CPU {self.move_ms:5.2f} ms per move, {self.minute_ms:.0f} ms "
            f"per table and minute; {60_000 / max(1.0, self.minute_ms):.0f} tables per core"
        )


async def cpu_seconds_during(server: Server, seconds: float) -> float:
    """Return the CPU seconds that the site uses during the next ``seconds``."""
    before = cpu_seconds(server.pid)
    await asyncio.sleep(seconds)
    return cpu_seconds(server.pid) - before


async def play_at_tables(server: Server, seeded: Sequence[dict[str, Any]], seconds: float) -> TableCost:
    """Play at the tables and return the cost."""
    tables = [
        Table(
            [Screen(server.url, table["slug"], session) for session in table["sessions"]],
            Random(table["slug"]),
            pause=MOVE_SECONDS,
        )
        for table in seeded
    ]
    for table in tables:
        await table.open()
    until = time.perf_counter() + WARM_UP_SECONDS + seconds + 1
    playing = [asyncio.create_task(play_until(table, until)) for table in tables]
    await asyncio.sleep(WARM_UP_SECONDS)
    begin = time.time()
    cpu = await cpu_seconds_during(server, seconds)
    moves = await asyncio.to_thread(server.run_code, COUNT_MOVES_CODE.format((begin, time.time())))
    await asyncio.gather(*playing)
    await asyncio.gather(*(table.close() for table in tables))
    return TableCost(seconds, moves, cpu)


async def play_until(table: Table, until: float) -> None:
    """Play and send heartbeats until the end, even if other players answer too late."""
    heartbeats = [asyncio.create_task(screen.send_heartbeats(table.rng)) for screen in table.screens]
    while table.is_running and time.perf_counter() < until:
        with suppress(TimeoutError):
            await table.play(until=until)
    for heartbeat in heartbeats:
        heartbeat.cancel()


def measure_cost(bots: int, seconds: float) -> TableCost:
    """Start a site and measure its tables, minus the CPU time of the idle site."""
    with TemporaryDirectory(prefix="dominoes-tables-") as folder, Server(Path(folder)) as server:
        time.sleep(IDLE_SECONDS)
        idle = asyncio.run(cpu_seconds_during(server, seconds))
        cost = asyncio.run(play_at_tables(server, seed_matches(server, tables=TABLES, bots=bots), seconds))
    return replace(cost, cpu_seconds=max(0.0, cost.cpu_seconds - idle))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pairs", type=int, default=2, help="number of measurements of each kind")
    arguments = parser.parse_args()
    disable_limits()
    with running_services("sqlite"):
        for _ in range(arguments.pairs):
            for name, bots in (("of four people", 0), ("of a person and three bots", 3)):
                print(f"{TABLES} tables {name}: {measure_cost(bots, arguments.seconds)}", flush=True)


if __name__ == "__main__":
    main()
