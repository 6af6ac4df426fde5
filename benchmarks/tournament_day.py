"""A tournament day in fast-forward: ``python benchmarks/tournament_day.py [--people 200] [--rounds 7]``.

All parts of a site run from the files of ``deploy/`` (``benchmarks.kit``): nginx, two web processes, two clocks,
PostgreSQL and Redis. Half of the people enter a Swiss of quick duels, the others an arena, which take place at the
same time. All use real sockets, follow to their tables, and move after a short pause. In the rounds of ``FAULTS`` of
the Swiss, a web process is killed and the database restarted.

Fails if a table was not counted exactly once, if the standing in the database or on anybody's page is not the one that
follows from the events, if an acknowledged move is missing in the records, or if a log has an error that the faults do
not explain. While people enter, operators keep matches from starting; the arena should have started long ago by then,
so it is short.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.entrants import Entrant, Site
from benchmarks.faults import Fault, certificate_context, kill, postgres_restart, unexpected_errors
from benchmarks.kit import Kit, running_kit
from benchmarks.players import run_seed
from benchmarks.records import move_after, read_records
from benchmarks.tournament_results import (
    counting_problems,
    percentile,
    places_on_page,
    print_tournament,
    recomputed_standing,
)
from games.engine.events import Event

SEED_SCRIPT = Path(__file__).with_name("seed_tournament.py")
PAUSE_SECONDS = 0.3  # before a move
ARENA_GAME, ARENA_MINUTES = "rytmino", 30
POLL_SECONDS = 1.0
FAULTS: Mapping[int, Fault] = MappingProxyType({2: kill, 4: postgres_restart})  # by round of the Swiss
PAUSE_CODE = """
from games.models import SiteSwitches
SiteSwitches.objects.update_or_create(pk=1, defaults={{"matches_paused": {}}})
"""
SETTINGS: dict[str, Any] = {"NONCE_SECONDS": "0", "SCHEDULED_TOURNAMENTS": "0"}  # the people have no nonces


@dataclass(frozen=True)
class Tournament:
    """A tournament, and the people who take part."""

    name: str
    slug: str
    people: Sequence[Entrant]


def announce(kit: Kit, site: Site, options: argparse.Namespace) -> list[Tournament]:
    """Announce both tournaments and return them with their people."""
    half, minutes = options.people // 2, options.arena_minutes
    terms = {
        "Swiss": ["--format", "swiss", "--rounds", str(options.rounds)],
        "arena": ["--format", "arena", "--variant", ARENA_GAME, "--minutes", str(ARENA_MINUTES)],
    }
    counts = {"Swiss": options.people - half, "arena": half}
    tournaments = []
    for name, arguments in terms.items():
        delay = 60 * (minutes - ARENA_MINUTES) if name == "arena" else 0
        arguments += ["--people", str(counts[name]), "--starts-in", str(delay)]
        (seeded,) = run_seed(kit.commands(), SEED_SCRIPT, arguments)
        people = [
            Entrant(site, seeded["slug"], session, options.pause, random.Random(session))
            for session in seeded["sessions"]
        ]
        tournaments.append(Tournament(name, seeded["slug"], people))
    return tournaments


async def enter_all(people: Sequence[Entrant]) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.gather(*(loop.run_in_executor(person.site.loads, person.enter) for person in people))


def stages(kit: Kit) -> dict[str, tuple[str, int]]:
    """Return the stage and the round of each tournament, nothing while the database is away."""
    with suppress(psycopg.Error), psycopg.connect(kit.database) as connection:
        rows = connection.execute("SELECT slug, stage, round FROM games_tournament").fetchall()
        return {slug: (stage, number) for slug, stage, number in rows}
    return {}


async def break_parts(kit: Kit, swiss: Tournament, names: Sequence[str]) -> None:
    """Break the parts of the site when their rounds have come."""
    for number, fault in FAULTS.items():
        while stages(kit).get(swiss.slug, ("", 0))[1] < number:
            await asyncio.sleep(POLL_SECONDS)
        await asyncio.sleep(POLL_SECONDS)  # its tables are at play
        if fault.__name__ in names:
            began = time.perf_counter()
            await fault(kit)
            print(f"round {number}: {fault.__doc__}, took {time.perf_counter() - began:.1f} s", flush=True)


async def run_day(kit: Kit, tournaments: Sequence[Tournament], options: argparse.Namespace) -> float:
    """Let everybody play until both tournaments are over. Return the seconds that it took."""
    people = [person for tournament in tournaments for person in tournament.people]
    await enter_all(people)
    tasks = [asyncio.create_task(person.live()) for person in people]
    await asyncio.sleep(2 * POLL_SECONDS)
    kit.commands().manage("shell", "-c", PAUSE_CODE.format(False))
    began = time.perf_counter()
    print(f"{len(people)} people have entered", flush=True)
    faults = asyncio.create_task(break_parts(kit, tournaments[0], options.faults))
    before: dict[str, tuple[str, int]] = {}
    while (elapsed := time.perf_counter() - began) < 60 * options.minutes:
        await asyncio.sleep(POLL_SECONDS)
        now = stages(kit) or before
        if now != before:
            print(f"{elapsed:5.0f} s: {sorted(now.values())}, load {os.getloadavg()[0]:.1f}", flush=True)
        before = now
        if all(stage in ("over", "cancelled") for stage, _round in now.values()):
            break
    for task in (faults, *tasks):
        task.cancel()
    for error in await asyncio.gather(faults, *tasks, return_exceptions=True):
        if isinstance(error, Exception):
            raise error
    return time.perf_counter() - began


def standing_problems(kit: Kit, tournament: Tournament, file: Mapping[str, Any]) -> Iterator[str]:
    """Yield where the standing of the rows or of a page is not the one that follows from the events."""
    places = {place.name: place for place in recomputed_standing(file)}
    with psycopg.connect(kit.database) as connection:
        rows = connection.execute(
            "SELECT e.name, rank FROM games_entry e JOIN games_tournament t ON t.id = tournament_id WHERE slug = %s",
            [tournament.slug],
        ).fetchall()
    for name, rank in rows:
        if rank != (places[name].rank if name in places else None):
            yield f"the row of {name} has rank {rank}"
    names_on_pages = set()
    for person in tournament.people:
        for place in places_on_page(person.site.request(person.path, person.cookies).text):
            names_on_pages.add(place.name)
            if place.rank != places[place.name].rank or abs(place.points - places[place.name].points) > 0.051:
                yield f"a page has {place} instead of {places[place.name]}"
    if names_on_pages != places.keys():
        yield f"{len(places.keys() - names_on_pages)} people are on no page"


def clock_moves(kit: Kit) -> dict[tuple[str, int], float]:
    """Return when the clock moved for a person, by the match and the version before the move."""
    with psycopg.connect(kit.database) as connection:
        rows = connection.execute(
            "SELECT slug, seq, extract(epoch FROM at) FROM games_matchevent e JOIN games_match m ON m.id = match_id "
            "WHERE data LIKE %s",
            ['%"by":"clock"%'],
        ).fetchall()
    return {(slug, seq - 1): float(at) for slug, seq, at in rows}


def missing_moves(
    people: Sequence[Entrant], records: Mapping[str, Sequence[Event]], clock: Mapping[tuple[str, int], float]
) -> list[bool]:
    """Return for each acknowledged move whether it is missing in the records.

    If the clock moves while the move of a person is on its way, the page shows that before the refusal. It is no
    acknowledgement.
    """
    wall = time.time() - time.perf_counter()
    return [
        move_after(records[slug], version) != move
        for person in people
        for slug, at, version, move in person.acknowledged_moves()
        if clock.get((slug, version), math.inf) > wall + at
    ]


def check(kit: Kit, tournament: Tournament) -> list[str]:
    """Print how a tournament was played and return what is wrong."""
    page = tournament.people[0].site.request(f"/tournament/{tournament.slug}/events.json", {})
    file = json.loads(page.text)
    print_tournament(tournament.name, file)
    problems = [] if file["stage"] == "over" else [f"it is {file['stage']}"]
    problems += [*counting_problems(file), *standing_problems(kit, tournament, file)]
    return [f"{tournament.name}: {problem}" for problem in dict.fromkeys(problems)]


def print_people(people: Sequence[Entrant], moves: int, seconds: float) -> None:
    absences = sorted(absence for person in people for absence in person.absences())
    print(
        f"{seconds:.0f} s, {moves} moves of people acknowledged ({moves / seconds:.0f} a second); {len(absences)} "
        f"pages cut, back after p50 {percentile(absences, 0.5):.1f} s, p95 {percentile(absences, 0.95):.1f} s, max "
        f"{percentile(absences, 1):.1f} s; {people[0].site.failed_loads} pages did not load at once",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--minutes", type=float, default=30, help="the longest time")
    parser.add_argument("--arena-minutes", type=float, default=8)
    parser.add_argument("--pause", type=float, default=PAUSE_SECONDS, help="seconds before a move")
    names = [fault.__name__ for fault in FAULTS.values()]
    parser.add_argument("--faults", nargs="*", choices=names, default=names)
    parser.add_argument("--keep-logs", type=Path, help="copy the logs there")
    options = parser.parse_args()
    with TemporaryDirectory() as folder, running_kit(Path(folder), **SETTINGS) as kit:
        kit.commands().manage("shell", "-c", PAUSE_CODE.format(True))
        tournaments = announce(kit, Site(kit.proxy.url, certificate_context(kit.proxy)), options)
        people = [person for tournament in tournaments for person in tournament.people]
        try:
            seconds = asyncio.run(run_day(kit, tournaments, options))
            problems = [problem for tournament in tournaments for problem in check(kit, tournament)]
            missing = missing_moves(people, read_records(kit.commands()), clock_moves(kit))
            problems += [f"log: {line}" for line in unexpected_errors(kit, options.faults)]
        finally:
            if options.keep_logs:
                options.keep_logs.mkdir(parents=True, exist_ok=True)
                for path in (*Path(folder).glob("*.log"), *kit.proxy.folder.glob("*.log")):
                    shutil.copy(path, options.keep_logs)
    print_people(people, len(missing), seconds)
    problems += [f"{sum(missing)} acknowledged moves are missing"] * any(missing)
    print(
        "\n".join(problems) or "Every table was counted once, all standings follow from the events, no move is lost."
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
