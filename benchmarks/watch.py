"""One match and its spectators, from outside: what they cost the site, and what they cost its players.

``python benchmarks/watch.py [--spectators 1000] [--seconds 20] [--only sqlite]`` prints, with spectators in
three languages: renders a version, deliveries a second, the time from sending a move to the last socket, memory a
spectator, and how long the players wait for each other's moves with the spectators against without. One process reads
for players and spectators alike, so on a busy machine the players' figures hold the reading of all frames too.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import re
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.players import Screen, Table, seed  # noqa: E402
from scripts.with_services import start_postgres, start_redis  # noqa: E402
from tests.server import Server  # noqa: E402

STACKS = {"sqlite": "SQLite, layer in the process", "services": "PostgreSQL, Redis"}
LANGUAGES = ("en", "hu", "pl")
AT_ONCE = 50
PAUSE = 0.5
WARM_UP = 2.0
RENDERS = re.compile(r'^dominoes_renders_total\{audience="(\w+)"\} (\S+)$', re.MULTILINE)


@dataclass
class Timed(Table):
    """A table that also notes when the seats alone had seen each move."""

    def __post_init__(self) -> None:
        self.seats_after: list[float] = []

    async def move(self, mover: Screen) -> None:
        made = len(self.taken)
        await super().move(mover)
        if len(self.taken) > made:
            sent = self.taken[-1][0]
            self.seats_after.append(max(screen.arrived for screen in self.screens) - sent)


def spectator(server: Server, slug: str, number: int) -> Screen:
    screen = Screen(server.url, slug)
    screen.headers["Accept-Language"] = LANGUAGES[number % len(LANGUAGES)]
    return screen


async def measure(server: Server, spectators: int, seconds: float) -> dict[str, float]:
    """Play one match before so many spectators, and return what it took."""
    (seated,) = seed(server)
    table = Timed(
        [Screen(server.url, seated["slug"], session) for session in seated["sessions"]], Random(1), pause=PAUSE
    )
    await table.open()
    before = memory(server)
    table.watchers = [spectator(server, table.slug, number) for number in range(spectators)]
    for begin in range(0, spectators, AT_ONCE):
        await asyncio.gather(*(each.open(table.changed) for each in table.watchers[begin : begin + AT_ONCE]))
    await table.until(lambda: all(screen.version for screen in table.everybody))
    took = memory(server) - before
    await table.play(until=time.perf_counter() + WARM_UP)
    table.taken.clear()
    table.seats_after.clear()
    rendered, frames, version = renders(server), sum(each.frames for each in table.watchers), table.version
    begun = time.perf_counter()
    await table.play(until=begun + seconds)
    lasted = time.perf_counter() - begun
    figures = {
        "moves": len(table.taken),
        "renders a version": (renders(server) - rendered) / max(1, table.version - version),
        "deliveries/s": (sum(each.frames for each in table.watchers) - frames) / lasted,
        "to the last socket, p99 ms": 1000 * share([latency for _sent, latency in table.taken], 0.99),
        "to the last seat, p50 ms": 1000 * share(table.seats_after, 0.5),
        "to the last seat, p99 ms": 1000 * share(table.seats_after, 0.99),
        "memory a spectator, KiB": took / max(1, spectators),
    }
    await table.close()
    return figures


def share(values: Sequence[float], part: float) -> float:
    return sorted(values)[math.ceil(part * len(values)) - 1]


def memory(server: Server) -> int:
    """Return the resident memory of the server in KiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())[1])


def renders(server: Server) -> float:
    """Return how many frames of tables the server has rendered."""
    with urllib.request.urlopen(f"{server.url}/metrics") as answer:
        return sum(float(number) for _audience, number in RENDERS.findall(answer.read().decode()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", choices=STACKS)
    given = parser.parse_args()
    for name in [given.only] if given.only else STACKS:
        print(STACKS[name])
        with ExitStack() as stack:
            if name == "services":
                os.environ |= {"DATABASE_URL": start_postgres(stack), "REDIS_URL": start_redis(stack)}
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dominoes-watch-"))
            server = stack.enter_context(Server(Path(folder)))
            for spectators in (0, given.spectators):
                for what, value in asyncio.run(measure(server, spectators, given.seconds)).items():
                    print(f"{spectators:>6} spectators: {what:>28} {value:10.2f}", flush=True)


if __name__ == "__main__":
    main()
