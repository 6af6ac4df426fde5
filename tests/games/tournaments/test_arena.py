"""An arena on the site: who waits gets a table, and what takes too long does not count."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import Trace
from games.models import Match, Tournament
from games.tournaments import entering, selectors
from tests.games import tables
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    arena,
    begin_round,
    end_matches,
    entrants,
    run_clock,
    running_matches,
    tables_of,
)

NAMES = ("Anna", "Bela", "Cyril", "Dora")


def test_an_arena_goes_on_until_its_end() -> None:
    tournament = arena()
    people = entrants(tournament, *NAMES)
    run_clock(START, people)
    begin_round(START + 20 * SECOND, people)
    assert len(running_matches()) == 2
    end_matches()
    run_clock(START + 5 * MINUTE, people)
    begin_round(START + 5 * MINUTE + 20 * SECOND, people)
    assert len(tables_of(tournament)) == 4
    end_matches()
    run_clock(START + 28 * MINUTE, people)
    assert len(tables_of(tournament)) == 4, "no table begins that cannot be over in time"
    run_clock(START + 30 * MINUTE, people)
    row = Tournament.objects.get(pk=tournament.pk)
    assert (row.stage, row.due_at) == ("over", None)
    assert sum(standing.line.points for standing in selectors.standing_rows(row)) == 4 * 12


def test_only_people_in_sight_get_a_table() -> None:
    tournament = arena(seats=4)
    people = entrants(tournament, *NAMES, "Emil", "Fanni")
    run_clock(START, people)
    entering.note_gone(slug=tournament.slug, user_id=people[0].pk, seen_at=START)
    entering.sit_out(tournament=tournament, user=people[1], now=START + SECOND)
    tables.running_table([people[2], tables.person("Other")])
    begin_round(START + 20 * SECOND, people[3:])
    assert [set(table.parties) for table in tables_of(tournament)] == [{"4", "5", "6", ""}]


def test_a_pause_ends_when_its_person_comes_back() -> None:
    tournament = arena()
    people = entrants(tournament, *NAMES)
    run_clock(START, people)
    entering.sit_out(tournament=tournament, user=people[0], now=START + SECOND)
    entering.sit_out(tournament=tournament, user=people[0], now=START + SECOND)
    entering.come_back(tournament=tournament, user=people[0], now=START + 2 * SECOND)
    begin_round(START + 25 * SECOND, people)
    assert len(running_matches()) == 2


def test_an_overdue_table_is_dropped_and_its_match_goes_on() -> None:
    tournament = arena()
    people = entrants(tournament, *NAMES)
    run_clock(START, people)
    begin_round(START + 20 * SECOND, people)
    late = running_matches()[0]
    run_clock(START + 17 * MINUTE, people)
    assert [table.stage for table in tables_of(tournament)] == ["over", "over"]
    assert Match.objects.get(pk=late.pk).status == "running"
    end_matches()
    run_clock(START + 18 * MINUTE, people)
    state = selectors.load_state(Tournament.objects.get(pk=tournament.pk))
    assert all(table.is_dropped and not table.results for table in state.tables[:2])
    assert [table.is_pending for table in state.tables[2:]] == [True, True], "their people play on"


def test_an_arena_that_could_not_begin_in_time_is_cancelled() -> None:
    tournament = arena()
    people = entrants(tournament, *NAMES)
    run_clock(START + 25 * MINUTE, people)
    assert Tournament.objects.get(pk=tournament.pk).stage == "cancelled"


def test_accounts_of_one_device_meet_only_if_nobody_else_waits() -> None:
    tournament = arena()
    people = entrants(tournament, *NAMES)
    for user in people[:2]:
        Trace.objects.create(user=user, kind="device", mark="a" * 32, seen_at=timezone.now())
    run_clock(START, people)
    begin_round(START + 16 * SECOND, people)
    assert {"1", "2"} not in [set(table.parties) for table in tables_of(tournament)]
