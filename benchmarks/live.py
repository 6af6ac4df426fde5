"""Moves through the whole site: the server in one process, its players in another, with sockets between them.

``python benchmarks/live.py [--seconds 15] [--only sqlite]`` prints, for SQLite and for PostgreSQL with Redis: moves
per second, the time from sending a move to its arrival at the last socket of the table, and the server's CPU time of a
move. A move counts when every socket of its table shows it, which is after its commit. The last figure is the ratio to
a minimal server (benchmarks/minimal_server.py), measured alternately with frames of the same size.
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

from benchmarks.minimal_server import MinimalServer
from benchmarks.players import Screen, Table, seed_matches
from benchmarks.stacks import SERVICE_SETUPS, disable_limits, running_services
from tests.server import Server

TABLES = 64
WARM_UP_SECONDS = 3.0
MEASUREMENT_PAIRS = 3  # measurements of the site and of the minimal server
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class LatencyResults:
    """Sorted latencies in seconds, the duration, the server's CPU seconds, and the bytes of a player's frame."""

    latencies: Sequence[float]
    seconds: float
    cpu_seconds: float
    frame_bytes: int

    @property
    def moves_per_second(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def cpu_ms(self) -> float:
        return 1000 * self.cpu_seconds / len(self.latencies)

    def percentile_ms(self, share: float) -> float:
        return 1000 * self.latencies[math.ceil(share * len(self.latencies)) - 1]

    def __str__(self) -> str:
        return (
            f"{self.moves_per_second:6.0f} moves/s; to the last socket p50 {self.percentile_ms(0.5):6.1f} ms, "
            f"p99 {self.percentile_ms(0.99):6.1f} ms; server CPU {self.cpu_ms:6.2f} ms per move"
        )


async def measure_moves(
    server: Server | MinimalServer, seeded: Sequence[dict[str, Any]], seconds: float, pause: float = 0.0
) -> LatencyResults:
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
    latencies = [latency for table in tables for sent, latency in table.timed_moves if begin <= sent + latency < end]
    seats = [screen for table in tables for screen in table.screens]
    frame_bytes = sum(screen.bytes for screen in seats) // sum(screen.frames for screen in seats)
    return LatencyResults(sorted(latencies), seconds, cpu, frame_bytes)


async def cpu_seconds_between(server: Server | MinimalServer, begin: float, end: float) -> float:
    """Return the CPU seconds that the server uses between two moments."""
    await asyncio.sleep(begin - time.perf_counter())
    before = cpu_seconds(server.pid)
    await asyncio.sleep(end - time.perf_counter())
    return cpu_seconds(server.pid) - before


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and its children, the workers."""
    return sum(cpu_ticks(process) for process in process_tree(pid)) / TICKS_PER_SECOND


def process_tree(pid: int) -> Iterator[int]:
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from process_tree(int(child))


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return int(fields[11]) + int(fields[12])


def measure_setup(server: Server, seconds: float) -> None:
    """Print the results of one stack."""
    fastest = asyncio.run(measure_moves(server, seed_matches(server, tables=TABLES), seconds))
    print_results(f"{TABLES} tables, as fast as possible", fastest)
    pause = 2 * TABLES / fastest.moves_per_second
    seeded = seed_matches(server, tables=TABLES)
    print_results("at half that pace", asyncio.run(measure_moves(server, seeded, seconds, pause)))
    for seats in (2, 4):
        compare_with_minimal_server(server, seats, seconds / 2)


def compare_with_minimal_server(server: Server, seats: int, seconds: float) -> None:
    """Measure the site and the minimal server alternately, and print the cost of a move and the ratio."""
    costs: list[LatencyResults] = []
    minimal_results: list[LatencyResults] = []
    for _pair in range(MEASUREMENT_PAIRS):
        costs.append(asyncio.run(measure_moves(server, seed_matches(server, tables=TABLES, seats=seats), seconds)))
        size = costs[-1].frame_bytes
        with (
            TemporaryDirectory(prefix="dominoes-floor-") as folder,
            MinimalServer(Path(folder), size=size) as minimal_server,
        ):
            seeded = minimal_server.seed_site(TABLES, seats)
            minimal_results.append(asyncio.run(measure_moves(minimal_server, seeded, seconds)))
    for name, results in (("the site", costs), ("the minimal server", minimal_results)):
        print_results(f"{seats} seats, {name}", min(results, key=lambda result: result.cpu_ms))
    ratios = [site.cpu_ms / minimal.cpu_ms for site, minimal in zip(costs, minimal_results, strict=True)]
    print_ratio(f"CPU of a move ({min(ratios):.1f} to {max(ratios):.1f})", median(ratios), "the minimal server")


def print_results(name: str, results: LatencyResults) -> None:
    print(f"{name:>42}: {results}", flush=True)


def print_ratio(name: str, value: float, unit: str) -> None:
    print(f"{name:>42}: {value:6.2f} x {unit}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--only", choices=SERVICE_SETUPS)
    arguments = parser.parse_args()
    disable_limits()
    for name in [arguments.only] if arguments.only else SERVICE_SETUPS:
        with (
            running_services(name),
            TemporaryDirectory(prefix="dominoes-live-") as folder,
            Server(Path(folder)) as server,
        ):
            measure_setup(server, arguments.seconds)


if __name__ == "__main__":
    main()
