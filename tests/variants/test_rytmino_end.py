"""How a deal of Rytmino ends, and what tiles left over cost, rule by rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.events import Points, RoundEnded, Term
from games.engine.variants import rules_for
from games.engine.view import view_for
from tests.engine.positions import in_round, legal, match_end, move, position, round_end, totals
from tests.variants.rytmino_rounds import ONES, P0, begun, ended_by, ending

RYTMINO = rules_for("rytmino")


def test_rytmino_end__at_once_when_somebody_is_out_without_a_bonus() -> None:
    state = ended_by(0, leader=0)
    assert state.round.over is not None
    assert (state.round.over.reason, state.round.over.seat, state.round.over.rule) == ("out", 0, "rytmino.end")
    assert totals(state.round.over) == [0, 0, 0]
    assert [standing.points for standing in state.standing] == [9, 0, 0]


def test_rytmino_end__when_nobody_can_place() -> None:
    state = position(RYTMINO, hands=["1-1 5-5", "5-4 3-3"], start=ONES)
    ended = round_end(RYTMINO, begun(state, 1), "V(2,0)=1-1")
    assert (ended.reason, ended.seat, ended.rule, totals(ended)) == ("blocked", 0, "rytmino.end", [0, 0])


def test_rytmino_end__the_tile_set_aside_blocks_nothing() -> None:
    state = position(RYTMINO, hands=["1-1 5-5", "5-4", "3-3"], start=ONES)
    assert round_end(RYTMINO, begun(replace(state, aside=((2, 1),)), 0), "V(2,0)=1-1").reason == "blocked"


def test_rytmino_end__most_points_win_and_ties_are_shared() -> None:
    state = position(RYTMINO, hands=["5-2", "3-3", "5-5"], start=" ".join(P0), standing=[0, 9, 30])
    over = match_end(RYTMINO, begun(state, 0), "V(2,0)=5-2")
    assert (over.reason, over.rule, over.places) == ("finished", "rytmino.end", (2, 2, 1))
    assert (over.losers, over.rating) == ((), ())


@pytest.mark.parametrize(("deals", "over"), [("1", [True, True, True]), ("per_player", [False, False, True])])
def test_rytmino_end__one_deal_or_one_for_each_player(deals: str, over: list[bool]) -> None:
    results = []
    for number in (1, 2, 3):
        state = in_round(ending(["5-2", "3-3", "5-5"], leader=0, to_move=0, deals=deals), number=number)
        assert view_for(RYTMINO, state, 0).last == over[number - 1]
        results.append(move(RYTMINO, state, "V(2,0)=5-2").match_over is not None)
    assert results == over


# The option leftover=sackson


def test_rytmino_end__left_over_tiles_cost_25_and_doubles_5() -> None:
    """Seat 2 goes out last in the round of turns: 4-4 and 2-1 cost 30, 3-3 costs 5."""
    ended = ended_by(2, leader=0, leftover="sackson").round.over
    assert isinstance(ended, RoundEnded)
    assert (ended.reason, ended.seat, totals(ended)) == ("out", 2, [-30, -5, 0])
    assert ended.points[0] == Points(-30, (Term("rytmino.end", "1 × −25", -25), Term("rytmino.end", "1 × −5", -5)))
    assert [standing.points for standing in ended.standing] == [-30, -5, 9]


def test_rytmino_end__the_round_of_turns_is_finished() -> None:
    """Seat 1 led. It goes out; seats 2 and 0 still have their turns, then it is over."""
    state = ending(["4-4 5-1", "5-2", "5-5 3-3"], leader=1, to_move=1, leftover="sackson")
    state = move(RYTMINO, state, "V(2,0)=5-2")
    assert (state.round.over, state.round.to_move) == (None, 2)
    state = move(RYTMINO, state, legal(RYTMINO, state)[0])
    assert (state.round.over, state.round.to_move) == (None, 0)
    ended = round_end(RYTMINO, state, legal(RYTMINO, state)[0])
    assert (ended.reason, ended.seat) == ("out", 1)
    assert ended.points[1] == Points(0)


def test_rytmino_end__the_last_turn_may_be_a_pass() -> None:
    """After V(2,0)=1-1 seat 1 has nothing that fits, but seat 0, which has no turn left, has."""
    state = position(RYTMINO, hands=["2-1 3-1", "5-4", "1-1"], start=ONES, to_move=2, options={"leftover": "sackson"})
    state = move(RYTMINO, begun(state, 2), "V(2,0)=1-1")
    assert (state.round.over, state.round.to_move) == (None, 0)
    state = move(RYTMINO, state, "V(-1,0)=1-2")
    assert (state.round.to_move, legal(RYTMINO, state)) == (1, ["pass"])
    ended = round_end(RYTMINO, state, "pass")
    assert (ended.reason, ended.seat, totals(ended)) == ("out", 2, [-25, -25, 0])


def test_rytmino_end__who_is_out_first_ends_it() -> None:
    state = ending(["4-4 5-1", "5-2", "5-5"], leader=1, to_move=1, leftover="sackson")
    state = move(RYTMINO, state, "V(2,0)=5-2")
    state = move(RYTMINO, state, legal(RYTMINO, state)[0])
    assert state.hands[2] == ()
    ended = round_end(RYTMINO, state, legal(RYTMINO, state)[0])
    assert (ended.reason, ended.seat) == ("out", 1)


def test_rytmino_end__a_blocked_deal_costs_too() -> None:
    state = position(RYTMINO, hands=["1-1 5-5", "5-4 3-3"], start=ONES, options={"leftover": "sackson"})
    ended = round_end(RYTMINO, begun(state, 1), "V(2,0)=1-1")
    assert (ended.reason, totals(ended)) == ("blocked", [-5, -30])


def test_rytmino_end__who_is_out_ends_a_deal_in_which_nobody_can_place_any_more() -> None:
    """Seat 2 led and goes out; 1-1 was the last tile that fitted, so the turns left come to nothing."""
    state = position(RYTMINO, hands=["5-4", "3-3", "1-1"], start=ONES, to_move=2, options={"leftover": "sackson"})
    state = begun(state, 2)
    ended = round_end(RYTMINO, state, "V(2,0)=1-1")
    assert (ended.reason, ended.seat, totals(ended)) == ("out", 2, [-25, -5, 0])
    before = replace(state, setup=replace(state.setup, rules_version=1))
    assert round_end(RYTMINO, before, "V(2,0)=1-1").reason == "blocked"


def test_rytmino_end__who_is_out_first_ends_it_whoever_places_last() -> None:
    """Seat 1 led and is out; seat 2 places the last tile that fits, so the turn seat 0 has left comes to nothing."""
    hands = ["5-4", "", "1-1 5-5"]
    state = position(RYTMINO, hands=hands, start=ONES, to_move=2, options={"leftover": "sackson"})
    ended = round_end(RYTMINO, begun(state, 1), "V(2,0)=1-1")
    assert (ended.reason, ended.seat) == ("out", 1)
