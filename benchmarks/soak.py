"""A site under steady load for a quarter of an hour: the memory of every service, and the errors in all logs.

``python benchmarks/soak.py [--tables 60] [--minutes 15]`` runs the kit (``benchmarks.kit``) with people at human pace;
every other table has two bots. Fails if a service grows by more than 1 % a minute after the first third of the time,
which warms it up, if a log has an error, or if an acknowledged move is missing in the records.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import linear_regression, mean
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.faults import PageLoads, Period, missing_moves, print_period, seat_players
from benchmarks.kit import Kit, postgres_server, running_kit
from benchmarks.live import process_tree
from benchmarks.records import read_records
from benchmarks.returning_pages import BusyTable

MOVE_SECONDS = 4.0  # a person's mean time for a move
WARM_UP_SHARE = 1 / 3
SAMPLE_SECONDS = 5.0
MAX_GROWTH_PERCENT = 1.0  # a minute
MEMORY_PATTERN = re.compile(r"^RssAnon:\s+(\d+) kB", re.MULTILINE)
# Two clocks may create the same row. The site expects that, otherwise its own log has an error.
POSTGRES_ERROR_PATTERN = re.compile(r"(?:ERROR|FATAL|PANIC): (?! *duplicate key)")

Sample = tuple[float, dict[str, int]]  # minutes, and kilobytes of each service


def measure_memory(kit: Kit) -> dict[str, int]:
    """Return the private memory of each service with its workers, in kilobytes, without what they share."""
    roots = {unit: kit.services.processes[unit].pid for unit in (*kit.web, *kit.clocks)}
    roots |= {"nginx": kit.proxy.pid, "redis": kit.redis.process.pid}
    roots |= {"postgresql": postgres_server(kit.database).get_pid()}
    return {name: sum(private_kilobytes(pid) for pid in process_tree(root)) for name, root in roots.items()}


def private_kilobytes(pid: int) -> int:
    """Return the private memory of a process, 0 if it has ended."""
    try:
        memory = MEMORY_PATTERN.search(Path(f"/proc/{pid}/status").read_text())
    except FileNotFoundError:
        memory = None
    return int(memory[1]) if memory else 0


def growth_percent(samples: Sequence[Sample], name: str) -> float:
    """Return the growth of a service a minute, in percent of its mean size."""
    sizes = [services[name] for _minutes, services in samples]
    return 100 * linear_regression([minutes for minutes, _services in samples], sizes).slope / mean(sizes)


async def play(kit: Kit, tables: Sequence[BusyTable], minutes: float) -> tuple[Period, list[Sample]]:
    """Play, and return the samples after the warm-up."""
    loads, period, samples = PageLoads(kit), Period("soak", time.perf_counter()), []
    tasks = [asyncio.create_task(work) for work in (loads.go_on(), *(table.play_on() for table in tables))]
    while (elapsed := (time.perf_counter() - period.begin) / 60) < minutes:
        if elapsed > minutes * WARM_UP_SHARE:
            samples.append((elapsed, await asyncio.to_thread(measure_memory, kit)))
        await asyncio.sleep(SAMPLE_SECONDS)
    period.end, period.load = time.perf_counter(), os.getloadavg()[0]
    period.action_seconds = period.end - period.begin
    period.statuses.update(status for status, _seconds in loads.answers)
    period.longest_answer = max(seconds for _status, seconds in loads.answers)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return period, samples


def print_memory(samples: Sequence[Sample]) -> Iterator[str]:
    """Print the size and the growth of all services, and yield those that grow."""
    for name, kilobytes in samples[-1][1].items():
        growth = growth_percent(samples, name)
        print(f"{name:22} {kilobytes / 1024:6.1f} MB, {growth:+5.2f} % a minute")
        if growth > MAX_GROWTH_PERCENT:
            yield f"{name} grows by {growth:.2f} % a minute"


def errors_in_logs(kit: Kit) -> list[str]:
    postgres = postgres_server(kit.database).log.read_text(errors="replace").splitlines()
    proxy = (kit.proxy.folder / "error.log").read_text(errors="replace").splitlines()
    return [
        *kit.errors(),
        *(line for line in proxy if "setrlimit" not in line),  # not allowed in a container
        *(line for line in postgres if POSTGRES_ERROR_PATTERN.search(line)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=15)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, running_kit(Path(folder), PACE="1") as kit:
        tables = seat_players(kit, options.tables, MOVE_SECONDS)
        period, samples = asyncio.run(play(kit, tables, options.minutes))
        records = read_records(kit.commands())
        problems = [f"log: {line}" for line in errors_in_logs(kit)]
    print_period(period, tables)
    problems += print_memory(samples)
    missing = missing_moves(tables, records, period)
    print(f"{len(missing)} moves acknowledged, {sum(missing)} of them missing")
    problems += ["moves are missing"] * any(missing)
    print("\n".join(problems) or "No service grows, no log has an error, and no move is missing.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
