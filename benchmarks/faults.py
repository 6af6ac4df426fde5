"""Faults of a running site: nginx, two web processes, two clocks, PostgreSQL and Redis, with players at tables.

``python benchmarks/faults.py [--tables 12] [--only kill redis_away] [--spread]`` breaks one part after the other and
prints for each: acknowledged moves that are missing in the records, the time until the pages that lost their
connections were back, the longest time without a move at a table, and responses with an error.

nginx runs with the files of ``deploy/nginx``. With ``--spread`` the players of a table use different processes. Every
other table has two bots, so it stands without a clock. Fails if a fault loses a move, answers a 500, or keeps a page
away for longer than the limits below.
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
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.kit import Kit, restart_postgres, running_kit
from benchmarks.players import seed_matches
from benchmarks.records import move_after, read_records
from benchmarks.returning_pages import BusyTable, Page
from tests.proxy import Proxy

MAX_AWAY_P95_SECONDS = 5.0
MAX_AWAY_SECONDS = 10.0
CALM_SECONDS = 4.0  # of play before each fault, and after the site has recovered
RECOVERY_SECONDS = 90.0  # the longest wait for the site to recover
OUTAGE_SECONDS = 20.0
PAGE_LOAD_INTERVAL_SECONDS = 0.3


async def kill(kit: Kit) -> None:
    """kill -9 of a web process, started again after five seconds"""
    await asyncio.to_thread(kit.web[0].kill)
    await asyncio.sleep(5)
    await asyncio.to_thread(kit.web[0].start)


async def rolling_restart(kit: Kit) -> None:
    """each web process stopped and started, one after the other"""
    for server in kit.web:
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)


async def clock_killed(kit: Kit) -> None:
    """kill -9 of one of two clocks, started again after ten seconds"""
    await asyncio.to_thread(kit.clocks[0].end, signal.SIGKILL)
    await asyncio.sleep(10)
    await asyncio.to_thread(kit.clocks[0].start)


async def clocks_killed(kit: Kit) -> None:
    """kill -9 of both clocks, one started again at once, as systemd does"""
    for clock in kit.clocks:
        await asyncio.to_thread(clock.end, signal.SIGKILL)
    for clock in kit.clocks:
        await asyncio.to_thread(clock.start)


async def clocks_restarted(kit: Kit) -> None:
    """each clock stopped and started, one after the other"""
    for clock in kit.clocks:
        await asyncio.to_thread(clock.end, signal.SIGTERM)
        await asyncio.to_thread(clock.start)


async def redis_restart(kit: Kit) -> None:
    """Redis restarted"""
    await asyncio.to_thread(kit.redis.stop)
    await asyncio.to_thread(kit.redis.start)


async def redis_away(kit: Kit) -> None:
    """Redis away for 20 seconds"""
    await asyncio.to_thread(kit.redis.stop)
    await asyncio.sleep(OUTAGE_SECONDS)
    await asyncio.to_thread(kit.redis.start)


async def postgres_restart(kit: Kit) -> None:
    """PostgreSQL restarted"""
    await asyncio.to_thread(restart_postgres, kit.database)


OUTAGES = {redis_restart.__name__, redis_away.__name__, postgres_restart.__name__}  # these are logged as errors
FAULTS: dict[str, Callable[[Kit], Awaitable[None]]] = {
    fault.__name__: fault
    for fault in (
        kill,
        rolling_restart,
        clock_killed,
        clocks_killed,
        clocks_restarted,
        redis_restart,
        redis_away,
        postgres_restart,
    )
}


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


async def load_pages(kit: Kit, tls: ssl.SSLContext, statuses: Counter[str]) -> None:
    """Load pages until cancelled, and count the statuses."""
    paths = ["/", "/tv/", "/rules/kozel/", "/healthz"]
    for number in range(sys.maxsize):
        status = await asyncio.to_thread(get_status, kit.proxy, tls, paths[number % len(paths)])
        statuses[status] += 1
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


async def run_faults(kit: Kit, tables: Sequence[BusyTable], names: Sequence[str]) -> list[Period]:
    pages = [page for table in tables for page in table.screens]
    tls = certificate_context(kit.proxy)
    statuses: Counter[str] = Counter()
    tasks = [asyncio.create_task(table.play_on()) for table in tables]
    tasks.append(asyncio.create_task(load_pages(kit, tls, statuses)))
    periods = []
    await wait_for_progress(tables, pages, time.perf_counter())
    for name in names:
        await asyncio.sleep(CALM_SECONDS)
        before = statuses + Counter()
        period = Period(name, time.perf_counter())
        await FAULTS[name](kit)
        period.action_seconds = time.perf_counter() - period.begin
        period.has_recovered = await wait_for_progress(tables, pages, time.perf_counter())
        await asyncio.sleep(CALM_SECONDS)
        period.end, period.load = time.perf_counter(), os.getloadavg()[0]
        period.statuses = statuses - before
        for page in pages:
            period.statuses.update({f"socket {status}": count for status, count in page.statuses.items()})
            page.statuses.clear()
            period.statuses.update({f"closed {code}": count for code, count in page.close_codes.items()})
            page.close_codes.clear()
        periods.append(period)
        print_period(period, tables)
    for task in tasks:
        task.cancel()
    for error in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(error, asyncio.CancelledError):
            raise RuntimeError("a table ended") from error
    return periods


async def wait_for_progress(tables: Sequence[BusyTable], pages: Sequence[Page], since: float) -> bool:
    """Wait until all pages are connected and every table has had a move. Return whether that happened in time."""
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
        f"{percentile(gaps, 0.5):3.1f} s); {period.statuses['200']} pages answered, others: {other_answers}; "
        f"load {period.load:.1f}{'' if period.has_recovered else '; NOT RECOVERED'}",
        flush=True,
    )


def failures(period: Period, tables: Sequence[BusyTable], missing: int) -> list[str]:
    """Return what the period has lost or delayed for too long."""
    absences = absences_in(period, tables)
    checks = {
        f"{missing} acknowledged moves are missing": missing > 0,
        "not all pages and tables recovered": not period.has_recovered,
        "a response was 500": period.statuses["500"] + period.statuses["socket 500"] > 0,
        "pages were away for too long": percentile(absences, 0.95) > MAX_AWAY_P95_SECONDS
        or percentile(absences, 1) > MAX_AWAY_SECONDS,
    }
    return [f"{period.name}: {failure}" for failure, failed in checks.items() if failed]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--only", nargs="+", choices=list(FAULTS), default=list(FAULTS))
    parser.add_argument("--spread", action="store_true", help="connect the players of a table to different processes")
    parser.add_argument("--keep-logs", type=Path, help="copy the logs there")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder, running_kit(Path(folder), spread=arguments.spread) as kit:
        seeded = [
            *seed_matches(kit.web[0], tables=arguments.tables // 2, is_endless=True),
            *seed_matches(kit.web[0], tables=arguments.tables - arguments.tables // 2, bots=2, is_endless=True),
        ]
        tls = certificate_context(kit.proxy)
        tables = [
            BusyTable(
                [Page(kit.proxy, tls, row["slug"], session) for session in row["sessions"]], random.Random(row["slug"])
            )
            for row in seeded
        ]
        periods = asyncio.run(run_faults(kit, tables, arguments.only))
        records = read_records(kit.web[0])
        errors = [line for server in kit.web for line in server.errors()]
        outages = [line for line in errors if "outage" in line or "health_check_failed" in line]
        if arguments.keep_logs:
            shutil.copytree(folder, arguments.keep_logs, ignore=shutil.ignore_patterns("*.sqlite3*"), symlinks=True)
    unexpected = set(errors) - set(outages if OUTAGES & set(arguments.only) else ())
    problems = [f"log: {line}" for line in sorted(unexpected)]
    for period in periods:
        moves = [
            (table.slug, version, move)
            for table in tables
            for sent, version, move in table.acknowledged
            if period.begin <= sent <= period.end
        ]
        missing = sum(move_after(records[slug], version) != move for slug, version, move in moves)
        print(f"{period.name:17} {len(moves)} moves acknowledged, {missing} of them missing")
        problems += failures(period, tables, missing)
    total = sum(len(table.acknowledged) for table in tables)
    print(f"{total} moves acknowledged in all; {len(outages)} lines about outages in the logs")
    print("\n".join(problems) or "No fault lost a move, answered 500 or kept a page away for too long.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
