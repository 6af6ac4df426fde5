"""One match and its spectators, from outside: what they cost the site, and what they cost its players.

``python benchmarks/watch.py [--spectators 1000] [--pairs 4] [--moves 40] [--only sqlite]`` plays matches on one server
in turn without and with spectators in three languages, who send heartbeats as pages do, none while moves come, and
prints for both how long the players waited for each other's moves; the ratio of the two; and for the spectators:
renders a version, deliveries a second, the time from sending a move to the last socket, memory a spectator. Between
them the same spectators watch the floor (benchmarks/floor.py): what its deliveries cost is the least that ours could.

As if on machines of their own, the server has a core for itself, and the spectators' process runs only while the
players' has nothing to do: so two cores are enough. No core falls asleep: to wake one takes a virtual machine up to a
millisecond, sometimes. The rest of the noise is the same in both kinds of phases: judge by the ratio.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.cores import alone, awake, give_way  # noqa: E402
from benchmarks.floor import Floor  # noqa: E402
from benchmarks.health import resident_of  # noqa: E402
from benchmarks.live import SEATS, used  # noqa: E402
from benchmarks.players import HEARTBEAT, VERSION, Screen, Table, seed  # noqa: E402
from benchmarks.stacks import STACKS, started, without_limits  # noqa: E402
from tests.server import Server  # noqa: E402

LANGUAGES = ("en", "hu", "pl")
os.environ["INCOMPLETE_LANGUAGES"] = "1"  # the site renders once a language, translated or not
AT_ONCE = 50
PAUSE = 0.3
CALM = 2.0
WARM_UP = 5
METRIC = re.compile(r"^(dominoes_\w+)(?:\{[^}]*\})? (\S+)$", re.MULTILINE)


@dataclass
class Spectators:
    """All spectators of a match: when the last of them had come to each version."""

    slug: str
    screens: list[Spectator] = field(default_factory=list)
    seen: Counter[int] = field(default_factory=Counter)
    everybody: dict[int, float] = field(default_factory=dict)

    async def come(self, site: str, count: int) -> None:
        self.screens = [Spectator(site, self.slug, number, self) for number in range(count)]
        for begin in range(0, count, AT_ONCE):
            await asyncio.gather(*(each.open() for each in self.screens[begin : begin + AT_ONCE]))
        while not all(each.version for each in self.screens):
            await asyncio.sleep(0.1)

    async def stay(self) -> None:
        """Send heartbeats, evenly spread, of those who were shown nothing new since their last."""
        while True:
            for screen in self.screens:
                if time.perf_counter() - screen.arrived >= HEARTBEAT:
                    await screen.send({"type": "seen"})
                await asyncio.sleep(HEARTBEAT / len(self.screens))

    def reached(self, before: int, version: int, now: float) -> None:
        for each in range(before + 1, version + 1):
            self.seen[each] += 1
            if self.seen[each] == len(self.screens):
                self.everybody[each] = now


class Spectator(Screen):
    """A screen of which only the version is looked at."""

    def __init__(self, site: str, slug: str, number: int, all_of_them: Spectators) -> None:
        super().__init__(site, slug)
        self.headers["Accept-Language"] = LANGUAGES[number % len(LANGUAGES)]
        self.all_of_them = all_of_them

    def take(self, frame: str, now: float) -> None:
        if found := VERSION.search(frame):
            self.frames += 1
            self.bytes += len(frame)
            before, self.version, self.arrived = self.version, int(found[1]), now
            self.all_of_them.reached(before, self.version, now)


async def spectate(site: str, slug: str, count: int) -> None:
    """The process of the spectators: they come, say so, stay until the input ends, and tell what they saw."""
    give_way()
    them = Spectators(slug)
    await them.come(site, count)
    for each in them.screens:
        each.frames = each.bytes = 0
    print("here", flush=True)
    staying = asyncio.create_task(them.stay())
    await asyncio.to_thread(sys.stdin.read)
    staying.cancel()
    sums = {name: sum(getattr(each, name) for each in them.screens) for name in ("frames", "bytes")}
    print(json.dumps(sums | {"everybody": them.everybody}), flush=True)


@dataclass
class Watched(Table):
    """A table of which it is known which version each timed move followed."""

    seen: list[int] = field(default_factory=list)

    async def move(self, mover: Screen) -> None:
        seen, timed = mover.version, len(self.taken)
        await super().move(mover)
        self.seen += [seen] * (len(self.taken) - timed)

    async def play_moves(self, count: int) -> None:
        end = len(self.taken) + count
        while self.running and len(self.taken) < end:
            await self.step()
            await asyncio.sleep(PAUSE)


@dataclass
class Figures:
    """What phases of one kind showed, in seconds and KiB."""

    to_seats: list[float] = field(default_factory=list)
    to_all: list[float] = field(default_factory=list)
    lasted: float = 0.0
    cpu: float = 0.0
    frames: int = 0
    bytes: int = 0
    versions: int = 0
    memory: list[float] = field(default_factory=list)
    metrics: Counter[str] = field(default_factory=Counter)

    @property
    def delivery(self) -> float:
        """The server's processor seconds a frame to a spectator, the players' frames and the move included."""
        return self.cpu / self.frames

    @property
    def frame(self) -> int:
        """Bytes of a spectator's frame, in the mean."""
        return self.bytes // self.frames


@asynccontextmanager
async def audience(server: Server | Floor, slug: str, spectators: int) -> AsyncIterator[dict[str, Any]]:
    """Let spectators watch; what they saw is in the result when they have left."""
    saw = {"frames": 0, "bytes": 0, "everybody": {}}
    if not spectators:
        yield saw
        return
    command = [sys.executable, __file__, "--watch", server.url, slug, "--spectators", str(spectators)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        assert await asyncio.to_thread(process.stdout.readline) == "here\n"
        yield saw
        saw |= json.loads((await asyncio.to_thread(process.communicate))[0])
    finally:
        process.kill()
        process.wait()


async def phase(server: Server | Floor, seated: dict[str, Any], spectators: int, moves: int, figures: Figures) -> None:
    """Play a match from its beginning for so many moves, before so many spectators."""
    await asyncio.sleep(CALM)
    table = Watched([Screen(server.url, seated["slug"], session) for session in seated["sessions"]], Random(1))
    await table.open()
    before = resident_of(server.pid)
    async with audience(server, table.slug, spectators) as saw:
        figures.memory.append((resident_of(server.pid) - before) / max(1, spectators))
        await table.play_moves(WARM_UP)
        table.taken.clear()
        table.seen.clear()
        version, counted, begun, cpu = table.version, metrics(server), time.perf_counter(), used(server.pid)
        await table.play_moves(moves)
        figures.lasted += time.perf_counter() - begun
        figures.cpu += used(server.pid) - cpu
        figures.versions += table.version - version
        figures.metrics.update(metrics(server) - counted)
    everybody = {int(version): moment for version, moment in saw["everybody"].items()}
    figures.frames += saw["frames"]
    figures.bytes += saw["bytes"]
    figures.to_seats += [latency for _sent, latency in table.taken]
    arrived = [everybody.get(seen + 1) for seen in table.seen]
    figures.to_all += [at - sent for at, (sent, _latency) in zip(arrived, table.taken, strict=True) if at]
    await table.close()


def share(values: Sequence[float], part: float) -> float:
    return sorted(values)[math.ceil(part * len(values)) - 1]


def metrics(server: Server | Floor) -> Counter[str]:
    """Return the sums of what the server counts, over all labels."""
    sums: Counter[str] = Counter()
    with urllib.request.urlopen(f"{server.url}/metrics") as answer:
        for name, value in METRIC.findall(answer.read().decode()):
            sums[name] += round(float(value))
    return sums


def tell(what: str, figures: Figures) -> None:
    ms = [1000 * share(figures.to_seats, part) for part in (0.5, 0.95)]
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    print(
        f"{what:>18}: {len(figures.to_seats)} moves, to the last seat p50 {ms[0]:.1f} ms, p95 {ms[1]:.1f} ms; "
        f"load {load}",
        flush=True,
    )


def summary(without: Figures, watched: Figures, least: Figures) -> None:
    for part in (0.5, 0.95):
        ratio = share(watched.to_seats, part) / share(without.to_seats, part)
        print(f"   with / without, to the last seat, p{100 * part:.0f}: {ratio:.2f}")
    spectating = {
        "renders a version": watched.metrics["dominoes_renders_total"] / watched.versions,
        "deliveries/s": watched.frames / watched.lasted,
        "to the last socket, p50 ms": 1000 * share(watched.to_all, 0.5),
        "to the last socket, p99 ms": 1000 * share(watched.to_all, 0.99),
        "server CPU, ms a version": 1000 * watched.cpu / watched.versions,
        "server CPU without spectators, ms a version": 1000 * without.cpu / without.versions,
        "server CPU, µs a delivery": 1e6 * watched.delivery,
        "server CPU, µs a delivery of the floor": 1e6 * least.delivery,
        "with / floor, server CPU a delivery": watched.delivery / least.delivery,
        "memory a spectator, KiB": max(watched.memory),
    }
    for what, value in spectating.items():
        print(f"   {what}: {value:.2f}", flush=True)


def run(folder: Path, spectators: int, pairs: int, moves: int) -> None:
    without, watched, least = Figures(), Figures(), Figures()
    with alone(Server(folder)) as server:
        tables = iter(seed(server, tables=2 * pairs))
        for _pair in range(pairs):
            for figures, count in ((without, 0), (watched, spectators)):
                asyncio.run(phase(server, next(tables), count, moves, figures))
                tell(f"{count} spectators", figures)
            watch_floor(folder, watched.frame, spectators, moves, least)
    summary(without, watched, least)


def watch_floor(folder: Path, size: int, spectators: int, moves: int, figures: Figures) -> None:
    """Play as long a match on the floor, with frames as large as the site's to its spectators."""
    with TemporaryDirectory(dir=folder) as below, alone(Floor(Path(below), own=size, shared=size)) as floor:
        [table] = floor.seed(1, seats=SEATS)
        asyncio.run(phase(floor, table, spectators, moves, figures))
    tell("the floor", figures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--only", choices=STACKS)
    parser.add_argument("--watch", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.watch:
        site, slug = given.watch
        asyncio.run(spectate(site, slug, given.spectators))
        return
    without_limits()
    for name in [given.only] if given.only else STACKS:
        with started(name), awake(), TemporaryDirectory(prefix="dominoes-watch-") as folder:
            run(Path(folder), given.spectators, given.pairs, given.moves)


if __name__ == "__main__":
    main()
