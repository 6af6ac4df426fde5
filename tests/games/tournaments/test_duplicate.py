"""A duplicate tournament on the site: all tables of a round have one deal, and results are compared with the field."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from random import Random

import pytest

from accounts.models import User
from games.engine.notation import import_match
from games.engine.proof import verify
from games.fair_dealing import dealing
from games.models import Match, Seat, Tournament
from games.moderation import acts, tournament_acts
from games.records import exports
from games.services import play
from games.tournaments import clock, entering, record, selectors
from games.tournaments.core.events import Result
from games.tournaments.core.evolve import fold
from games.tournaments.core.standings import party_points, standings
from games.tournaments.core.state import State as TournamentState
from games.tournaments.core.state import Table
from tests.engine.verifiers import verdicts
from tests.games import tables
from tests.games.tables import person
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    begin_round,
    duplicate,
    entrants,
    run_clock,
    running_matches,
)
from tests.games.tournaments.test_swiss import set_switches

pytestmark = [pytest.mark.stack, pytest.mark.django_db, pytest.mark.seed(1)]
NAMES = ("Anna", "Bela", "Cyril", "Dora", "Emil", "Fanni")


SECRET = bytes(range(32)).hex()


def refreshed(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def state_of(tournament: Tournament) -> TournamentState:
    return selectors.load_state(refreshed(tournament))


def cup(**terms: object) -> Tournament:
    """Announce a tournament with the same deals in each run."""
    tournament = duplicate(variant="triominoes", **terms)
    Tournament.objects.filter(pk=tournament.pk).update(
        slug="cup", secret=SECRET, commitment=dealing.commitment(SECRET)
    )
    return refreshed(tournament)


def begun(tournament: Tournament, names: Sequence[str] = NAMES) -> list[User]:
    """Begin the first board."""
    people = entrants(tournament, *names)
    begin_round(START, people)
    return people


def play_to_end(match: Match, number: int = 0) -> None:
    """Play a match: each number makes other moves."""
    chance = Random(number)
    tables.play_until(match, lambda _state: False, lambda rules, state: chance.choice(rules.legal_moves(state)))


def close(now: datetime, people: Sequence[User] = ()) -> None:
    """Count the tables that are over, reveal the key, and close the board if all are."""
    for number in range(3):
        run_clock(now + 2 * number * SECOND, people)


def play_board(people: Sequence[User], now: datetime) -> None:
    for number, match in enumerate(running_matches()):
        play_to_end(match, number)
    Seat.objects.update(last_seen=None)
    close(now, people)


def play_boards(tournament: Tournament, people: Sequence[User], now: datetime = START) -> None:
    """Play all boards: each takes a minute."""
    while refreshed(tournament).stage == "running":
        play_board(people, now + 30 * SECOND)
        now += MINUTE
        begin_round(now, people)


def points_of(tournament: Tournament) -> dict[str, Fraction]:
    return party_points(state_of(tournament))


def result_in(table: Table, seat: int) -> Result:
    return next(result for result in table.results if result.party == table.parties[seat])


def party_in(tournament: Tournament, match: Match, seat: int) -> str:
    return str(tournament.tables.get(match=match).parties[seat])


def test_all_tables_of_a_board_have_the_same_deal_and_another_with_the_next() -> None:
    tournament = cup()
    people = begun(tournament)
    deals: list[object] = []
    for number in (1, 2):
        matches = running_matches()
        assert {(match.board, match.delay, match.visibility) for match in matches} == {(number, "board", "link")}
        hands = {tables.state_of(match).hands for match in matches}
        assert (len(matches), len(hands)) == (3, 1)
        deals += hands
        play_board(people, START + number * MINUTE)
        begin_round(START + number * MINUTE + 30 * SECOND, people)
    assert len(set(deals)) == 2


def test_points_are_the_share_of_the_field_that_each_result_beat() -> None:
    tournament = cup()
    people = begun(tournament)
    play_board(people, START + MINUTE)
    state = state_of(tournament)
    raws = [[result_in(table, seat).raw for table in state.tables] for seat in (0, 1)]
    assert raws == [[540, -1080, 408], [-540, 1080, -408]]
    assert state.levels == (((-570, 24, -684, -684, -216), (534, 534, 402, 486, -330)),)
    # Fields of eight. In seat 0 the first table beats all others, the third six, the second none. In seat 1 the second
    # table beats all, the third one, the first none.
    points = points_of(tournament)
    assert [[points[table.parties[seat]] for table in state.tables] for seat in (0, 1)] == [
        [12, 0, Fraction(12 * 6, 7)],
        [0, 12, Fraction(12 * 1, 7)],
    ]
    first, second, third = state.tables
    order = [second.parties[1], first.parties[0], third.parties[0], third.parties[1], first.parties[1]]
    assert [line.party for line in standings(state)] == [*order, second.parties[0]]


def test_keys_are_revealed_with_each_close_and_the_secret_at_the_end_when_all_records_are_fair() -> None:
    tournament = cup()
    people = begun(tournament)
    first = running_matches()
    for match in first[:2]:
        play_to_end(match)
    close(START + MINUTE, people)
    assert not any(tables.state_of(match).round.key for match in first)
    assert points_of(tournament) == dict.fromkeys(state_of(tournament).entries, 0)
    play_to_end(first[2])
    close(START + 2 * MINUTE, people)
    assert all(tables.state_of(match).round.key and not tables.state_of(match).secret for match in first)
    begin_round(START + 3 * MINUTE, people)
    play_boards(tournament, people, START + 3 * MINUTE)
    run_clock(START + 10 * MINUTE)
    row = refreshed(tournament)
    assert (row.stage, row.round, row.rounds, row.due_at) == ("over", 4, 4, None)
    assert fold(record.events(row.pk)) == selectors.load_state(row)
    records = [exports.to_json_data(exports.read_record(match.pk)) for match in Match.objects.all()]
    assert len(records) == 12
    assert [verify(import_match(json.loads(json.dumps(data)))) for data in records] == [[]] * 12
    assert verdicts(records) == ["fair"] * 12


def test_a_late_table_stops_at_twice_the_median_and_gets_the_mean_of_its_other_boards() -> None:
    tournament = cup()
    people = begun(tournament)
    play_board(people, START + MINUTE)
    first = points_of(tournament)
    begin_round(START + 2 * MINUTE, people)
    *on_time, late = running_matches()
    for match in on_time:
        play_to_end(match)
    run_clock(START + 5 * MINUTE, people)  # the median is three minutes, so the board closes after six
    close(START + 8 * MINUTE - 10 * SECOND, people)
    assert late.status == Match.objects.get(pk=late.pk).status == "running"
    close(START + 8 * MINUTE, people)
    assert Match.objects.get(pk=late.pk).status == "stopped"
    assert len(state_of(tournament).boards) == 2
    points = points_of(tournament)
    parties = [party_in(tournament, late, seat) for seat in (0, 1)]
    assert [points[party] for party in parties] == [2 * first[party] for party in parties]


def test_a_board_takes_at_least_four_minutes() -> None:
    tournament = cup()
    people = begun(tournament)
    for match in running_matches()[:2]:
        play_to_end(match)
    close(START + SECOND, people)
    run_clock(START + 4 * MINUTE - SECOND, people)
    assert len(running_matches()) == 1
    close(START + 4 * MINUTE, people)
    assert len(state_of(tournament).boards) == 1


def test_a_board_on_which_most_tables_hang_closes_after_a_quarter_of_an_hour() -> None:
    tournament = cup()
    people = begun(tournament)
    play_to_end(running_matches()[0])
    close(START + MINUTE, people)
    run_clock(START + 15 * MINUTE - SECOND, people)
    assert len(running_matches()) == 2
    close(START + 15 * MINUTE, people)
    assert len(state_of(tournament).boards) == 1


def test_who_does_not_come_or_is_held_at_the_end_has_nothing() -> None:
    tournament = cup()
    people = begun(tournament)
    deserted, hanging, other = running_matches()
    absent = [(match, match.seats.get(index=0)) for match in (deserted, hanging)]
    for match, seat in absent:
        assert seat.user is not None
        tables.hold_seat(match, seat.user)
    for match in (deserted, other):
        play_to_end(match)
    close(START + MINUTE, people)
    close(START + 4 * MINUTE, people)
    state = state_of(tournament)
    results = {result.party: (result.score, result.out_of) for result in state.boards[0]}
    assert [results[party_in(tournament, match, 0)] for match, _seat in absent] == [(0, 1), (0, 1)]
    assert results[party_in(tournament, deserted, 1)][1] > 1
    assert results[party_in(tournament, hanging, 1)] == (0, 0)
    assert not any(entry.left_reason for entry in state.entries.values())


def test_who_leaves_a_board_has_nothing_and_the_opponent_the_mean_of_other_boards() -> None:
    tournament = cup()
    people = begun(tournament)
    match = running_matches()[0]
    play.end_match_against(match_id=match.pk, seat=1)
    play_board(people, START + MINUTE)
    results = {result.party: (result.score, result.out_of) for result in state_of(tournament).boards[0]}
    assert results[party_in(tournament, match, 0)] == (0, 0)
    assert results[party_in(tournament, match, 1)] == (0, 1)


def test_who_is_not_seen_at_a_pairing_has_nothing_for_that_board_and_leaves_after_the_second() -> None:
    tournament = cup()
    people = begun(tournament, (*NAMES, "Gabi"))
    play_board(people, START + MINUTE)
    before = points_of(tournament)["7"]
    for number in (1, 2):
        moment = START + number * 5 * MINUTE
        begin_round(moment, people[:6])
        play_board(people[:6], moment + MINUTE)
    assert points_of(tournament)["7"] == before
    assert tournament.entries.get(user=people[6]).leaving == "absent"


def test_an_odd_person_plays_against_a_bot_and_a_late_one_has_half_a_board() -> None:
    tournament = cup()
    people = begun(tournament, NAMES[:5])
    assert sorted(match.seats.filter(bot="steady").count() for match in running_matches()) == [0, 0, 1]
    late = person("Late")
    entering.enter(tournament=tournament, user=late, now=START + SECOND)
    play_board(people, START + MINUTE)
    assert points_of(tournament)["6"] == 6
    begin_round(START + 2 * MINUTE, [*people, late])
    assert all(not match.seats.exclude(bot="").exists() for match in running_matches())


def test_partners_are_one_side_of_a_board() -> None:
    tournament = duplicate(variant="all_fives", seats=4, options={"partners": "yes"})
    people = entrants(tournament, *NAMES, "Gabi", "Hugo", "Ivan", "Jana")
    entries = {entry.user_id: entry.pk for entry in tournament.entries.all()}
    for one, other in zip(people[::2], people[1::2], strict=True):
        entering.ask_partner(tournament=tournament, user=one, entry_id=entries[other.pk], now=START - MINUTE)
        entering.ask_partner(tournament=tournament, user=other, entry_id=entries[one.pk], now=START - MINUTE)
    begin_round(START, people)
    assert len(running_matches()) == 3
    play_board(people, START + MINUTE)
    state = state_of(tournament)
    assert [len(levels) for levels in state.levels[0]] == [5, 5]
    assert len(state.boards[0]) == 5


def cancel(tournament: Tournament) -> None:
    moderator = person("Mo", is_staff=True, is_superuser=True)
    tournament_acts.cancel_tournament(moderator=moderator, tournament=tournament, reason="A test.", now=START)


def require_revealed(tournament: Tournament) -> None:
    assert running_matches() == []
    assert {tables.state_of(match).secret for match in Match.objects.all()} == {SECRET}
    assert refreshed(tournament).due_at is None


def test_a_cancelled_tournament_stops_its_tables_and_reveals_the_secret() -> None:
    tournament = cup()
    begun(tournament)
    cancel(tournament)
    run_clock(START + MINUTE)
    require_revealed(tournament)


def test_two_clocks_stop_the_tables_of_a_cancelled_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = cup()
    begun(tournament)
    cancel(tournament)
    stop_match = play.stop_match

    def stop_after_another_clock(*, match_id: int) -> None:
        stop_match(match_id=match_id)
        stop_match(match_id=match_id)

    monkeypatch.setattr(play, "stop_match", stop_after_another_clock)
    run_clock(START + MINUTE)
    require_revealed(tournament)


def test_a_tournament_that_is_cancelled_while_no_match_may_start_is_revealed_afterwards() -> None:
    tournament = cup()
    begun(tournament)
    play_to_end(running_matches()[0])
    cancel(tournament)
    set_switches(matches_paused=True)
    run_clock(START + MINUTE)
    set_switches(matches_paused=False)
    run_clock(START + MINUTE)
    require_revealed(tournament)


def test_a_void_table_counts_the_mean_of_other_boards(moderator: User) -> None:
    tournament = cup()
    people = begun(tournament)
    void = running_matches()[0]
    play_board(people, START + MINUTE)
    begin_round(START + 2 * MINUTE, people)
    play_board(people, START + 3 * MINUTE)
    acts.void_match(moderator=moderator, match=void, reason="One person played both seats.")
    clock.settle_marks(now=START + 4 * MINUTE)
    second = {result.party: result for result in state_of(tournament).boards[1]}
    for seat in (0, 1):
        result = second[party_in(tournament, void, seat)]
        assert points_of(tournament)[result.party] == 24 * Fraction(result.score, result.out_of)
