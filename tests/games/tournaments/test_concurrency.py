"""Several clocks at one tournament: each round is paired once, each table begins and counts once."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from datetime import datetime

import pytest
from django.db import IntegrityError, connection
from pytest_django import Settings

from games import scheduler
from games.broadcast.database_threads import in_database
from games.models import BoardDay, Match, MatchEvent, Tournament
from games.services import board_clock
from games.services.board_days import ONE_DAY
from games.tournaments import record, schedule, selectors
from games.tournaments.core.evolve import fold
from tests.games.services.test_concurrency import in_threads
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    announced,
    arena,
    begin_round,
    duplicate,
    end_matches,
    entrants,
    run_clock,
    run_pass,
    running_matches,
)
from tests.games.tournaments.test_duplicate import play_to_end

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]
NAMES = ("Anna", "Bela", "Cyril", "Dora", "Emil", "Fanni", "Gusti", "Hana")
CLOCKS = 3


def clocks_at(now: datetime) -> None:
    """Let several clocks run at one moment, until none of them has anything to do."""

    def run() -> None:
        for _ in range(4):
            run_pass(now)
        connection.close()

    in_threads([run] * CLOCKS)


def require_consistent(tournament: Tournament) -> None:
    row = Tournament.objects.get(pk=tournament.pk)
    state = fold(record.events(row.pk))
    kinds = Counter(row.events.values_list("kind", flat=True))
    assert row.version == row.events.count()
    assert row.stage == state.stage
    assert kinds["begun"] == len(state.tables) == row.tables.count() == Match.objects.count()
    assert kinds["counted"] == sum(bool(table.results) for table in state.tables)
    assert len({table.match for table in state.tables}) == len(state.tables)


def test_three_clocks_run_a_swiss_as_one() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    now = START
    for number in range(1, 6):
        for user in people:
            tournament.entries.filter(user=user).update(seen_at=now)
        clocks_at(now)
        assert Match.objects.filter(status="running").count() == 4
        end_matches()
        clocks_at(now + 20 * SECOND)
        assert Tournament.objects.get(pk=tournament.pk).round == number
        require_consistent(tournament)
        now += MINUTE
    assert Tournament.objects.get(pk=tournament.pk).stage == "over"
    assert [row.line.tables for row in selectors.standing_rows(Tournament.objects.get(pk=tournament.pk))] == [5] * 8


def test_three_clocks_run_an_arena_as_one() -> None:
    tournament = arena()
    people = entrants(tournament, *NAMES)
    run_clock(START, people)
    for number in range(3):
        now = START + number * MINUTE + 25 * SECOND
        tournament.entries.update(seen_at=now)
        clocks_at(now)
        assert Match.objects.filter(status="running").count() == 4
        end_matches()
        clocks_at(now + 5 * SECOND)
        require_consistent(tournament)
    assert tournament.events.filter(kind="counted").count() == 12


def test_three_schedules_announce_each_tournament_and_day_once_without_errors(settings: Settings) -> None:
    settings.SCHEDULED_TOURNAMENTS = True
    barrier, errors = threading.Barrier(CLOCKS), list[IntegrityError]()

    def note_errors(execute: Callable[..., object], *arguments: object) -> object:
        try:
            return execute(*arguments)
        except IntegrityError as error:
            errors.append(error)
            raise

    def run() -> None:
        with connection.execute_wrapper(note_errors):
            barrier.wait()
            schedule.announce_due_tournaments(now=START)
            barrier.wait()
            board_clock.announce_days(now=START)
        connection.close()

    in_threads([run] * CLOCKS)
    assert errors == []
    assert Counter(BoardDay.objects.values_list("date", flat=True)) == dict.fromkeys(
        (START.date(), START.date() + ONE_DAY), 5
    )
    rows = Tournament.objects.order_by("starts_at")
    assert Counter(rows.values_list("format", flat=True)) == {"arena": 24, "swiss": 1, "duplicate": 1}
    assert len({row.variant for row in rows}) == 5
    assert schedule.announce_due_tournaments(now=START) == 0
    assert schedule.announce_due_tournaments(now=START + 60 * MINUTE) == 1


async def test_the_scheduler_pairs_in_a_worker() -> None:
    tournament = await in_database(announced)
    people = await in_database(entrants, tournament, *NAMES)
    task_scheduler = scheduler.Scheduler()
    await in_database(run_clock, START, people)
    await in_database(end_matches)
    await task_scheduler.tournaments.tick(START, with_deadlines=True)
    await asyncio.gather(*task_scheduler.tournaments.tasks)
    assert await in_database(lambda: Tournament.objects.get(pk=tournament.pk).round) == 1
    task_scheduler.workers.close()


async def test_the_scheduler_closes_a_board_once_with_the_levels_of_a_worker() -> None:
    tournament = await in_database(duplicate)
    people = await in_database(entrants, tournament, *"ABCDEF")
    await in_database(begin_round, START, people)
    for match in await in_database(running_matches):
        await in_database(play_to_end, match)
    schedulers = [scheduler.Scheduler() for _ in range(2)]
    for second in (10, 20, 30):
        for clock in schedulers:
            await clock.tournaments.tick(START + second * SECOND, with_deadlines=True)
        await asyncio.gather(*(task for clock in schedulers for task in clock.tournaments.tasks))
    kinds = await in_database(lambda: list(tournament.events.order_by("seq").values_list("kind", flat=True)))
    assert kinds[-5:] == ["counted", "counted", "counted", "board_closed", "round_over"]
    for clock in schedulers:
        clock.workers.close()


def test_three_clocks_close_a_board_and_reveal_its_keys_once() -> None:
    tournament = duplicate()
    entrants(tournament, *NAMES)
    tournament.entries.update(seen_at=START)
    for number in range(2):
        now = START + number * MINUTE
        tournament.entries.update(seen_at=now)
        clocks_at(now)
        matches = running_matches()
        assert [match.board for match in matches] == [number + 1] * 4
        for match in matches:
            play_to_end(match)
        for second in (4, 8, 12):
            clocks_at(now + second * SECOND)
        require_consistent(tournament)
    assert tournament.events.filter(kind="board_closed").count() == 2
    revealed = MatchEvent.objects.filter(kind="key_revealed").values_list("match", flat=True)
    assert Counter(revealed) == dict.fromkeys(Match.objects.values_list("pk", flat=True), 1)
