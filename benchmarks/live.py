"""The live path, measured from outside: the real site in one process, its people in another, real sockets between.

``python benchmarks/live.py [--seconds 15] [--only sqlite]`` prints, on SQLite with the in-process layer and
on PostgreSQL with Redis (both from pip, see scripts/with_services.py): moves a second, the time from sending a move
to its arrival at the last socket of the table, and the server's processor time a move. A move counts when every
socket of its table shows it, which is after it was committed. Last comes the ratio to the least that a move can cost
(benchmarks/floor.py), measured in turn with frames of the same size.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.floor import Floor  # noqa: E402
from benchmarks.players import Screen, Table, seed  # noqa: E402
from benchmarks.stacks import STACKS, started, without_limits  # noqa: E402
from tests.server import Server  # noqa: E402

TABLES = 64
SEATS = 4
FEW = 32
WARM_UP = 3.0
LATE_ROUND = 20
PAIRS = 3
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured: each move's latency in seconds, rising; how long; the server's processor seconds."""

    latencies: Sequence[float]
    seconds: float
    cpu: float
    sockets: int
    own: int
    """Bytes of a player's frame, in the mean."""

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def cpu_ms(self) -> float:
        return 1000 * self.cpu / len(self.latencies)

    def ms(self, share: float) -> float:
        """Return the milliseconds that ``share`` of the moves stay within."""
        return 1000 * self.latencies[math.ceil(share * len(self.latencies)) - 1]

    def __str__(self) -> str:
        return (
            f"{self.rate:6.0f} moves/s, {self.rate * self.sockets:7.0f} frames/s; to the last socket p50 "
            f"{self.ms(0.5):6.1f} ms, p99 {self.ms(0.99):6.1f} ms; server CPU {self.cpu_ms:6.2f} ms a move"
        )


async def measure(
    server: Server | Floor, tables: Sequence[dict[str, Any]], *, seconds: float, watchers: int = 0, pause: float = 0.0
) -> Figures:
    """Sit at the tables, each before so many spectators, and play: at once, or one move each ``pause`` seconds."""
    played = [
        Table(
            [Screen(server.url, table["slug"], session) for session in table["sessions"]],
            Random(table["slug"]),
            watchers=[Screen(server.url, table["slug"]) for _ in range(watchers)],
            pause=pause,
        )
        for table in tables
    ]
    for table in played:
        await table.open()
    gc.collect()
    begin = time.perf_counter() + WARM_UP
    end = begin + seconds
    cpu, *_ = await asyncio.gather(used_between(server, begin, end), *(table.play(until=end) for table in played))
    await asyncio.gather(*(table.close() for table in played))
    assert cpu is not None
    latencies = [latency for table in played for sent, latency in table.taken if begin <= sent + latency < end]
    seats = [screen for table in played for screen in table.screens]
    own = sum(screen.bytes for screen in seats) // sum(screen.frames for screen in seats)
    return Figures(sorted(latencies), seconds, cpu, len(seats) // len(played) + watchers, own)


async def used_between(server: Server | Floor, begin: float, end: float) -> float:
    """Return the processor seconds that the server used between two moments."""
    await asyncio.sleep(begin - time.perf_counter())
    before = used(server.pid)
    await asyncio.sleep(end - time.perf_counter())
    return used(server.pid) - before


def used(pid: int) -> float:
    """Return the processor seconds of a process and its children (the bots)."""
    return sum(ticks_of(each) for each in family(pid)) / TICKS


def family(pid: int) -> Iterator[int]:
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from family(int(child))


def ticks_of(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return int(fields[11]) + int(fields[12])


def run(server: Server, seconds: float) -> Figures:
    """Print every figure of one stack; return those of the full load."""

    def figures(tables: Sequence[dict[str, Any]], seconds: float = seconds, **how: Any) -> Figures:
        return asyncio.run(measure(server, tables, seconds=seconds, **how))

    tables = f"{TABLES} tables x {SEATS} sockets"
    fastest = figures(seed(server, tables=TABLES))
    say(f"{tables}, as fast as they go", fastest)
    say(f"{tables}, at half that pace", figures(seed(server, tables=TABLES), pause=2 * TABLES / fastest.rate))
    first = figures(seed(server, tables=FEW), seconds / 2)
    late = figures(seed(server, tables=FEW, rounds=LATE_ROUND - 1), seconds / 2)
    say(f"{FEW} tables, from round 1 on", first)
    say(f"{FEW} tables, from round {LATE_ROUND} on", late)
    ratio(f"a move of round {LATE_ROUND}, CPU", late.cpu_ms / first.cpu_ms, "that of round 1")
    for watchers in (100, 1000):
        say(f"1 table and {watchers} spectators", figures(seed(server), seconds / 2, watchers=watchers, pause=0.4))
    for seats in (2, 4):
        beside_the_floor(server, seats, seconds / 2)
    return fastest


def beside_the_floor(server: Server, seats: int, seconds: float) -> None:
    """Print what a move costs the site and the floor, in turn on tables of so many seats, and the ratio."""
    ours, least = [], []
    for _pair in range(PAIRS):
        tables = seed(server, tables=TABLES, seats=seats)
        ours.append(asyncio.run(measure(server, tables, seconds=seconds)))
        with TemporaryDirectory(prefix="dominoes-floor-") as folder, Floor(Path(folder), own=ours[-1].own) as floor:
            least.append(asyncio.run(measure(floor, floor.seed(TABLES, seats), seconds=seconds)))
    for name, figures in (("the site", ours), ("the floor", least)):
        say(f"{TABLES} tables x {seats} sockets, {name}", min(figures, key=lambda each: each.cpu_ms))
    each_pair = [mine.cpu_ms / floors.cpu_ms for mine, floors in zip(ours, least, strict=True)]
    ratio(
        f"CPU a move with {seats} seats ({min(each_pair):.1f} to {max(each_pair):.1f})", median(each_pair), "the floor"
    )


def say(what: str, figures: Figures) -> None:
    print(f"{what:>42}: {figures}", flush=True)


def ratio(what: str, value: float, unit: str) -> None:
    print(f"{what:>42}: {value:6.2f} x {unit}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--only", choices=STACKS)
    given = parser.parse_args()
    full = {}
    without_limits()
    for name in [given.only] if given.only else STACKS:
        with started(name), TemporaryDirectory(prefix="dominoes-live-") as folder, Server(Path(folder)) as server:
            full[name] = run(server, given.seconds)
    if len(full) == len(STACKS):
        ratio("PostgreSQL and Redis, moves/s", full["services"].rate / full["sqlite"].rate, "those of SQLite")
        ratio("PostgreSQL and Redis, CPU", full["services"].cpu_ms / full["sqlite"].cpu_ms, "that of SQLite")


if __name__ == "__main__":
    main()
