"""Moves through the whole site: the server in one process, its players in another, with sockets between them.

``python benchmarks/live.py [--seconds 15] [--only sqlite]`` prints, for SQLite and for PostgreSQL with Redis: moves
per second, the time from sending a move to its arrival at the last socket of the table, and the server's CPU time of a
move. A move counts when every socket of its table shows it, which is after its commit. The last figure is the ratio to
a minimal server (benchmarks/floor.py), measured alternately with frames of the same size.
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

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.floor import Floor
from benchmarks.players import Screen, Table, seed
from benchmarks.stacks import STACKS, started, without_limits
from tests.server import Server

TABLES = 64
WARM_UP_SECONDS = 3.0
PAIRS = 3  # measurements of the site and of the minimal server
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Figures:
    """Sorted latencies in seconds, the duration, the server's CPU seconds, and the bytes of a player's frame."""

    latencies: Sequence[float]
    seconds: float
    cpu: float
    frame_bytes: int

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def cpu_ms(self) -> float:
        return 1000 * self.cpu / len(self.latencies)

    def percentile_ms(self, share: float) -> float:
        return 1000 * self.latencies[math.ceil(share * len(self.latencies)) - 1]

    def __str__(self) -> str:
        return (
            f"{self.rate:6.0f} moves/s; to the last socket p50 {self.percentile_ms(0.5):6.1f} ms, "
            f"p99 {self.percentile_ms(0.99):6.1f} ms; server CPU {self.cpu_ms:6.2f} ms per move"
        )


async def measure(
    server: Server | Floor, seeded: Sequence[dict[str, Any]], seconds: float, pause: float = 0.0
) -> Figures:
    """Play at the tables as fast as possible, or one move every ``pause`` seconds."""
    tables = [
        Table([Screen(server.url, row["slug"], key) for key in row["sessions"]], Random(row["slug"]), pause=pause)
        for row in seeded
    ]
    for table in tables:
        await table.open()
    gc.collect()
    begin = time.perf_counter() + WARM_UP_SECONDS
    end = begin + seconds
    cpu, *_ = await asyncio.gather(
        cpu_seconds_between(server, begin, end), *(table.play(until=end) for table in tables)
    )
    await asyncio.gather(*(table.close() for table in tables))
    assert cpu is not None
    latencies = [latency for table in tables for sent, latency in table.timed if begin <= sent + latency < end]
    seats = [screen for table in tables for screen in table.screens]
    frame_bytes = sum(screen.bytes for screen in seats) // sum(screen.frames for screen in seats)
    return Figures(sorted(latencies), seconds, cpu, frame_bytes)


async def cpu_seconds_between(server: Server | Floor, begin: float, end: float) -> float:
    """Return the CPU seconds that the server uses between two moments."""
    await asyncio.sleep(begin - time.perf_counter())
    before = cpu_seconds(server.pid)
    await asyncio.sleep(end - time.perf_counter())
    return cpu_seconds(server.pid) - before


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and its children, the workers."""
    return sum(ticks_of(process) for process in family(pid)) / TICKS_PER_SECOND


def family(pid: int) -> Iterator[int]:
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from family(int(child))


def ticks_of(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return int(fields[11]) + int(fields[12])


def run(server: Server, seconds: float) -> None:
    """Print the figures of one stack."""
    fastest = asyncio.run(measure(server, seed(server, tables=TABLES), seconds))
    print_figures(f"{TABLES} tables, as fast as possible", fastest)
    pause = 2 * TABLES / fastest.rate
    print_figures("at half that pace", asyncio.run(measure(server, seed(server, tables=TABLES), seconds, pause)))
    for seats in (2, 4):
        compare_with_floor(server, seats, seconds / 2)


def compare_with_floor(server: Server, seats: int, seconds: float) -> None:
    """Measure the site and the minimal server alternately, and print the cost of a move and the ratio."""
    costs: list[Figures] = []
    floors: list[Figures] = []
    for _pair in range(PAIRS):
        costs.append(asyncio.run(measure(server, seed(server, tables=TABLES, seats=seats), seconds)))
        size = costs[-1].frame_bytes
        with TemporaryDirectory(prefix="dominoes-floor-") as folder, Floor(Path(folder), size=size) as floor:
            floors.append(asyncio.run(measure(floor, floor.seed(TABLES, seats), seconds)))
    for name, figures in (("the site", costs), ("the minimal server", floors)):
        print_figures(f"{seats} seats, {name}", min(figures, key=lambda result: result.cpu_ms))
    ratios = [site.cpu_ms / floor.cpu_ms for site, floor in zip(costs, floors, strict=True)]
    print_ratio(f"CPU of a move ({min(ratios):.1f} to {max(ratios):.1f})", median(ratios), "the minimal server")


def print_figures(name: str, figures: Figures) -> None:
    print(f"{name:>42}: {figures}", flush=True)


def print_ratio(name: str, value: float, unit: str) -> None:
    print(f"{name:>42}: {value:6.2f} x {unit}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--only", choices=STACKS)
    arguments = parser.parse_args()
    without_limits()
    for name in [arguments.only] if arguments.only else STACKS:
        with started(name), TemporaryDirectory(prefix="dominoes-live-") as folder, Server(Path(folder)) as server:
            run(server, arguments.seconds)


if __name__ == "__main__":
    main()
