"""One match and its spectators: what they cost the site, and how long its players wait.

``python benchmarks/watch.py [--spectators 1000] [--pairs 4] [--moves 40] [--only sqlite]`` plays matches on a server,
in turn without spectators, with spectators in one language and with spectators in six. It prints how long players
waited for each other's moves, the time until the last spectator had a move, the server's CPU time for one more
delivery, and how much more CPU six languages cost than one.

The spectators' process runs only while the players' process is idle, as if it had a machine of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.live import cpu_seconds
from benchmarks.players import HEARTBEAT_SECONDS, VERSION_PATTERN, Screen, Table, seed_matches
from benchmarks.stacks import SERVICE_SETUPS, disable_limits, running_services
from tests.server import Server

ONE_LANGUAGE = ("en",)
ALL_LANGUAGES = ("en", "hu", "cs", "sk", "it", "pl")
os.environ["INCOMPLETE_LANGUAGES"] = "1"  # the site renders once for each language, translated or not
CONNECT_BATCH = 50
PAUSE_SECONDS = 0.3  # between two moves
IDLE_SECONDS = 2.0  # before each match
WARM_UP_MOVES = 5


@dataclass
class Spectators:
    """All spectators of a match, and the time when the last of them received each version."""

    slug: str
    languages: Sequence[str]
    screens: list[Spectator] = field(default_factory=list)
    receivers_by_version: Counter[int] = field(default_factory=Counter)
    complete_at: dict[int, float] = field(default_factory=dict)

    async def open(self, site: str, count: int) -> None:
        self.screens = [Spectator(site, self.slug, number, self) for number in range(count)]
        for begin in range(0, count, CONNECT_BATCH):
            await asyncio.gather(*(screen.open() for screen in self.screens[begin : begin + CONNECT_BATCH]))
        while not all(screen.version for screen in self.screens):
            await asyncio.sleep(0.1)

    async def send_heartbeats(self) -> None:
        """Send evenly spread heartbeats from pages that received no frame for the time of a heartbeat."""
        while True:
            for screen in self.screens:
                if time.perf_counter() - screen.arrived_at >= HEARTBEAT_SECONDS:
                    await screen.send({"type": "seen"})
                await asyncio.sleep(HEARTBEAT_SECONDS / len(self.screens))

    def count_versions(self, before: int, version: int, now: float) -> None:
        for number in range(before + 1, version + 1):
            self.receivers_by_version[number] += 1
            if self.receivers_by_version[number] == len(self.screens):
                self.complete_at[number] = now


class Spectator(Screen):
    """A screen that reads only the version from its frames."""

    def __init__(self, site: str, slug: str, number: int, spectators: Spectators) -> None:
        super().__init__(site, slug)
        self.headers["Accept-Language"] = spectators.languages[number % len(spectators.languages)]
        self.spectators = spectators

    def receive(self, frame: str, now: float) -> None:
        if match := VERSION_PATTERN.search(frame):
            self.frames += 1
            before, self.version, self.arrived_at = self.version, int(match[1]), now
            self.spectators.count_versions(before, self.version, now)


async def run_spectators(site: str, slug: str, count: int, languages: Sequence[str]) -> None:
    """Watch in a process of its own until the input ends, then print the number of frames and when they arrived."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    spectators = Spectators(slug, languages)
    await spectators.open(site, count)
    for screen in spectators.screens:
        screen.frames = 0
    print("ready", flush=True)
    heartbeats = asyncio.create_task(spectators.send_heartbeats())
    await asyncio.to_thread(sys.stdin.read)
    heartbeats.cancel()
    frames = sum(screen.frames for screen in spectators.screens)
    print(json.dumps({"frames": frames, "complete_at": spectators.complete_at}), flush=True)


@dataclass
class WatchedTable(Table):
    """A table that stores the version before each timed move."""

    versions: list[int] = field(default_factory=list)

    async def move(self, mover: Screen) -> None:
        version, timed = mover.version, len(self.timed_moves)
        await super().move(mover)
        self.versions += [version] * (len(self.timed_moves) - timed)

    async def play_moves(self, count: int) -> None:
        end = len(self.timed_moves) + count
        while self.is_running and len(self.timed_moves) < end:
            await self.make_move_or_confirm_ready()
            await asyncio.sleep(PAUSE_SECONDS)


@dataclass
class DeliveryResults:
    """Results of all matches with, or without, spectators, in seconds."""

    seat_latencies: list[float] = field(default_factory=list)
    spectator_latencies: list[float] = field(default_factory=list)
    cpu: float = 0.0
    frames: int = 0


@asynccontextmanager
async def watching_spectators(
    server: Server, slug: str, spectators: int, languages: Sequence[str]
) -> AsyncIterator[dict[str, Any]]:
    """Let spectators watch. Afterwards the yielded dictionary contains their results."""
    spectator_results: dict[str, Any] = {"frames": 0, "complete_at": {}}
    if not spectators:
        yield spectator_results
        return
    command = [sys.executable, __file__, "--watch", server.url, slug, "--spectators", str(spectators)]
    command += ["--languages", *languages]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        assert await asyncio.to_thread(process.stdout.readline) == "ready\n"
        yield spectator_results
        spectator_results |= json.loads((await asyncio.to_thread(process.communicate))[0])
    finally:
        process.kill()
        process.wait()


async def play_match(
    server: Server,
    seeded: dict[str, Any],
    moves: int,
    results: DeliveryResults,
    *,
    spectators: int = 0,
    languages: Sequence[str] = (),
) -> None:
    """Play the first moves of a match and add the results."""
    await asyncio.sleep(IDLE_SECONDS)
    table = WatchedTable([Screen(server.url, seeded["slug"], key) for key in seeded["sessions"]], Random(1))
    await table.open()
    async with watching_spectators(server, table.slug, spectators, languages) as spectator_results:
        await table.play_moves(WARM_UP_MOVES)
        table.timed_moves.clear()
        table.versions.clear()
        cpu = cpu_seconds(server.pid)
        await table.play_moves(moves)
        results.cpu += cpu_seconds(server.pid) - cpu
    results.frames += spectator_results["frames"]
    results.seat_latencies += [latency for _sent, latency in table.timed_moves]
    complete_at = {int(version): moment for version, moment in spectator_results["complete_at"].items()}
    for version, (sent, _latency) in zip(table.versions, table.timed_moves, strict=True):
        if moment := complete_at.get(version + 1):
            results.spectator_latencies.append(moment - sent)
    await table.close()


def percentile_ms(values: Sequence[float], quantile: float) -> float:
    return 1000 * sorted(values)[math.ceil(quantile * len(values)) - 1]


def print_results(unwatched: DeliveryResults, watched: DeliveryResults, in_one_language: DeliveryResults) -> None:
    for name, results in (("without", unwatched), ("with", watched)):
        p50, p95 = (percentile_ms(results.seat_latencies, quantile) for quantile in (0.5, 0.95))
        print(
            f"{name} spectators: to the last seat p50 {p50:.1f} ms, p95 {p95:.1f} ms "
            f"({len(results.seat_latencies)} moves)"
        )
    summary = {
        "to the last spectator, p50 ms": percentile_ms(watched.spectator_latencies, 0.5),
        "to the last spectator, p99 ms": percentile_ms(watched.spectator_latencies, 0.99),
        "server CPU of one more delivery, µs": 1e6 * (watched.cpu - unwatched.cpu) / watched.frames,
        "server CPU with six languages / with one": watched.cpu / in_one_language.cpu,
    }
    for name, value in summary.items():
        print(f"   {name}: {value:.2f}", flush=True)


def measure_setup(folder: Path, spectators: int, pairs: int, moves: int) -> None:
    unwatched, watched, in_one_language = DeliveryResults(), DeliveryResults(), DeliveryResults()
    with Server(folder) as server:
        tables = iter(seed_matches(server, tables=3 * pairs))
        for _pair in range(pairs):
            asyncio.run(play_match(server, next(tables), moves, unwatched))
            for languages, results in ((ONE_LANGUAGE, in_one_language), (ALL_LANGUAGES, watched)):
                match = play_match(server, next(tables), moves, results, spectators=spectators, languages=languages)
                asyncio.run(match)
    print_results(unwatched, watched, in_one_language)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--only", choices=SERVICE_SETUPS)
    parser.add_argument("--watch", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--languages", nargs="*", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.watch:
        site, slug = arguments.watch
        asyncio.run(run_spectators(site, slug, arguments.spectators, arguments.languages))
        return
    disable_limits()
    for name in [arguments.only] if arguments.only else SERVICE_SETUPS:
        with running_services(name), TemporaryDirectory(prefix="dominoes-watch-") as folder:
            measure_setup(Path(folder), arguments.spectators, arguments.pairs, arguments.moves)


if __name__ == "__main__":
    main()
