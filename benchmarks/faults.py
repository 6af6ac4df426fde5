"""What people at tables notice when what the site stands on fails: ``python -m benchmarks.faults kill stop both``.

* ``sleep``: the process is stopped when every seat to move has five seconds left, and goes on after twenty; all have
  sent their moves while it slept. Nobody may lose a seat.
* ``stop``: the process is stopped for eighty seconds. * ``kill``: It is killed, and started again after fifteen.
  Whoever had ninety seconds has them still, and twenty more.
* ``locked``: another program holds SQLite's lock for twelve seconds.
* ``database``: PostgreSQL is stopped at once, and started after ``--away`` seconds. * ``redis``: Redis is killed
  likewise. * ``both``: Both are.

Each plays tables of four and prints what came of them, and how many lines the log got.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import signal
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchmarks import stacks
from benchmarks.agents import Agent
from benchmarks.outages import Services
from benchmarks.players import Screen, Table, seed
from tests.server import Server

DOWN_SECONDS, STOP_SECONDS = 15, 80
PATIENCE, WARM_UP, SETTLED_SECONDS = 30, 8, 15
THINKS = 0.8, 1.2
DATABASE_SECONDS = "5"
"""As on a site; ``Server`` waits longer."""
SHORT = """
from datetime import timedelta
from django.utils import timezone
from games.models import Match
now = timezone.now()
began, due = now - timedelta(seconds=10), now + timedelta(seconds=5)
for match in Match.objects.all():
    Match.objects.filter(pk=match.pk).update(
        clock="fast", banks=[0] * match.seat_count, turn_started_at=began, due_at=due
    )
"""
LEFT = """
from datetime import timedelta
from django.utils import timezone
from games.models import Match
now = timezone.now()
answer = Match.objects.filter(due_kind="timeout").update(
    clock="normal", banks=[60_000] * 4, turn_started_at=now, due_at=now + timedelta(seconds=90)
)
"""
"""Whoever is to move has 90 seconds left, 60 of them in the bank."""
HARM = """
from games.models import ConductMark, Seat
answer = {"conduct_points": ConductMark.objects.count(), "late_or_held": Seat.objects.exclude(state="active").count()}
"""
KEPT = "from games.models import Seat; print('bots', Seat.objects.exclude(bot='').count())"

UNAVAILABLE = "temporarily unavailable"
Break = Callable[[Server], Awaitable[float]]
"""Break the site and mend it; return when (``time.perf_counter``) the mending began."""


def tables_of(server: Server, seeded: Sequence[dict[str, Any]]) -> list[Table]:
    return [Table([Screen(server.url, t["slug"], s) for s in t["sessions"]], Random(1), pause=0.5) for t in seeded]


def manage(server: Server, code: str) -> str:
    return server.manage("shell", "--no-imports", "-c", code).strip()


def tell(server: Server, lines: int, **figures: object) -> None:
    log = server.log().splitlines()[lines:]
    figures |= {
        "lines_of_the_log": len(log),
        "of_them_outages": sum("] outage " in line for line in log),
        "tracebacks": sum("Traceback" in line for line in log),
    }
    print("  " + ", ".join(f"{name.replace('_', ' ')} {figure}" for name, figure in figures.items()), flush=True)


async def sleep(server: Server, seeded: Sequence[dict[str, Any]]) -> None:
    tables = tables_of(server, seeded)
    for table in tables:
        await table.open()
    lines = len(server.log().splitlines())
    await asyncio.to_thread(manage, server, SHORT)
    os.kill(server.pid, signal.SIGSTOP)
    movers = [(table, mover, mover.version) for table in tables if (mover := table.mover())]
    for table, mover, version in movers:
        await mover.send({"type": "move", "move": table.chance.choice(mover.moves + mover.tiles), "v": version})
    await asyncio.sleep(20)
    os.kill(server.pid, signal.SIGCONT)
    await asyncio.sleep(5)
    made = sum(mover.version > version for _table, mover, version in movers)
    bots = await asyncio.to_thread(manage, server, KEPT)
    tell(server, lines, tapped=len(movers), made=made, lost_their_seat=bots.removeprefix("bots "))
    await asyncio.gather(*(table.close() for table in tables))


async def killed(server: Server) -> float:
    await asyncio.to_thread(server.kill)
    await asyncio.sleep(DOWN_SECONDS)
    mending = time.perf_counter()
    await asyncio.to_thread(server.start)
    return mending


async def stopped(server: Server) -> float:
    os.kill(server.pid, signal.SIGSTOP)
    await asyncio.sleep(STOP_SECONDS)
    mending = time.perf_counter()
    os.kill(server.pid, signal.SIGCONT)
    return mending


async def interrupted(server: Server, seeded: Sequence[dict[str, Any]], fault: Break) -> None:
    """Give whoever is to move 90 seconds, let the site fail, and see what is left, and whether all go on."""
    async with agents_at(server, seeded, presses=False) as tables:
        pages = [page for table in tables for page in table]
        await until(lambda: all(page.screen.version for page in pages))
        lines = len(server.log().splitlines())
        await asyncio.to_thread(server.answer, LEFT)
        began = time.perf_counter()
        mending = await fault(server)
        back, back_ms = time.perf_counter(), time.time() * 1000
        await until(lambda: all(page.screen.arrived > mending for page in pages))
        shown = sorted(page.screen.arrived - back for page in pages)
        left = sorted((page.screen.deadline - back_ms) / 1000 for page in pages)
        harm = await asyncio.to_thread(server.answer, HARM)
        went_on = await going_on(tables)
        tell(
            server,
            lines,
            away=f"{back - began:.0f} s",
            left_when_the_site_is_back=f"{left[0]:.1f} to {left[-1]:.1f} s",
            pages_that_show_it=f"{len(shown)}, the last after {shown[-1]:.1f} s",
            tables_that_went_on=f"{went_on} of {len(tables)}",
            **harm,
        )


async def going_on(tables: Sequence[Sequence[Agent]]) -> int:
    """Let everybody press again, and return at how many tables all pages show a move then."""
    versions = [max(page.screen.version for page in table) for table in tables]
    for page in (page for table in tables for page in table):
        page.wake()

    def moved() -> list[bool]:
        return [
            all(page.screen.version > version for page in table)
            for table, version in zip(tables, versions, strict=True)
        ]

    with suppress(TimeoutError):
        await until(lambda: all(moved()))
    return sum(moved())


async def without(
    server: Server, seeded: Sequence[dict[str, Any]], fault: Callable[[Server], Awaitable[None]]
) -> None:
    """Play, break and mend, and play on."""
    async with agents_at(server, seeded) as tables:
        pages = [page for table in tables for page in table]
        await asyncio.sleep(WARM_UP)
        connections = sum(page.connections for page in pages)
        lines, began = len(server.log().splitlines()), time.perf_counter()
        await fault(server)
        back = time.perf_counter()
        await asyncio.sleep(SETTLED_SECONDS)
        gaps = [min((at - back for at, _version in page.saw if at > back), default=math.inf) for page in pages]
        usual = [two - one for page in pages for (one, _), (two, _) in pairwise(page.saw) if two < began]
        tell(
            server,
            lines,
            away=f"{back - began:.0f} s",
            closed_for_good=sum(page.is_closed_for_good for page in pages),
            reconnected=sum(page.connections for page in pages) - connections,
            told_that_nothing_can_be_saved=sum(UNAVAILABLE in text for p in pages for text in p.refusals),
            versions_seen_meanwhile=sum(began < at < back for page in pages for at, _version in page.saw),
            pages_that_went_on=f"{sum(gap < math.inf for gap in gaps)} of {len(gaps)}",
            median=f"{median(gaps):.1f} s",
            last=f"{max(gaps):.1f} s",
            usual_between_two_moves=f"{median(usual):.1f} s",
        )


@asynccontextmanager
async def agents_at(
    server: Server, seeded: Sequence[dict[str, Any]], *, presses: bool = True
) -> AsyncIterator[list[list[Agent]]]:
    """Seat people at tables until the end."""
    chance = Random(1)
    tables = [
        [Agent(server.url, table["slug"], key, chance, thinks=THINKS) for key in table["sessions"]] for table in seeded
    ]
    staying = []
    for page in (page for table in tables for page in table):
        page.presses = presses
        staying.append(asyncio.create_task(page.stay()))
    try:
        yield tables
    finally:
        for task in staying:
            task.cancel()
        await asyncio.gather(*staying, return_exceptions=True)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.05)


async def locked(server: Server) -> None:
    with sqlite3.connect(server.folder / "dominoes.sqlite3", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(12)
        other.execute("ROLLBACK")


ON_SQLITE: dict[str, Callable[[Server, Sequence[dict[str, Any]]], Coroutine[Any, Any, None]]] = {
    "sleep": sleep,
    "stop": partial(interrupted, fault=stopped),
    "kill": partial(interrupted, fault=killed),
    "locked": partial(without, fault=locked),
}
ON_SERVICES = ("database", "redis", "both")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("faults", nargs="+", choices=(*ON_SQLITE, *ON_SERVICES))
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--away", type=float, default=10)
    given = parser.parse_args()
    stacks.without_limits()
    with ExitStack() as whole:
        services = Services(whole) if {*given.faults} & {*ON_SERVICES} else None
        for fault in given.faults:
            play(fault, services if fault in ON_SERVICES else None, given)


def play(fault: str, services: Services | None, given: argparse.Namespace) -> None:
    for address in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(address, None)
    os.environ |= services.addresses if services else {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder), DATABASE_SECONDS=DATABASE_SECONDS) as server,
    ):
        seeded = seed(server, tables=given.tables, rounds=1)
        print(fault, flush=True)
        if services:
            away = partial(services.away, fault=fault, seconds=given.away)
            asyncio.run(without(server, seeded, away))
        else:
            asyncio.run(ON_SQLITE[fault](server, seeded))


if __name__ == "__main__":
    main()
