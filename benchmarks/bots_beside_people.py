"""How long people wait for moves while programs play on the same site.

``python -m benchmarks.bots_beside_people [--tables 200] [--bots 200] [--pairs 4] [--seconds 15] [--only sqlite]``:
people play at tables of two, each with a move every ``--pause`` seconds. In turn no program is connected, and programs
with a stream each play at tables of their own. Prints p50 and p95 of the time from sending a move to its arrival at
the last socket of the table, their ratios, and the load of the machine. The target is a ratio of at most 1.1.

The programs have a process of their own with the lowest priority, as if they were elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.live import cpu_seconds
from benchmarks.players import Screen, Table, seed_matches
from benchmarks.stacks import SERVICE_SETUPS, disable_limits, running_services
from benchmarks.stream_bots import StreamBot, percentile, seed_bots
from tests.server import Server

OPEN_BATCH = 20
SETTLE_SECONDS = 6.0  # after the programs have begun or ended
MAX_RATIO = 1.1


async def run_programs(port: int, seeded: Sequence[dict[str, Any]], pause: float) -> None:
    """Play in a process of its own: each line of the input begins or ends the play of all programs."""
    os.nice(19)
    bots, tasks = list[StreamBot](), list[asyncio.Task[None]]()
    while await asyncio.to_thread(sys.stdin.readline):
        if tasks:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            print(json.dumps({"moves": sum(len(bot.acknowledged) for bot in bots)}), flush=True)
            tasks = []
            continue
        bots = [
            StreamBot(port, row["slug"], token, Random(token), pause=pause)
            for row in seeded
            for token in row["tokens"]
        ]
        tasks = [asyncio.create_task(bot.play()) for bot in bots]
        while not all(bot.is_open for bot in bots):
            await asyncio.sleep(0.1)
        print("open", flush=True)


class Programs:
    """The process of the programs."""

    def __init__(self, server: Server, tables: int, pause: float) -> None:
        seeded = seed_bots(server, tables)
        command = [sys.executable, "-m", "benchmarks.bots_beside_people", "--programs", str(server.port), str(pause)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send(json.dumps(seeded))

    def send(self, line: str) -> None:
        assert self.process.stdin
        print(line, file=self.process.stdin, flush=True)

    def toggle(self) -> str:
        """Begin or end, and return the answer."""
        assert self.process.stdout
        self.send("")
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


async def keep_playing(table: Table) -> None:
    heartbeats = [asyncio.create_task(screen.send_heartbeats(table.rng)) for screen in table.screens]
    try:
        while True:
            with suppress(TimeoutError):
                await table.play(until=float("inf"))
            await asyncio.sleep(1)
    finally:
        for heartbeat in heartbeats:
            heartbeat.cancel()


async def record(tables: Sequence[Table], seconds: float, server: Server) -> tuple[list[float], float]:
    """Return the waits of the next seconds, and the CPU seconds of the site per second."""
    begin, cpu = time.perf_counter(), cpu_seconds(server.pid)
    await asyncio.sleep(seconds)
    end = time.perf_counter()
    waits = [wait for table in tables for sent, wait in table.timed_moves if begin <= sent + wait < end]
    return waits, (cpu_seconds(server.pid) - cpu) / (end - begin)


async def measure(server: Server, programs: Programs, options: argparse.Namespace) -> bool:
    """Measure in turn, print the results, and return whether the ratios are small enough."""
    seeded = await asyncio.to_thread(seed_matches, server, tables=options.tables, seats=2, is_endless=True)
    tables = [
        Table([Screen(server.url, row["slug"], key) for key in row["sessions"]], Random(number), pause=options.pause)
        for number, row in enumerate(seeded)
    ]
    for begin in range(0, len(tables), OPEN_BATCH):
        await asyncio.gather(*(table.open() for table in tables[begin : begin + OPEN_BATCH]))
    playing = [asyncio.create_task(keep_playing(table)) for table in tables]
    alone, beside, ratios = list[float](), list[float](), list[tuple[float, float]]()
    for _pair in range(options.pairs):
        await asyncio.sleep(SETTLE_SECONDS)
        without, cpu_without = await record(tables, options.seconds, server)
        await asyncio.to_thread(programs.toggle)
        await asyncio.sleep(SETTLE_SECONDS)
        waits, cpu = await record(tables, options.seconds, server)
        answer = await asyncio.to_thread(programs.toggle)
        alone, beside = alone + without, beside + waits
        p50, p95 = (percentile(waits, share) / percentile(without, share) for share in (0.5, 0.95))
        ratios.append((p50, p95))
        print(
            f"   {len(without)} and {len(waits)} moves of people, ratio p50 {p50:.2f}, p95 {p95:.2f}; site "
            f"{cpu_without:.2f} and {cpu:.2f} cores; programs: {answer}; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await asyncio.gather(*(table.close() for table in tables))
    for name, waits in (("without programs", alone), ("with programs", beside)):
        p50, p95 = (1000 * percentile(waits, share) for share in (0.5, 0.95))
        print(f"{name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms ({len(waits)} moves)")
    p50, p95 = (median(values) for values in zip(*ratios, strict=True))
    print(f"median of the ratios: p50 {p50:.2f}, p95 {p95:.2f}", flush=True)
    return bool(max(p50, p95) <= MAX_RATIO)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200, help="tables of two people")
    parser.add_argument("--bots", type=int, default=200, help="programs, two at a table")
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--pause", type=float, default=4, help="mean seconds between two moves at a table")
    parser.add_argument("--only", choices=SERVICE_SETUPS)
    parser.add_argument("--programs", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.programs:
        port, pause = options.programs
        asyncio.run(run_programs(int(port), json.loads(sys.stdin.readline()), float(pause)))
        return 0
    disable_limits()
    have_passed = True
    for name in [options.only] if options.only else SERVICE_SETUPS:
        with (
            running_services(name),
            TemporaryDirectory(prefix="dominoes-beside-") as folder,
            Server(Path(folder)) as server,
        ):
            programs = Programs(server, options.bots // 2, options.pause)
            try:
                have_passed &= asyncio.run(measure(server, programs, options))
            finally:
                programs.end()
    return 0 if have_passed else 1


if __name__ == "__main__":
    sys.exit(main())
