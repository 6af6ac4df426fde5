"""What a table costs, and how that grows: ``python -m benchmarks.tables [PART ...] [--seconds 20] [--pairs 2]``.

People move as people do, every four seconds in the mean, and their pages send heartbeats; bots play at their usual
tempo. A site is started for each figure. Its processor time is that of the web processes, of their workers (in which
bots think) and of PostgreSQL and Redis; what it uses with nobody there is taken off. Prints it for a move and for a
minute of a table, and how many tables the web process carries on a core that it keeps busy. What is compared takes
turns; a ratio is printed for each pair.

* ``kinds``: four people; one person and three bots; four people and 1,000 spectators.
* ``growth``: with rounds, tables and spectators, each beside the least.
* ``history``: with 100,000 finished matches in PostgreSQL beside none.
* ``processes``: two web processes and a clock beside one process for everything, with PostgreSQL and Redis. Either all
  people of a table are at the same process, or every other one is at the other, which is the dearest case.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.live import TICKS, family, ratio, ticks_of
from benchmarks.minutes import MOVE
from benchmarks.outages import Services
from benchmarks.players import Screen, Table, seed
from benchmarks.stacks import STACKS, started, without_limits
from tests.programs import ROOT, manage_of, python
from tests.server import Server

CALM, WARM_UP = 3.0, 5.0
FEW, TABLES, MANY = 16, 64, 256
LATE_ROUND, FINISHED, SPECTATORS = 20, 100_000, (0, 100, 1000)
Kinds = dict[str, dict[str, Any]]
ALONE: Mapping[str, Any] = {}
PROCESSES: Kinds = {
    "one web process": {},
    "two, a table at one": {"processes": 2},
    "two, a table at both": {"processes": 2, "apart": True},
}
PARTS = "web", "workers", "services"
MOVES = """
from datetime import datetime, timezone
from games.models import MatchEvent
begin, end = [datetime.fromtimestamp(moment, timezone.utc) for moment in {}]
answer = MatchEvent.objects.filter(kind__in=("played", "drew", "passed"), at__gte=begin, at__lt=end).count()
"""
FILL = """
from benchmarks.history import fill
from django.core.management.color import no_style
from django.db import connection
from accounts.models import User
from games.models import Match, MatchEvent, Seat
fill({}, 20_000, 8)
with connection.cursor() as cursor:
    for statement in connection.ops.sequence_reset_sql(no_style(), [User, Match, MatchEvent, Seat]):
        cursor.execute(statement)
    cursor.execute("VACUUM (ANALYZE)")
"""


@dataclass
class Site:
    """Web processes on one database, of which the first began, and the processes that all of them stand on."""

    servers: list[Server]
    clocks: list[subprocess.Popen[bytes]] = field(default_factory=list)
    services: Services | None = None
    apart: bool = False

    def places(self) -> Iterator[Iterator[str]]:
        """Yield, without end, where the people of a table are: all at one process, or at one after the other."""
        addresses = [server.url for server in self.servers]
        for address in cycle(addresses):
            yield cycle(addresses if self.apart else [address])

    def used(self) -> dict[str, float]:
        """Return the processor seconds of each part."""
        own = [server.pid for server in self.servers] + [clock.pid for clock in self.clocks]
        below = [pid for each in own for pid in family(each) if pid != each]
        services = [self.services.redis.pid, self.services.postgres.get_pid()] if self.services else []
        under = [pid for each in services if each for pid in family(each)]
        return {part: seconds(pids) for part, pids in zip(PARTS, (own, below, under), strict=True)}


def seconds(pids: Sequence[int]) -> float:
    """Return the processor seconds of processes; one may just have ended."""
    ticks = 0
    for pid in pids:
        with suppress(FileNotFoundError):
            ticks += ticks_of(pid)
    return ticks / TICKS


@contextmanager
def site(
    services: Services | None = None, *, processes: int = 1, apart: bool = False, finished: int = 0
) -> Iterator[Site]:
    """Serve: in one process, or in several with a clock beside them; with so many finished matches."""
    options = ("--no-clock",) if processes > 1 else ()
    with TemporaryDirectory(prefix="dominoes-tables-") as folder, ExitStack() as stack:
        first = stack.enter_context(Server(Path(folder), *options))
        found = Site([first], services=services, apart=apart)
        if finished:
            command = [python(ROOT), "-c", FILL.format(finished)]
            subprocess.run(command, env=first.environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        for number in range(1, processes):
            other = Server(Path(folder) / str(number), *options)
            other.folder.mkdir()
            other.environment = first.environment
            other.start()
            stack.callback(other.stop)
            found.servers.append(other)
        if options:
            found.clocks = [subprocess.Popen([*manage_of(ROOT), "clock"], env=first.environment)]
            stack.callback(found.clocks[0].wait)
            stack.callback(found.clocks[0].terminate)
        yield found


@dataclass(frozen=True)
class Cost:
    """What tables cost in so many seconds: processor seconds of each part. People were in so much more of a haste."""

    tables: int
    seconds: float
    moves: int
    parts: Mapping[str, float]
    haste: float

    @property
    def move_ms(self) -> float:
        return 1000 * sum(self.parts.values()) / self.moves

    @property
    def minutes(self) -> dict[str, float]:
        """Processor milliseconds of each part for a minute of a table."""
        return {part: 60_000 * used / self.seconds / self.tables / self.haste for part, used in self.parts.items()}

    def __str__(self) -> str:
        shares = ", ".join(f"{part} {milliseconds:.0f}" for part, milliseconds in self.minutes.items() if milliseconds)
        carried = 60_000 / max(1.0, self.minutes["web"])
        return (
            f"{self.moves / self.seconds:5.1f} moves/s; CPU {self.move_ms:5.2f} ms a move; ms a table and minute: "
            f"{shares}; {carried:.0f} tables a core"
        )


async def spent(of: Site, lasting: float) -> dict[str, float]:
    """Return what the site uses in so many seconds from now on."""
    before = of.used()
    await asyncio.sleep(lasting)
    return {part: used - before[part] for part, used in of.used().items()}


async def play(of: Site, seeded: Sequence[dict[str, Any]], lasting: float, spectators: int, pause: float) -> Cost:
    """Sit at the tables, each before so many spectators, and play."""
    tables = [
        Table(
            [Screen(next(places), table["slug"], session) for session in table["sessions"]],
            Random(table["slug"]),
            watchers=[Screen(next(places), table["slug"]) for _ in range(spectators)],
            pause=pause,
        )
        for table, places in zip(seeded, of.places(), strict=False)
    ]
    for table in tables:
        await table.open()
    until = time.perf_counter() + WARM_UP + lasting + 1
    playing = [asyncio.create_task(stay(table, until)) for table in tables]
    await asyncio.sleep(WARM_UP)
    begin = time.time()
    used = await spent(of, lasting)
    moves = await asyncio.to_thread(of.servers[0].answer, MOVES.format((begin, time.time())))
    await asyncio.gather(*playing)
    await asyncio.gather(*(table.close() for table in tables))
    return Cost(len(tables), lasting, moves, used, MOVE / pause if pause else 1.0)


async def stay(table: Table, until: float) -> None:
    """Play on, however long the others take, and send heartbeats as the pages of players do."""
    beating = [asyncio.create_task(screen.beat(table.chance)) for screen in table.screens]
    while table.running and time.perf_counter() < until:
        with suppress(TimeoutError):
            await table.play(until=until)
    for beats in beating:
        beats.cancel()


def measured(
    what: str, lasting: float, *, pause: float = MOVE, spectators: int = 0, on: Mapping[str, Any] = ALONE, **how: Any
) -> Cost:
    """Start a site, measure tables of one kind, and print what they cost."""
    with site(**on) as serving:
        asyncio.run(asyncio.sleep(CALM))
        idle = asyncio.run(spent(serving, lasting))
        found = asyncio.run(play(serving, seed(serving.servers[0], **how), lasting, spectators, pause))
        found = replace(found, parts={part: max(0.0, used - idle[part]) for part, used in found.parts.items()})
    print(f"{what:>44}: {found}", flush=True)
    return found


def kinds(lasting: float, pairs: int) -> None:
    """Print what tables of each kind cost."""
    with started("sqlite"):
        for _ in range(pairs):
            measured(f"{TABLES} tables of four people", lasting, tables=TABLES)
            measured(f"{TABLES} tables of a person and three bots", lasting, tables=TABLES, bots=3)
            measured("a table with 1,000 spectators, in haste", lasting, spectators=1000, pause=MOVE / 4)


def growth(lasting: float, pairs: int) -> None:
    """Print what a move costs as there is more of something."""
    with started("sqlite"):
        for _ in range(pairs):
            rounds: Kinds = {
                f"{FEW} tables, round {number}": {"tables": FEW, "rounds": number - 1} for number in (1, LATE_ROUND)
            }
            tables: Kinds = {f"{number} tables": {"tables": number} for number in (FEW, TABLES, MANY)}
            spectators: Kinds = {
                f"a table with {number} spectators, in haste": {"spectators": number, "pause": MOVE / 8}
                for number in SPECTATORS
            }
            compare(rounds, lasting)
            compare(tables, lasting)
            compare(spectators, lasting)


def history(lasting: float, pairs: int) -> None:
    """Print what a move costs with many finished matches."""
    with services_running() as services:
        for _ in range(pairs):
            kept: Kinds = {
                f"{number:,} finished matches": {"on": {"services": services, "finished": number}, "tables": TABLES}
                for number in (0, FINISHED)
            }
            compare(kept, lasting)


def processes(lasting: float, pairs: int) -> None:
    """Print what a move costs with two web processes, and how fast both are."""
    with services_running() as services:
        for pause, rhythm in ((MOVE, "as people do"), (0.0, "as fast as they go")):
            for _ in range(pairs):
                served: Kinds = {
                    f"{what}, {rhythm}": {"on": {"services": services, **on}, "tables": TABLES, "pause": pause}
                    for what, on in PROCESSES.items()
                }
                (first, one), *others = compare(served, lasting).items()
                for what, each in others:
                    ratio(f"moves/s with {what}", each.moves / one.moves, f"those with {first}")


@contextmanager
def services_running() -> Iterator[Services]:
    """Have every site that starts meanwhile use a PostgreSQL and a Redis."""
    with ExitStack() as stack:
        print(STACKS["services"], flush=True)
        services = Services(stack)
        os.environ |= services.addresses
        yield services
    for name in services.addresses:
        del os.environ[name]


def compare(tables: Kinds, lasting: float) -> dict[str, Cost]:
    """Measure tables of several kinds, and print how many times the first cost of a move the others are."""
    found = {what: measured(what, lasting, **how) for what, how in tables.items()}
    (first, least), *others = found.items()
    for what, each in others:
        ratio(what, each.move_ms / least.move_ms, f"the CPU of a move with {first}")
    return found


def main() -> None:
    parts = {part.__name__: part for part in (kinds, growth, history, processes)}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="*", choices=[*parts, []], metavar="PART", help=", ".join(parts))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pairs", type=int, default=2)
    given = parser.parse_args()
    without_limits()
    for part in given.part or parts:
        parts[part](given.seconds, given.pairs)


if __name__ == "__main__":
    main()
