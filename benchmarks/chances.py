"""CPU time of the chances to win: ``python -m benchmarks.chances [--tables 100] [--spectators 1000] [--pairs 3]``.

People play at the tables at human pace, and spectators in three languages are spread over the tables. Sites without
and with chances are measured alternately. The output is the CPU time of a move on both, the number of estimates that
a spectator received for each move, and the median of the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.players import VERSION_PATTERN, Screen, Table, seed_matches
from benchmarks.stacks import disable_limits, running_services
from benchmarks.tables import COUNT_MOVES_CODE, MOVE_SECONDS, WARM_UP_SECONDS, cpu_seconds_during, play_until
from benchmarks.watch import CONNECT_BATCH, LANGUAGES
from tests.server import Server

DEFAULT_PERCENT = "5"  # of CHANCES_CPU_PERCENT
CHANCES_ZONE = '<hx-partial id="chance'


class Spectator(Screen):
    """A screen that only counts the moves and the chances that it receives. Its address is not that of the players."""

    def __init__(self, site: str, slug: str, number: int) -> None:
        super().__init__(site, slug)
        self.headers |= {"Accept-Language": LANGUAGES[number % len(LANGUAGES)]}
        self.headers["X-Forwarded-For"] = f"10.1.{number // 250}.{number % 250}"
        self.chances = 0

    def receive(self, frame: str, now: float) -> None:
        if VERSION_PATTERN.search(frame):
            self.frames += 1
        self.chances += CHANCES_ZONE in frame


async def run_spectators(site: str, count: int, slugs: Sequence[str]) -> None:
    """Watch in a process of its own until the input ends, then print the numbers of moves and of new chances."""
    screens = [Spectator(site, slugs[number % len(slugs)], number) for number in range(count)]
    for begin in range(0, count, CONNECT_BATCH):
        await asyncio.gather(*(screen.open() for screen in screens[begin : begin + CONNECT_BATCH]))
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    totals = {"moves": sum(screen.frames for screen in screens), "chances": sum(screen.chances for screen in screens)}
    print(json.dumps(totals), flush=True)


async def play_watched_tables(
    server: Server, seeded: Sequence[dict[str, Any]], spectators: int, seconds: float
) -> tuple[float, float, dict[str, int]]:
    """Return the CPU milliseconds of a move, the moves a second, and what the spectators received."""
    tables = [
        Table([Screen(server.url, slug, key) for key in row["sessions"]], Random(slug), pause=MOVE_SECONDS)
        for row in seeded
        for slug in [row["slug"]]
    ]
    for table in tables:
        await table.open()
    playing = [asyncio.create_task(play_until(table, math.inf)) for table in tables]
    command = [sys.executable, "-m", "benchmarks.chances", "--spectators", str(spectators), "--watch", server.url]
    process = subprocess.Popen(
        [*command, *(table.slug for table in tables)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    try:
        assert await asyncio.to_thread(process.stdout.readline) == "ready\n"
        await asyncio.sleep(WARM_UP_SECONDS)
        begin = time.time()
        cpu = await cpu_seconds_during(server, seconds)
        moves = await asyncio.to_thread(server.run_code, COUNT_MOVES_CODE.format((begin, time.time())))
        received = json.loads((await asyncio.to_thread(process.communicate))[0])
    finally:
        process.kill()
        process.wait()
        for task in playing:
            task.cancel()
    await asyncio.gather(*(table.close() for table in tables))
    return 1000 * cpu / moves, moves / seconds, received


def measure(tables: int, spectators: int, seconds: float, cpu_percent: str) -> float:
    """Measure a new site and return the CPU milliseconds of a move."""
    with (
        TemporaryDirectory(prefix="dominoes-chances-") as folder,
        Server(Path(folder), BEHIND_PROXY="1", CHANCES_CPU_PERCENT=cpu_percent) as server,
    ):
        seeded = seed_matches(server, tables=tables)
        cost, pace, received = asyncio.run(play_watched_tables(server, seeded, spectators, seconds))
    share = received["chances"] / max(1, received["moves"])
    name = "without" if cpu_percent == "0" else "with chances"
    print(f"{name:>12}: CPU {cost:5.2f} ms per move, {pace:.1f} moves/s, {share:.2f} new chances per move", flush=True)
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--watch", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.watch:
        site, *slugs = arguments.watch
        asyncio.run(run_spectators(site, arguments.spectators, slugs))
        return
    disable_limits()
    ratios = []
    with running_services("sqlite"):
        for _pair in range(arguments.pairs):
            without, with_chances = (
                measure(arguments.tables, arguments.spectators, arguments.seconds, percent)
                for percent in ("0", DEFAULT_PERCENT)
            )
            ratios.append(with_chances / without)
    print(f"CPU with chances ({min(ratios):.2f} to {max(ratios):.2f}): {median(ratios):.3f} x without")


if __name__ == "__main__":
    main()
