"""Commands of a tournament and what follows from them, with the numbers of the rules."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction

import pytest

from games.engine.deal import nonce_commitment
from games.tournaments.core import commands
from games.tournaments.core.arena import RESULT_TIME, propose_tables
from games.tournaments.core.duplicate import entropy
from games.tournaments.core.events import Award, BoardClosed, Cancelled, Dropped, Ended, Left, Paired, RoundOver
from games.tournaments.core.evolve import fold
from games.tournaments.core.notation import event_from_data, event_to_data
from games.tournaments.core.progress import board_closes_at, overdue_tables
from games.tournaments.core.refusal import Refusal
from games.tournaments.core.standings import standings
from games.tournaments.core.swiss import propose_round
from games.tournaments.core.terms import MINUTE, Terms
from tests.tournaments.fields import Field, by_lot, in_order, names, swiss

SECOND = 1000


def refused(field: Field, command: commands.Command) -> str:
    """Return the code of the refusal, which leaves no event."""
    before = len(field.events)
    with pytest.raises(Refusal) as refusal:
        field.do(command)
    assert len(field.events) == before
    return refusal.value.code


def points(field: Field) -> dict[str, Fraction]:
    return {line.party: line.points for line in standings(field.state)}


def test_entering_is_refused_twice_and_when_full() -> None:
    field = Field(Terms("swiss", 2, 1000, 5, max_parties=4))
    field.enter("a", "b")
    assert refused(field, commands.Enter("a", ("z",))) == "already_entered"
    assert refused(field, commands.Enter("z", ("a0",))) == "already_entered"
    assert refused(field, commands.Enter("z", ("z", "y"))) == "bad_request"
    field.enter("c", "d")
    assert refused(field, commands.Enter("e", ("e",))) == "full"
    field.do(commands.Leave("a"))
    field.enter("a")
    assert [entry.party for entry in field.state.active] == ["b", "c", "d", "a"]


def test_fewer_than_four_present_cancel_the_tournament() -> None:
    field = swiss()
    field.enter(*names(5))
    (event,) = field.do(commands.Start(frozenset(names(3))))
    assert isinstance(event, Cancelled)
    assert event.reason == "few"
    assert refused(field, commands.Enter("z", ("z",))) == "over"


def test_start_waits_for_its_time() -> None:
    field = swiss()
    field.enter(*names(4))
    field.now = field.state.terms.starts_at - 2 * SECOND
    assert refused(field, commands.Start(frozenset(names(4)))) == "too_early"


def test_duel_and_rounds_up_to_the_end() -> None:
    field = swiss(rounds=2).start(*names(4))
    field.pair()
    assert refused(field, propose_round(field.state, field.names, "")) == "stale"
    field.do(commands.Begin(0, "m"))
    assert refused(field, commands.Begin(0, "n")) == "begun"
    field.do(commands.Count(0, in_order(field.state.tables[0])))
    assert refused(field, commands.Count(0, {})) == "counted"
    events = field.do(commands.Count(1, in_order(field.state.tables[1])))
    assert [type(event) for event in events][-1:] == [RoundOver]
    field.pair()
    field.play(in_order)
    assert isinstance(field.events[-1], Ended)
    assert sum(points(field).values()) == 2 * 4 * 6


def test_bye_goes_to_the_lowest_without_one() -> None:
    field = swiss(rounds=3).start(*names(5))
    field.pair()
    field.play(in_order)
    lowest = standings(field.state)[-1]
    assert lowest.points == 0
    field.pair()
    paired = next(event for event in reversed(field.events) if isinstance(event, Paired))
    (award,) = paired.awards
    assert award.reason == "bye"
    assert award.points == 12
    assert field.state.entries[award.party].count("bye") == 1
    assert dict(points(field))[award.party] == 12


def test_sitting_out_earns_half_once_and_not_last() -> None:
    field = swiss(rounds=4).start(*names(6))
    gains = []
    for number in range(4):
        if number != 2:
            field.do(commands.SitOut("p000"))
        before = points(field)["p000"]
        field.pair()
        gains.append(points(field)["p000"] - before)
        field.play(in_order)
    assert gains == [6, 0, 0, 0]
    late = swiss(rounds=1).start(*names(5))
    late.do(commands.SitOut("p000"))
    late.pair()
    assert points(late)["p000"] == 0


def test_late_entrant_has_six_for_the_first_missed_round_until_half_is_paired() -> None:
    field = swiss(rounds=4).start(*names(4))
    field.pair()
    field.play(in_order)
    field.enter("late")
    assert points(field)["late"] == 6
    assert field.state.entries["late"].missed == 1
    assert field.state.entries["late"].has_half
    field.pair()
    assert refused(field, commands.Enter("later", ("later",))) == "too_late"


def test_second_absence_removes_a_party() -> None:
    field = swiss(rounds=4).start(*names(6))
    for _ in range(2):
        field.pair(absent=["p005"])
        field.play(in_order)
    assert field.state.entries["p005"].left_reason == "absent"
    assert "p005" not in points(field)
    assert [event.reason for event in field.events if isinstance(event, Left)] == ["absent"]


def test_no_show_gets_nothing_and_a_lone_opponent_twelve() -> None:
    field = swiss(rounds=2).start(*names(4))
    one, other = field.pair()[0].people
    field.do(commands.Count(0, {one: 1}))
    assert [points(field)[one], points(field)[other]] == [12, 0]
    four = swiss(4, rounds=2).start(*names(4))
    (table,) = four.pair()
    four.do(commands.Count(0, {table.people[0]: 1, table.people[1]: 2, table.people[2]: 3}))
    assert [points(four)[party] for party in table.people] == [12, 6, 0, 0]


def test_leaver_stays_with_what_was_played() -> None:
    field = swiss(rounds=3).start(*names(4))
    field.pair()
    field.play(in_order)
    field.do(commands.Leave("p000"))
    field.do(commands.Leave("p003", "removed", "moderator"))
    assert points(field)["p000"] == 12
    assert {party for table in field.pair() for party in table.people} == {"p001", "p002"}


def test_ties_by_opponents_beaten_then_their_mean_then_raw() -> None:
    field = Field(Terms("swiss", 2, 1000, 5, rounds=2)).start(*names(4))
    for tables in ((("p000", "p001"), ("p002", "p003")), (("p000", "p002"), ("p001", "p003"))):
        field.do(commands.Pair(field.state.round + 1, tables, (), "s"))
        field.play(lambda table: {**in_order(table)} if "p003" in table.people else dict.fromkeys(table.people, 1))
    lines = {line.party: line for line in standings(field.state)}
    # p000 drew twice; p001 and p002 drew with p000 and beat p003, who has nothing.
    assert {party: line.points for party, line in lines.items()} == {"p000": 12, "p001": 18, "p002": 18, "p003": 0}
    assert lines["p001"].opponents_beaten == 6  # 12 x 1/2 + 0 x 1
    assert lines["p001"].opponents_mean == 6  # (12 + 0) / 2
    assert lines["p000"].opponents_beaten == 18  # 18 x 1/2 twice
    assert [lines[party].rank for party in names(4)] == [3, 1, 1, 4]
    field.do(commands.ChangeResult(0, {"p000": 1, "p001": 1}, "moderator", {"p000": -6, "p001": 6}))
    assert [line.party for line in standings(field.state)][:2] == ["p001", "p002"]
    assert [line.rank for line in standings(field.state)][:2] == [1, 2]


def test_void_table_counts_for_nobody_even_after_the_end() -> None:
    field = swiss(rounds=1).start(*names(4))
    field.pair()
    field.play(in_order)
    assert field.state.stage == "over"
    people = field.state.tables[0].people
    field.do(commands.ChangeResult(0, {}, "moderator"))
    assert [points(field)[party] for party in people] == [0, 0]


def test_table_that_hangs_is_overdue_after_three_medians() -> None:
    field = swiss(rounds=1).start(*names(6))
    field.pair()
    for number in range(3):
        field.do(commands.Begin(number, "m"))
    begun = field.state.tables[2].begun_at
    assert overdue_tables(field.state, begun + 15 * MINUTE - 1)[2:] == ()
    field.now += 10 * MINUTE
    for number in range(2):
        field.do(commands.Count(number, in_order(field.state.tables[number])))
    assert overdue_tables(field.state, begun + 29 * MINUTE) == ()
    assert [table.number for table in overdue_tables(field.state, begun + 31 * MINUTE)] == [2]


def arena(sides: int = 4) -> Field:
    return Field(Terms("arena", sides, starts_at=MINUTE, usual_minutes=5, minutes=30)).start(*names(9))


def waits(field: Field, seconds: int, count: int) -> dict[str, int]:
    return dict.fromkeys(names(count), field.now - seconds * SECOND)


@pytest.mark.parametrize(
    ("seconds", "count", "sizes"),
    [(1, 8, [4, 4]), (1, 7, []), (15, 7, [4]), (14, 4, []), (15, 3, []), (20, 3, [3]), (20, 6, [4, 2]), (20, 1, [])],
)
def test_arena_pairs_a_crowd_at_once_and_few_after_a_wait(seconds: int, count: int, sizes: list[int]) -> None:
    field = arena()
    proposal = propose_tables(field.state, waits(field, seconds, count), "s", field.now)
    tables = proposal.tables if proposal else ()
    assert [sum(bool(party) for party in table) for table in tables] == sizes


def test_arena_waits_before_the_same_duel_again() -> None:
    field = arena(sides=2)
    field.do(propose_tables(field.state, waits(field, 15, 2), "s", field.now))
    field.play(in_order)
    field.now += RESULT_TIME
    assert propose_tables(field.state, waits(field, 19, 2), "s", field.now) is None
    assert propose_tables(field.state, waits(field, 20, 2), "s", field.now) is not None
    apart = [("p002", "p003")]
    proposal = propose_tables(field.state, dict.fromkeys(names(4)[2:], field.now - 15 * SECOND), "s", field.now, apart)
    assert proposal is None


def test_arena_begins_nothing_late_and_drops_what_takes_too_long() -> None:
    field = arena(sides=2)
    terms = field.state.terms
    waiting = dict.fromkeys(names(4), 0)
    assert propose_tables(field.state, waiting, "s", terms.last_begin + 1) is None
    field.now = terms.last_begin - 3 * SECOND
    field.do(propose_tables(field.state, waiting, "s", field.now))
    assert field.do(commands.Pair(0, (("p000", "p001"),), (), "s")) == ()
    field.do(commands.Begin(0, "m"))
    field.do(commands.Count(1, in_order(field.state.tables[1])))
    assert refused(field, commands.Drop(0)) == "too_early"
    field.now = terms.ends_at
    assert refused(field, commands.End()) == "too_early"
    field.now = field.state.tables[0].begun_at + 10 * MINUTE
    assert [type(event) for event in field.do(commands.Drop(0))] == [Dropped, Ended]


def test_board_closes_at_twice_the_median_and_gives_the_mean_of_other_boards() -> None:
    field = Field(Terms("duplicate", 4, 1000, 5, rounds=2)).start(*names(12))
    levels = [(0, 6, 12, 18, 24)] * 4
    for number in range(2):
        tables = field.pair()
        for table in tables:
            field.do(commands.Begin(table.number, "m"))
        field.now += 3 * MINUTE
        for table in tables[: 3 - number]:
            raws = dict.fromkeys(table.people, 12 + table.number % 3 * 12)
            field.do(commands.Count(table.number, in_order(table), raws))
        closes_at = board_closes_at(field.state)
        if number:
            assert refused(field, commands.CloseBoard(levels)) == "too_early"
            field.now = closes_at
        field.do(commands.CloseBoard(levels))
    closed = [event for event in field.events if isinstance(event, BoardClosed)]
    first = {result.party: Fraction(result.score, result.out_of) for result in closed[0].results}
    # A field of eight: 0 6 12 18 24 and 12 24 36. 12: two worse, one tie, 5/14. 24: five, one, 11/14. 36: the best.
    assert {first[party] for party in field.state.tables[0].people} == {Fraction(5, 14)}
    assert {first[party] for party in field.state.tables[2].people} == {Fraction(1)}
    late = [result.party for result in closed[1].results if not result.out_of]
    assert sorted(late) == sorted(field.state.tables[5].people)
    assert all(points(field)[party] == 24 * first[party] for party in late)
    assert isinstance(field.events[-1], Ended)


def test_nonces_fit_their_commitments_and_make_the_entropy() -> None:
    field = Field(Terms("duplicate", 2, 1000, 5))
    for party in names(5):
        field.do(commands.Enter(party, (party,), (nonce_commitment(f"nonce {party}"),)))
    nonces = ("", *(f"nonce {party}" for party in names(5)[1:]))
    assert refused(field, commands.Start(frozenset(names(5)), nonces[::-1])) == "bad_request"
    field.do(commands.Start(frozenset(names(5)), nonces))
    assert field.state.entropy == entropy(nonces)
    tables = field.pair()
    assert [sum(bool(party) for party in table.parties) for table in tables].count(1) == 1  # a bot, and no bye


def test_state_is_the_fold_of_stored_events_in_any_process() -> None:
    field = swiss(3, rounds=3).start(*names(10))
    field.play_rounds(by_lot(5))
    stored = [event_to_data(event) for event in field.events]
    assert [event_from_data(kind, data) for kind, data in stored] == field.events
    for end in range(1, len(field.events) + 1):
        prefix = fold(event_from_data(kind, data) for kind, data in stored[:end])
        assert standings(prefix) == standings(fold(field.events[:end]))
    assert fold(field.events) == field.state
    code = (
        "from tests.tournaments.fields import *; from games.tournaments.core.standings import standings\n"
        "field = swiss(3, rounds=3).start(*names(10)); print(standings(field.play_rounds(by_lot(5))))"
    )
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        output = subprocess.run(
            [sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True
        ).stdout
        assert output == f"{standings(field.state)}\n"


def test_pairing_after_somebody_left_is_stale() -> None:
    field = swiss().start(*names(6))
    proposal = propose_round(field.state, field.names, "s")
    field.do(commands.Leave("p000"))
    assert refused(field, proposal) == "stale"
    assert refused(field, commands.Pair(1, (), (Award("p001", "bye", 12),), "s")) == "stale"


def test_tournament_of_one_is_deserted() -> None:
    field = swiss().start(*names(4))
    assert refused(field, commands.End()) == "too_early"
    for party in names(3):
        field.do(commands.Leave(party))
    field.do(commands.End())
    assert field.state.stage == "over"
    assert refused(field, commands.Cancel("x", "staff")) == "over"
