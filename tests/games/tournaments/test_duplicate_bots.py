"""New bots end running duplicate tournaments, whose boards were played against the old ones."""

from __future__ import annotations

from datetime import datetime

import pytest

from games.bots import boards as bot_boards
from games.models import Match
from games.tournaments import reading
from tests.games import tables
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    announced,
    begin_round,
    entrants,
    run_clock,
    running_matches,
)
from tests.games.tournaments.test_duplicate import (
    NAMES,
    SECRET,
    begun,
    cup,
    party_in,
    play_board,
    play_to_end,
    points_of,
    refreshed,
    state_of,
)

pytestmark = [pytest.mark.stack, pytest.mark.django_db, pytest.mark.seed(1)]


def raise_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_boards, "BOTS_VERSION", bot_boards.BOTS_VERSION + 1)


def let_the_clock_end(now: datetime) -> None:
    """Close the board, end the tournament when the next round would begin, and reveal the secret."""
    for seconds in (0, 2, 30, 32):
        run_clock(now + seconds * SECOND)


def test_the_board_at_play_closes_and_the_tournament_ends_ranked_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = cup()
    people = begun(tournament)
    play_board(people, START + MINUTE)
    first = points_of(tournament)
    begin_round(START + 2 * MINUTE, people)
    finished, *stopped = running_matches()
    play_to_end(finished)
    raise_version(monkeypatch)
    let_the_clock_end(START + 3 * MINUTE)
    row, state = refreshed(tournament), state_of(tournament)
    assert (row.stage, row.round, row.due_at, len(state.boards)) == ("over", 2, None, 2)
    assert [Match.objects.get(pk=match.pk).status for match in stopped] == ["stopped", "stopped"]
    assert {tables.state_of(match).secret for match in Match.objects.all()} == {SECRET}
    points = points_of(tournament)
    for match in stopped:
        parties = [party_in(tournament, match, seat) for seat in (0, 1)]
        assert [points[party] for party in parties] == [2 * first[party] for party in parties]
    assert {entry.rank for entry in row.entries.all()} == {1, 2, 3, 4, 5, 6}
    assert reading.load_facts(row)[0].kind == "ended_early"


def test_tables_that_were_paired_do_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = cup()
    people = begun(tournament)
    play_board(people, START + MINUTE)
    first = points_of(tournament)
    run_clock(START + 2 * MINUTE, people)
    assert [table.stage for table in tournament.tables.filter(round=2)] == ["paired"] * 3
    raise_version(monkeypatch)
    let_the_clock_end(START + 2 * MINUTE)
    assert refreshed(tournament).stage == "over"
    assert Match.objects.count() == 3
    assert points_of(tournament) == {party: 2 * points for party, points in first.items()}


def test_a_tournament_before_its_first_board_meets_the_new_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = cup()
    raise_version(monkeypatch)
    begun(tournament)
    assert refreshed(tournament).bots_version == bot_boards.BOTS_VERSION
    run_clock(START + MINUTE)
    assert len(running_matches()) == 3


def test_a_process_with_older_bots_leaves_tournaments_to_newer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = cup()
    people = begun(tournament)
    for match in running_matches():
        play_to_end(match)
    monkeypatch.setattr(bot_boards, "BOTS_VERSION", bot_boards.BOTS_VERSION - 1)
    for number in range(3):
        run_clock(START + MINUTE + 2 * number * SECOND, people)
    assert state_of(tournament).boards == ()


def test_other_tournaments_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES[:4])
    begin_round(START, people)
    raise_version(monkeypatch)
    run_clock(START + MINUTE, people, passes=3)
    assert refreshed(tournament).stage == "running"
    assert len(running_matches()) == 2
