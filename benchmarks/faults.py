"""Faults of a running site: nginx, two web processes, two clocks, PostgreSQL and Redis, with players at tables.

``python benchmarks/faults.py [--tables 12] [--only kill redis_away] [--spread]`` breaks one part after the other and
prints for each: acknowledged moves that are missing in the records, the time until the pages that lost their
connections were back, the longest time without a move at a table, and responses with an error.

All parts run from the files of ``deploy/`` (``benchmarks.kit``). With ``--spread`` the players of a table use
different processes. Every other table has two bots, so it stands without a clock. Fails if a fault loses a move,
answers a 500 or exceeds ``Limits``.

``--only update --first COMMIT --build "make release"`` measures an update from an older commit to the newest, which
migrates the database and builds the release while people play.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import random
import shutil
import signal
import ssl
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.kit import Kit, control_postgres, running_kit
from benchmarks.players import seed_matches
from benchmarks.records import move_after, read_records
from benchmarks.returning_pages import BusyTable, Page
from deploy.operation.installation import DEFAULTS
from games.engine.events import Event
from tests.proxy import Proxy

PAUSE_SECONDS = 0.7  # between two moves at a table
CALM_SECONDS = 4.0  # of play before each fault, and after the site has recovered
RECOVERY_SECONDS = 90.0  # the longest wait for the site to recover
OUTAGE_SECONDS = 20.0
RESTARTS = {"RESTART_PAUSE_SECONDS": DEFAULTS["RESTART_PAUSE_SECONDS"]}  # tests do without
PAGE_LOAD_INTERVAL_SECONDS = 0.3


async def kill(kit: Kit) -> None:
    """kill -9 of a web process, started again after five seconds"""
    await asyncio.to_thread(kit.services.end, kit.web[0], signal.SIGKILL)
    await asyncio.sleep(5)
    await asyncio.to_thread(kit.services.start, kit.web[0])


async def rolling_restart(kit: Kit) -> None:
    """each web process stopped and started, one after the other"""
    for unit in kit.web:
        await asyncio.to_thread(kit.services.restart, unit)


async def update(kit: Kit) -> None:
    """update to another commit with the command ``dominoes``"""
    await asyncio.to_thread(kit.update)


async def rollback(kit: Kit) -> None:
    """and back"""
    await asyncio.to_thread(kit.machine.dominoes, "rollback")


async def clock_killed(kit: Kit) -> None:
    """kill -9 of one of two clocks, started again after ten seconds"""
    await asyncio.to_thread(kit.services.end, kit.clocks[0], signal.SIGKILL)
    await asyncio.sleep(10)
    await asyncio.to_thread(kit.services.start, kit.clocks[0])


async def clocks_killed(kit: Kit) -> None:
    """kill -9 of both clocks, started again at once, as systemd does"""
    for unit in kit.clocks:
        await asyncio.to_thread(kit.services.end, unit, signal.SIGKILL)
    await asyncio.to_thread(kit.services.start, *kit.clocks)


async def clocks_restarted(kit: Kit) -> None:
    """each clock stopped and started, one after the other"""
    for unit in kit.clocks:
        await asyncio.to_thread(kit.services.restart, unit)


async def redis_restart(kit: Kit) -> None:
    """Redis restarted"""
    await asyncio.to_thread(kit.redis.stop)
    await asyncio.to_thread(kit.redis.start)


async def redis_away(kit: Kit) -> None:
    """Redis away for 20 seconds"""
    await asyncio.to_thread(kit.redis.stop)
    await asyncio.sleep(OUTAGE_SECONDS)
    await asyncio.to_thread(kit.redis.start)


async def nothing(kit: Kit) -> None:
    """no fault, for comparison"""
    await asyncio.sleep(OUTAGE_SECONDS)


async def postgres_restart(kit: Kit) -> None:
    """PostgreSQL restarted"""
    await asyncio.to_thread(control_postgres, kit.database, "restart")


OUTAGES = {redis_restart.__name__, redis_away.__name__, postgres_restart.__name__}  # these are logged as errors
GENTLE = {rolling_restart.__name__, update.__name__, rollback.__name__}  # during these every page answers
Fault = Callable[[Kit], Awaitable[None]]
FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        nothing,
        kill,
        rolling_restart,
        update,
        rollback,
        clock_killed,
        clocks_killed,
        clocks_restarted,
        redis_restart,
        redis_away,
        postgres_restart,
    )
}


@dataclass(frozen=True)
class Limits:
    """The longest times, in seconds, that pages may be away and that a table may have no move during an update."""

    away_p95: float = 5.0
    away: float = 10.0
    gap: float = 5.0


@dataclass
class Period:
    """The time of a fault, from its beginning until the site has recovered."""

    name: str
    begin: float
    action_seconds: float = 0.0  # until everything was started again
    end: float = 0.0
    has_recovered: bool = True
    load: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    longest_answer: float = 0.0  # seconds


@dataclass
class PageLoads:
    """Somebody who loads pages until cancelled."""

    kit: Kit
    answers: list[tuple[str, float]] = field(default_factory=list)  # statuses and seconds

    async def go_on(self) -> None:
        tls = certificate_context(self.kit.proxy)
        paths = ["/", "/tv/", "/rules/kozel/", "/healthz"]
        for number in range(sys.maxsize):
            began = time.perf_counter()
            status = await asyncio.to_thread(get_status, self.kit.proxy, tls, paths[number % len(paths)])
            self.answers.append((status, time.perf_counter() - began))
            await asyncio.sleep(PAGE_LOAD_INTERVAL_SECONDS)


def get_status(proxy: Proxy, tls: ssl.SSLContext, path: str) -> str:
    connection = HTTPSConnection("localhost", proxy.https_port, context=tls, timeout=20)
    try:
        connection.request("GET", path)
        return f"{connection.getresponse().status}"
    except (OSError, HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()


def seat_players(kit: Kit, count: int, pause: float = PAUSE_SECONDS) -> list[BusyTable]:
    """Start endless matches of people, every other one with two bots, with a pause after each move."""
    site, tls = kit.commands(), certificate_context(kit.proxy)
    seeded = [
        *seed_matches(site, tables=count // 2, is_endless=True),
        *seed_matches(site, tables=count - count // 2, bots=2, is_endless=True),
    ]
    return [
        BusyTable(
            [Page(kit.proxy.url, tls, row["slug"], session) for session in row["sessions"]],
            random.Random(row["slug"]),
            pause,
        )
        for row in seeded
    ]


async def run_faults(
    kit: Kit,
    tables: Sequence[BusyTable],
    names: Sequence[str],
    calm_seconds: float = CALM_SECONDS,
    faults: Mapping[str, Fault] = FAULTS,
) -> list[Period]:
    loads = PageLoads(kit)
    tasks = [asyncio.create_task(work) for work in (loads.go_on(), *(table.play_on() for table in tables))]
    await wait_for_progress(tables, time.perf_counter())
    periods = []
    for name in names:
        await asyncio.sleep(calm_seconds)
        count = len(loads.answers)
        period = Period(name, time.perf_counter())
        await faults[name](kit)
        period.action_seconds = time.perf_counter() - period.begin
        period.has_recovered = await wait_for_progress(tables, time.perf_counter())
        await asyncio.sleep(calm_seconds)
        period.end, period.load = time.perf_counter(), os.getloadavg()[0]
        period.statuses.update(status for status, _seconds in loads.answers[count:])
        period.longest_answer = max((seconds for _status, seconds in loads.answers[count:]), default=0)
        count_closed_sockets(period, tables)
        periods.append(period)
        print_period(period, tables)
    for task in tasks:
        task.cancel()
    for error in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(error, asyncio.CancelledError):
            raise RuntimeError("a table ended") from error
    return periods


def count_closed_sockets(period: Period, tables: Sequence[BusyTable]) -> None:
    """Add the refused and closed sockets since the last period."""
    for page in (page for table in tables for page in table.screens):
        period.statuses.update({f"socket {status}": count for status, count in page.statuses.items()})
        page.statuses.clear()
        period.statuses.update({f"closed {code}": count for code, count in page.close_codes.items()})
        page.close_codes.clear()


async def wait_for_progress(tables: Sequence[BusyTable], since: float) -> bool:
    """Wait until all pages are connected and every table has had a move. Return whether that happened in time."""
    pages = [page for table in tables for page in table.screens]
    deadline = time.perf_counter() + RECOVERY_SECONDS
    while time.perf_counter() < deadline:
        is_connected = all(page.version and page.lost_at is None for page in pages)
        if is_connected and all(table.progress and table.progress[-1][0] > since for table in tables):
            return True
        await asyncio.sleep(0.1)
    return False


def certificate_context(proxy: Proxy) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(proxy.folder / "fullchain.pem"))


def absences_in(period: Period, tables: Sequence[BusyTable]) -> list[float]:
    """Return how long pages were away in a period, the shortest first."""
    absences = [absence for table in tables for page in table.screens for absence in page.absences]
    return sorted(back - lost for lost, back in absences if period.begin < lost < period.end)


def percentile(values: Sequence[float], share: float) -> float:
    return values[math.ceil(share * len(values)) - 1] if values else 0.0


def print_period(period: Period, tables: Sequence[BusyTable]) -> None:
    absences = absences_in(period, tables)
    gaps = sorted(table.longest_gap(period.begin, period.end) for table in tables)
    p50, p95, longest = (percentile(absences, share) for share in (0.5, 0.95, 1))
    other_answers = {status: count for status, count in sorted(period.statuses.items()) if status != "200"}
    print(
        f"{period.name:17} took {period.action_seconds:4.1f} s, {len(absences):3} pages cut, back after "
        f"p50 {p50:4.1f} s, p95 {p95:4.1f} s, max {longest:4.1f} s; longest gap of a table {gaps[-1]:4.1f} s (median "
        f"{percentile(gaps, 0.5):3.1f} s); {period.statuses['200']} pages answered (longest "
        f"{period.longest_answer:3.1f} s), others: {other_answers}; "
        f"load {period.load:.1f}{'' if period.has_recovered else '; NOT RECOVERED'}",
        flush=True,
    )


def failures(period: Period, tables: Sequence[BusyTable], limits: Limits) -> list[str]:
    """Return what the period has delayed for too long or refused."""
    absences = absences_in(period, tables)
    gap = max(table.longest_gap(period.begin, period.end) for table in tables)
    other_pages = {status for status in period.statuses if not status.startswith(("socket", "closed"))} - {"200"}
    checks = {
        "not all pages and tables recovered": not period.has_recovered,
        "a response was 500": period.statuses["500"] + period.statuses["socket 500"] > 0,
        "a page was not answered": period.name in GENTLE and bool(other_pages),
        "pages were away for too long": percentile(absences, 0.95) > limits.away_p95
        or percentile(absences, 1) > limits.away,
        "a table stood still for too long": period.name == update.__name__ and gap > limits.gap,
    }
    return [f"{period.name}: {failure}" for failure, failed in checks.items() if failed]


def missing_moves(tables: Sequence[BusyTable], records: Mapping[str, Sequence[Event]], period: Period) -> list[bool]:
    """Return for each move that was acknowledged in a period whether it is missing in the records."""
    return [
        move_after(records[table.slug], version) != move
        for table in tables
        for at, version, move in table.acknowledged
        if period.begin <= at <= period.end
    ]


def unexpected_errors(kit: Kit, names: Sequence[str]) -> list[str]:
    """Return the errors in the logs that the faults do not explain."""
    explained = ("outage", "health_check_failed") if OUTAGES & set(names) else ()
    return sorted({line for line in kit.errors() if not any(word in line for word in explained)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--only", nargs="+", choices=list(FAULTS), default=list(FAULTS))
    parser.add_argument("--spread", action="store_true", help="connect the players of a table to different processes")
    parser.add_argument("--first", default="", help="the commit that runs first")
    parser.add_argument("--build", help="BUILD_COMMAND of updates; by default, a copy with these packages")
    parser.add_argument("--pause", type=float, default=PAUSE_SECONDS, help="seconds after each move")
    parser.add_argument("--keep-logs", type=Path, help="copy the logs there")
    options = parser.parse_args()
    with (
        TemporaryDirectory() as folder,
        running_kit(Path(folder), spread=options.spread, first=options.first, **RESTARTS) as kit,
    ):
        if options.build:
            kit.machine.add_setting("BUILD_COMMAND", options.build)
        tables = seat_players(kit, options.tables, options.pause)
        periods = asyncio.run(run_faults(kit, tables, options.only))
        records = read_records(kit.commands())
        problems = [f"log: {line}" for line in unexpected_errors(kit, options.only)]
        if options.keep_logs:
            options.keep_logs.mkdir(parents=True, exist_ok=True)
            for path in (*Path(folder).glob("*.log"), *kit.proxy.folder.glob("*.log")):
                shutil.copy(path, options.keep_logs)
    for period in periods:
        missing = missing_moves(tables, records, period)
        print(f"{period.name:17} {len(missing)} moves acknowledged, {sum(missing)} of them missing")
        problems += [f"{period.name}: moves are missing"] * any(missing) + failures(period, tables, Limits())
    print("\n".join(problems) or "No fault lost a move, answered 500 or kept a page away for too long.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
