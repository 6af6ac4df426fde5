"""The effect of attacks by one visitor on players at tables, and on the site.

``python benchmarks/attack.py [--before PATH] [--only sqlite] [--attack NAME ...]`` measures players at eight tables
without and under each attack, with a new server for each attack. It prints the moves in ten seconds, the median wait
for a move, the maximum of resident memory and of descriptors of the serving process, the answers to the attackers, and
the number of logged errors. ``--before`` measures another checkout first.

The attackers have a process and loopback addresses of their own. On a machine with two cores they compete with the
players and the server, which also slows players down. Compare ratios, on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import health
from benchmarks.players import Screen, Table, seed_matches
from benchmarks.stacks import SERVICE_SETUPS, running_services
from tests.programs import ROOT
from tests.server import Server

TABLES = 8
PAUSE_SECONDS = 0.4  # before a player's move
WARM_UP_SECONDS = 3.0
RECOVERY_SECONDS = 2.0  # after an attack
MIN_MOVES_RATIO = 0.9
MAX_WAIT_RATIO = 2.0
MAX_MEMORY_MB = 300.0
ATTACKER_ADDRESSES = [f"127.0.0.{last}" for last in range(2, 8)]


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack of a kind (see benchmarks/attackers.py), measured from ``lead_seconds`` after its start."""

    title: str
    kind: str
    count: int
    lead_seconds: float = 0.0
    command_prefix: tuple[str, ...] = ()


ATTACKS = {
    "pages": Attack("2,000 pages, 20 at once", "pages", 2000),
    "few-files": Attack("600 pages at ulimit -n 1024", "pages", 600, command_prefix=("prlimit", "--nofile=1024:1024")),
    "bodies": Attack("two bodies of 1.5 GB", "bodies", 1_500_000_000),
    "whole-bodies": Attack("300 whole bodies at once", "whole_bodies", 300),
    "chunks": Attack("4 bodies in one-byte chunks", "chunks", 4, lead_seconds=0.5),
    "log-ins": Attack("ten log-ins at once", "log_ins", 10),
    "many-log-ins": Attack("sixty log-ins at once", "log_ins", 60),
    "sockets": Attack("200 sockets, ready", "sockets", 200, lead_seconds=3.0),
    "many-sockets": Attack("600 sockets, ready", "sockets", 600, lead_seconds=6.0),
    "reconnecting": Attack("30 at once reconnecting", "reconnecting", 30, lead_seconds=3.0),
    "fragments": Attack("20 sockets, one-byte fragments", "fragments", 20, lead_seconds=3.0),
    "empty-fragments": Attack("20 sockets, empty fragments", "empty_fragments", 20, lead_seconds=3.0),
    "pings": Attack("20 sockets, pings", "pings", 20, lead_seconds=3.0),
    "pongs": Attack("20 sockets, pongs", "pongs", 20, lead_seconds=3.0),
}


@dataclass
class MoveWaits:
    """The moves of a period, and the seconds until everybody saw each."""

    seconds: float = 0.0
    moves: int = 0
    waits: list[float] = field(default_factory=list)

    @property
    def moves_in_ten_seconds(self) -> float:
        return 10 * self.moves / self.seconds

    @property
    def median_ms(self) -> float:
        return 1000 * median(self.waits) if self.waits else math.inf


@dataclass
class ReconnectingTable(Table):
    """Players who reconnect when their connections are lost."""

    sent_at: float = 0.0  # when the move that is not visible yet was sent, 0 without one
    timed_out_moves: list[tuple[float, float]] = field(default_factory=list)

    async def move(self, mover: Screen) -> None:
        self.sent_at = time.perf_counter()
        try:
            await super().move(mover)
        except TimeoutError:
            self.timed_out_moves.append((self.sent_at, time.perf_counter() - self.sent_at))
            raise
        finally:
            self.sent_at = 0.0

    async def play_until_cancelled(self) -> None:
        while True:
            with suppress(TimeoutError, OSError, WebSocketException):
                if not all(screen.is_connected for screen in self.screens):
                    await self.close()
                    await self.open()
                await self.play(until=math.inf)
            await asyncio.sleep(1)


@dataclass
class AttackResults:
    """Results of one attack."""

    baseline: MoveWaits = field(default_factory=MoveWaits)
    under_attack: MoveWaits = field(default_factory=MoveWaits)
    memory_mb: float = 0.0
    descriptors: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    errors: int = 0

    @property
    def moves_ratio(self) -> float:
        return self.under_attack.moves_in_ten_seconds / self.baseline.moves_in_ten_seconds

    @property
    def wait_ratio(self) -> float:
        return self.under_attack.median_ms / self.baseline.median_ms

    def verdict(self) -> str:
        """Return the names of the missed targets, or "passed"."""
        misses = {
            "moves": self.moves_ratio < MIN_MOVES_RATIO,
            "wait": not self.wait_ratio <= MAX_WAIT_RATIO,
            "memory": self.memory_mb > MAX_MEMORY_MB,
            "errors": self.errors > 0,
        }
        return ", ".join(name for name, is_missed in misses.items() if is_missed) or "passed"

    def __str__(self) -> str:
        before, after = self.baseline, self.under_attack
        answers = ", ".join(f"{status} x {count}" for status, count in sorted(self.answers.items()))
        return (
            f"moves in 10 s {before.moves_in_ten_seconds:.0f} -> {after.moves_in_ten_seconds:.0f} "
            f"({self.moves_ratio:.2f}); "
            f"median wait {before.median_ms:.1f} -> {after.median_ms:.1f} ms ({self.wait_ratio:.1f} times); "
            f"{self.memory_mb:.0f} MB, {self.descriptors} files; {answers}; {self.errors} errors"
        )


@asynccontextmanager
async def running_attack(attack: Attack, target: dict[str, Any], answers: Counter[str]) -> AsyncIterator[None]:
    """Run the attackers in a process of their own, and wait for their results at the end."""
    command = [sys.executable, "-m", "benchmarks.attackers", attack.kind, json.dumps(target)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    try:
        assert await asyncio.to_thread(process.stdout.readline) == "ready\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        await asyncio.sleep(attack.lead_seconds)
        yield
        answers.update(json.loads((await asyncio.to_thread(process.communicate))[0]))
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def playing_tables(server: Server) -> AsyncIterator[list[ReconnectingTable]]:
    """Let people play in endless matches until the end of the block."""
    seeded = await asyncio.to_thread(seed_matches, server, tables=TABLES, is_endless=True)
    tables = [
        ReconnectingTable(
            [Screen(server.url, row["slug"], key) for key in row["sessions"]], Random(number), pause=PAUSE_SECONDS
        )
        for number, row in enumerate(seeded)
    ]
    for table in tables:
        await table.open()
    tasks = [asyncio.create_task(table.play_until_cancelled()) for table in tables]
    await asyncio.sleep(WARM_UP_SECONDS)
    try:
        yield tables
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(table.close() for table in tables))


async def record_waits(tables: Sequence[ReconnectingTable], seconds: float, waits: MoveWaits) -> None:
    """Add the waits of the next seconds. A move not visible at the end counts with its wait so far."""
    begin = time.perf_counter()
    await asyncio.sleep(seconds)
    end = time.perf_counter()
    visible = [wait for table in tables for sent, wait in table.timed_moves if begin <= sent + wait < end]
    invisible = [wait for table in tables for sent, wait in table.timed_out_moves if begin <= sent + wait < end]
    invisible += [end - table.sent_at for table in tables if table.sent_at]
    waits.seconds += end - begin
    waits.moves += len(visible)
    waits.waits += visible + invisible


async def measure_attack(server: Server, attack: Attack, seconds: float, rounds: int) -> AttackResults:
    """Measure play without and under attack, alternately."""
    results, samples = AttackResults(), list[health.Sample]()
    sampling = asyncio.create_task(health.collect_samples(server.pid, samples, 0.1))
    async with playing_tables(server) as tables:
        target = {"port": server.port, "slug": tables[0].slug, "sources": ATTACKER_ADDRESSES, "count": attack.count}
        for _ in range(rounds):
            await record_waits(tables, seconds, results.baseline)
            async with running_attack(attack, target | {"seconds": attack.lead_seconds + seconds}, results.answers):
                await record_waits(tables, seconds, results.under_attack)
            await asyncio.sleep(RECOVERY_SECONDS)
    sampling.cancel()
    results.memory_mb = max(sample.memory_mb for sample in samples)
    results.descriptors = max(sample.descriptors for sample in samples)
    results.errors = len(server.errors())
    return results


def run_attack(attack: Attack, checkouts: Sequence[Path], seconds: float, rounds: int) -> bool:
    """Print the results for each checkout. Return True if the last one passed."""
    verdict = ""
    for root in checkouts:
        with (
            TemporaryDirectory(prefix="dominoes-attack-") as folder,
            Server(Path(folder), root=root, command_prefix=attack.command_prefix) as server,
        ):
            results = asyncio.run(measure_attack(server, attack, seconds, rounds))
        verdict = results.verdict()
        print(f"{attack.title} | {root.name} | {results} | {verdict}", flush=True)
    return verdict == "passed"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=Path, help="a checkout to measure first")
    parser.add_argument("--only", choices=SERVICE_SETUPS)
    parser.add_argument("--attack", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=1, help="number of measurements without and under attack")
    arguments = parser.parse_args()
    checkouts = [arguments.before.resolve(), ROOT] if arguments.before else [ROOT]
    have_passed = True
    for name in [arguments.only] if arguments.only else SERVICE_SETUPS:
        with running_services(name):
            for attack in arguments.attack:
                have_passed &= run_attack(ATTACKS[attack], checkouts, arguments.seconds, arguments.rounds)
    return 0 if have_passed else 1


if __name__ == "__main__":
    sys.exit(main())
