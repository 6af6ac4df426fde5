"""Ordinary tables next to an arena of 1,000 people: ``python -m benchmarks.arena [--people 1000] [--turns 3]``.

On one server, moves at ordinary tables are measured in turn without an arena, with the 32 people who play in it, and
with all its people: the others take a break and have its page open. Tables begin and end all the time, so the standing
changes. The output is the time until the last seat shows a move, the server's CPU time, and what the people on a break
received. Fails if the p95 with all people exceeds ``MAX_RATIO`` times the one with those who play: their pages and
tables cost what they cost anywhere on the site.

The people of the arena are in a process of their own, which runs only while the others are idle.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.entrants import Entrant, OpenPage, Site
from benchmarks.live import cpu_seconds
from benchmarks.players import Screen, Table, run_seed, seed_matches
from benchmarks.stacks import SERVICE_SETUPS, disable_limits, running_services
from benchmarks.tournament_day import SEED_SCRIPT
from benchmarks.tournament_results import percentile
from benchmarks.watch import CONNECT_BATCH
from tests.programs import ROOT
from tests.server import Server

TABLES, MOVE_SECONDS = 16, 1.0  # ordinary tables of four, and the time between two moves of each
PLAYING, PLAYING_SECONDS = 32, 1.0  # people who play in the arena, and the pause before a move
ARRIVAL_SECONDS = 20.0  # within which the people come who play
SETTLE_SECONDS = 10.0  # after the arrival of the arena's people and their first tables
MAX_RATIO = 1.2
# Without its people an arena still pairs every two seconds, and bots play for them. It sleeps until they come.
WAKE_CODE = """
from django.utils import timezone
from games.models import Tournament
answer = Tournament.objects.update(due_at=timezone.now())
"""
SLEEP_CODE = """
from games.models import Match, Tournament
from games.services import play
answer = Tournament.objects.update(due_at=None)
for match in Match.objects.filter(status="running", tournament_table__isnull=False):
    play.stop_match(match_id=match.pk)
"""


@dataclass
class Results:
    """Seconds until the last seat showed a move, and the server's CPU seconds a second."""

    latencies: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def percentile_ms(self, share: float) -> float:
        return 1000 * percentile(sorted(self.latencies), share)

    def __str__(self) -> str:
        return (
            f"p50 {self.percentile_ms(0.5):.1f} ms, p95 {self.percentile_ms(0.95):.1f} ms "
            f"({len(self.latencies)} moves), server CPU {100 * median(self.cpu):.0f} % of a core"
        )


def is_at_table(player: Entrant) -> bool:
    return player.page is not None and player.page.path != player.path


async def arrive(player: Entrant, rng: random.Random) -> None:
    """Come at a time of their own, so that the tables end one after the other, as they do after a while."""
    await asyncio.sleep(rng.uniform(0, ARRIVAL_SECONDS))
    await player.live()


async def be_in_arena(url: str, slug: str, sessions: Sequence[str]) -> None:
    """Play with the first people and keep the pages of the others open until the input ends, then print figures."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    site, rng = Site(url), random.Random(slug)
    pages = [OpenPage(site, f"/tournament/{slug}/", session) for session in sessions[PLAYING:]]
    for begin in range(0, len(pages), CONNECT_BATCH):
        await asyncio.gather(*(page.open() for page in pages[begin : begin + CONNECT_BATCH]))
    players = [Entrant(site, slug, session, PLAYING_SECONDS, rng) for session in sessions[:PLAYING]]
    tasks = [asyncio.create_task(arrive(player, rng)) for player in players]
    tasks += [asyncio.create_task(page.send_heartbeats(rng)) for page in pages]
    while not all(page.frames for page in pages) or not all(is_at_table(player) for player in players):
        await asyncio.sleep(0.1)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    totals = {
        "frames": sum(page.frames for page in pages),
        "kB": sum(page.bytes for page in pages) // 1000,
        "tables": sum(len(player.tables) - 1 for player in players) // 2,
        "moves": sum(len(player.acknowledged_moves()) for player in players),
    }
    open_pages = [*pages, *(player.page for player in players if player.page)]
    await asyncio.gather(*tasks, *(page.close() for page in open_pages), return_exceptions=True)
    print(json.dumps(totals), flush=True)


@asynccontextmanager
async def people_in_arena(server: Server, slug: str, sessions: Sequence[str]) -> AsyncIterator[None]:
    """Let these people of the arena come, and go afterwards."""
    await asyncio.to_thread(server.run_code, WAKE_CODE)
    command = [sys.executable, "-m", "benchmarks.arena", "--watch", server.url, slug]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    try:
        print(json.dumps(sessions), file=process.stdin, flush=True)
        assert await asyncio.to_thread(process.stdout.readline) == "ready\n"
        await asyncio.sleep(SETTLE_SECONDS)
        yield
        print(f"   the arena: {(await asyncio.to_thread(process.communicate))[0].strip()}", flush=True)
    finally:
        process.kill()
        process.wait()
        await asyncio.to_thread(server.run_code, SLEEP_CODE)


async def measure(server: Server, tables: Sequence[Table], seconds: float, results: Results) -> None:
    """Play at the ordinary tables and add the results."""
    for table in tables:
        table.timed_moves.clear()
    before, end = cpu_seconds(server.pid), time.perf_counter() + seconds
    await asyncio.gather(*(table.play(until=end) for table in tables))
    results.cpu.append((cpu_seconds(server.pid) - before) / seconds)
    results.latencies += [latency for table in tables for _sent, latency in table.timed_moves]


async def compare(server: Server, options: argparse.Namespace) -> list[Results]:
    """Return the results without the arena, with those who play in it, and with all its people."""
    arguments = ["--format", "arena", "--variant", "rytmino", "--minutes", "60", "--people", str(options.people)]
    arguments += ["--enter", str(PLAYING), "--pause", str(options.people - PLAYING)]
    (seeded,) = run_seed(server, SEED_SCRIPT, arguments)
    await asyncio.sleep(SETTLE_SECONDS)  # the arena starts
    await asyncio.to_thread(server.run_code, SLEEP_CODE)
    rows = seed_matches(server, tables=TABLES, is_endless=True)
    tables = [
        Table(
            [Screen(server.url, row["slug"], key) for key in row["sessions"]],
            random.Random(row["slug"]),
            pause=MOVE_SECONDS,
        )
        for row in rows
    ]
    for table in tables:
        await table.open()
    heartbeats = [
        asyncio.create_task(screen.send_heartbeats(table.rng)) for table in tables for screen in table.screens
    ]
    alone, with_players, with_all = results = [Results(), Results(), Results()]
    await measure(server, tables, SETTLE_SECONDS, Results())
    for _turn in range(options.turns):
        await measure(server, tables, options.seconds, alone)
        for people, result in ((seeded["sessions"][:PLAYING], with_players), (seeded["sessions"], with_all)):
            async with people_in_arena(server, seeded["slug"], people):
                await measure(server, tables, options.seconds, result)
    for heartbeat in heartbeats:
        heartbeat.cancel()
    await asyncio.gather(*(table.close() for table in tables))
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--only", choices=SERVICE_SETUPS)
    parser.add_argument("--watch", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        site, slug = options.watch
        asyncio.run(be_in_arena(site, slug, json.loads(sys.stdin.readline())))
        return 0
    disable_limits()
    is_slower = False
    for name in [options.only] if options.only else SERVICE_SETUPS:
        with (
            running_services(name),
            TemporaryDirectory(prefix="dominoes-arena-") as folder,
            Server(Path(folder), NONCE_SECONDS="0", SCHEDULED_TOURNAMENTS="0") as server,
        ):
            alone, with_players, with_all = asyncio.run(compare(server, options))
        ratio = with_all.percentile_ms(0.95) / with_players.percentile_ms(0.95)
        print(f"without an arena: {alone}\nwith {PLAYING} who play: {with_players}\nwith {options.people}: {with_all}")
        print(f"ratio of p95: {ratio:.2f}, load {os.getloadavg()[0]:.1f}", flush=True)
        is_slower |= ratio > MAX_RATIO
    return 1 if is_slower else 0


if __name__ == "__main__":
    sys.exit(main())
