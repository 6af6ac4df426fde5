"""CPU time of the chances to win: ``python -m benchmarks.chances [--tables 50] [--spectators 500] [--periods 3]``.

Two sites, one of them without chances, run at the same time, so that other load affects both. At each, people play at
human pace, and spectators in three languages are spread over the tables. The output is the CPU time of a move on both,
the median of their ratios, and the number of new chances that spectators received for each move.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.players import VERSION_PATTERN, Screen, Table, seed_matches
from benchmarks.stacks import disable_limits, running_services
from benchmarks.tables import COUNT_MOVES_CODE, MOVE_SECONDS, cpu_seconds_during, play_until
from benchmarks.watch import ALL_LANGUAGES, CONNECT_BATCH
from tests.server import Server

WARM_UP_SECONDS = 15.0  # the sites are still busy with the new spectators
DEFAULT_PERCENT = "4"  # of CHANCES_CPU_PERCENT
CHANCES_ZONE = '<hx-partial id="chance'


class Spectator(Screen):
    """A screen that only counts the moves and the chances that it receives. Its address is not that of the players."""

    def __init__(self, site: str, slug: str, number: int) -> None:
        super().__init__(site, slug)
        self.headers |= {"Accept-Language": ALL_LANGUAGES[number % len(ALL_LANGUAGES)]}
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


@asynccontextmanager
async def watched_tables(server: Server, tables: int, spectators: int) -> AsyncIterator[Popen[str]]:
    """Let people play at tables, and spectators watch in the yielded process."""
    seeded = await asyncio.to_thread(partial(seed_matches, server, tables=tables))
    playing = []
    for row in seeded:
        screens = [Screen(server.url, row["slug"], session) for session in row["sessions"]]
        table = await Table(screens, Random(row["slug"]), pause=MOVE_SECONDS).open()
        playing.append(asyncio.create_task(play_until(table, math.inf)))
    command = [sys.executable, "-m", "benchmarks.chances", "--spectators", str(spectators), "--watch", server.url]
    process = Popen([*command, *(row["slug"] for row in seeded)], stdin=PIPE, stdout=PIPE, text=True)
    assert process.stdout
    try:
        assert await asyncio.to_thread(process.stdout.readline) == "ready\n"
        yield process
    finally:
        process.kill()
        process.wait()
        for task in playing:
            task.cancel()


async def cpu_ms_of_move(server: Server, seconds: float) -> float:
    """Return the CPU milliseconds of a move during the next ``seconds``."""
    begin = time.time()
    cpu = await cpu_seconds_during(server, seconds)
    moves: int = await asyncio.to_thread(server.run_code, COUNT_MOVES_CODE.format((begin, time.time())))
    return 1000 * cpu / moves


async def measure(servers: Sequence[Server], arguments: argparse.Namespace) -> None:
    """Measure both sites at the same time, and print the results of each period and the ratio."""
    async with AsyncExitStack() as watching:
        watchers = [
            await watching.enter_async_context(watched_tables(server, arguments.tables, arguments.spectators))
            for server in servers
        ]
        await asyncio.sleep(WARM_UP_SECONDS)
        ratios = []
        for _period in range(arguments.periods):
            costs = await asyncio.gather(*(cpu_ms_of_move(server, arguments.seconds) for server in servers))
            ratios.append(costs[1] / costs[0])
            print(f"CPU of a move: {costs[0]:.2f} ms without, {costs[1]:.2f} ms with chances", flush=True)
        received = json.loads((await asyncio.to_thread(watchers[1].communicate))[0])
    print(f"new chances for each move: {received['chances'] / received['moves']:.2f}")
    print(f"CPU with chances ({min(ratios):.2f} to {max(ratios):.2f}): {median(ratios):.3f} x without")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=50, help="of each site")
    parser.add_argument("--spectators", type=int, default=500, help="of each site")
    parser.add_argument("--seconds", type=float, default=20, help="of a period")
    parser.add_argument("--periods", type=int, default=3)
    parser.add_argument("--watch", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.watch:
        site, *slugs = arguments.watch
        asyncio.run(run_spectators(site, arguments.spectators, slugs))
        return
    disable_limits()
    with running_services("sqlite"), ExitStack() as stack:
        servers = []
        for percent in ("0", DEFAULT_PERCENT):
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="dominoes-chances-")))
            server = Server(folder, BEHIND_PROXY="1", CHANCES_CPU_PERCENT=percent)
            servers.append(stack.enter_context(server))
        asyncio.run(measure(servers, arguments))


if __name__ == "__main__":
    main()
