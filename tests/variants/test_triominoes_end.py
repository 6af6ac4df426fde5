"""Triominoes, the end of a round and of the match: each rule has a test named for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from games.engine.decide import deal_explicit, decide
from games.engine.events import Played, Points, RoundDealt, RoundEnded, Standing, Term
from games.engine.refusal import Refusal
from games.engine.rules import Deal
from games.engine.state import State
from games.engine.view import view_for
from tests.engine.positions import match_end, move, move_events, position, round_end, totals
from tests.variants.test_triominoes_deal import TRIOMINOES, filled

FULL = TRIOMINOES.tile_set


# The end of a round


def test_triominoes_out__25_and_the_other_hands() -> None:
    """T-27: 4 for the tile, 25 + 14 + 15."""
    state = position(
        TRIOMINOES,
        hands=["1-1-2", "0-0-3 2-4-5", "5-5-5"],
        laid="U(0,0)=1/1/5",
        boneyard="0-0-1",
        standing=[100, 9, 8],
    )
    (played, ended, *_) = move_events(TRIOMINOES, state, "D(0,0)=1/1/2")
    assert isinstance(played, Played)
    assert isinstance(ended, RoundEnded)
    assert played.points.total == 4
    assert (ended.reason, ended.seat, ended.rule, ended.lead) == ("out", 0, "triominoes.out", None)
    assert totals(ended) == [54, 0, 0]
    assert ended.points[0].terms == (
        Term("triominoes.out", "+25", 25),
        Term("triominoes.out", "0-0-3 + 2-4-5", 14),
        Term("triominoes.out", "5-5-5", 15),
    )
    assert [standing.points for standing in ended.standing] == [158, 9, 8]


def blocked(hands: Sequence[str], standing: Sequence[int] = ()) -> RoundEnded:
    """Let everybody pass until the round is blocked; seat 0 placed last."""
    state = position(TRIOMINOES, hands=hands, laid="U(0,0)=4/4/5", to_move=1 % len(hands), standing=standing)
    state = move(TRIOMINOES, state, *["pass"] * (len(hands) - 1))
    return round_end(TRIOMINOES, state, "pass")


def test_triominoes_blocked__everybody_in_succession_ended_a_turn_without_placing() -> None:
    state = position(TRIOMINOES, hands=["0-0-1", "0-0-2 3-4-5", "0-0-3"], laid="U(0,0)=4/4/5", to_move=2)
    after = move(TRIOMINOES, state, "pass", "pass", "D(-1,0)=5/3/4")
    assert (after.round.passes, after.round.over) == (0, None)
    after = move(TRIOMINOES, after, "pass", "pass")
    assert after.round.over is None
    ended = round_end(TRIOMINOES, after, "pass")
    assert (ended.reason, ended.seat, ended.rule) == ("blocked", 1, "triominoes.blocked")


def test_triominoes_blocked__not_while_the_pool_has_tiles() -> None:
    state = position(TRIOMINOES, hands=["0-0-1", "0-0-2"], laid="U(0,0)=4/4/5",
                     boneyard="0-0-3 0-0-4 0-1-1 0-1-2 0-1-3 0-2-2 0-2-3")  # fmt: skip
    state = move(TRIOMINOES, state, *["draw", "draw", "draw", "pass"] * 2)
    assert (state.round.passes, state.round.over) == (2, None)
    assert round_end(TRIOMINOES, move(TRIOMINOES, state, "draw"), "pass").reason == "blocked"


def test_triominoes_blocked__the_fewest_tiles_win_the_others_less_the_own() -> None:
    """(0-0-2 + 1-1-1) + (2-2-2 + 0-0-3) - 5-5-5 = 5 + 9 - 15 = -1."""
    ended = blocked(["0-0-2 1-1-1", "5-5-5", "2-2-2 0-0-3"], [10, 20, 30])
    assert totals(ended) == [0, -1, 0]
    assert ended.points[1].terms == (
        Term("triominoes.blocked", "0-0-2 + 1-1-1", 5),
        Term("triominoes.blocked", "2-2-2 + 0-0-3", 9),
        Term("triominoes.blocked", "−(5-5-5)", -15),
    )
    assert [standing.points for standing in ended.standing] == [10, 19, 30]


def test_triominoes_blocked__equal_numbers_go_by_the_lowest_value() -> None:
    assert totals(blocked(["0-0-2 1-1-1", "0-1-1 0-0-1", "2-2-2 0-0-3"])) == [0, 5 + 9 - 3, 0]


def test_triominoes_blocked__wholly_tied_nobody_scores() -> None:
    ended = blocked(["0-0-2 1-1-1", "0-1-1 1-1-1"])
    assert totals(ended) == [0, 0]
    assert ended.points == (Points(0), Points(0))


# The end of the match


def ending(standing: Sequence[int], **rest: Any) -> State:
    """Return a position in which seat 0 goes out with 1-1-2 (4 + 25) and takes 3 from seat 1, in all 32."""
    return position(
        TRIOMINOES, hands=["1-1-2", "0-0-3"], laid="U(0,0)=1/1/5", boneyard="0-0-1", standing=standing, **rest
    )


def test_triominoes_end__under_400_the_match_goes_on() -> None:
    after = move(TRIOMINOES, ending([367, 399]), "D(0,0)=1/1/2")
    assert [standing.points for standing in after.standing] == [399, 399]
    assert after.match_over is None


def test_triominoes_end__400_by_the_award_of_the_round() -> None:
    over = match_end(TRIOMINOES, ending([368, 399]), "D(0,0)=1/1/2")
    assert (over.reason, over.rule, over.places) == ("finished", "triominoes.end", (1, 2))
    assert (over.losers, over.rating) == ((), ())


def test_triominoes_end__400_in_mid_round_makes_it_the_last_which_is_played_out() -> None:
    state = position(
        TRIOMINOES, hands=["3-4-5 0-0-1", "0-0-2"], laid="U(0,0)=4/4/5", standing=[388, 0], boneyard="0-0-3"
    )
    assert not view_for(TRIOMINOES, state, 1).last
    state = move(TRIOMINOES, state, "D(-1,0)=5/3/4")
    assert state.standing[0].points == 400
    assert (state.round.over, state.round.to_move) == (None, 1)
    assert view_for(TRIOMINOES, state, 1).last


def test_triominoes_end__even_if_penalties_push_it_back() -> None:
    """388 + 12 = 400, drawing 395; seat 1 gets 9, then 11 + 25 + 4 for going out."""
    state = position(
        TRIOMINOES,
        hands=["3-4-5 0-0-1", "1-3-5 3-4-4"],
        laid="U(0,0)=4/4/5",
        standing=[388, 0],
        boneyard="0-1-2",
    )
    state = move(TRIOMINOES, state, "D(-1,0)=5/3/4", "U(-1,0)=3/5/1", "draw", "pass")
    assert [standing.points for standing in state.standing] == [395, 9]
    after = move(TRIOMINOES, state, "U(-1,1)=4/4/3")
    assert [standing.points for standing in after.standing] == [395, 49]
    assert after.match_over is not None
    assert after.match_over.places == (1, 2)


def test_triominoes_end__a_tie_for_the_top_is_one_more_round_whatever_happens_in_it() -> None:
    """368 + 32 = 400 to 400; in the round after it both fall below 400, and it still is the last."""
    after = move(TRIOMINOES, ending([368, 400]), "D(0,0)=1/1/2")
    assert after.round.over is not None
    assert [standing.points for standing in after.standing] == [400, 400]
    assert after.match_over is None
    assert after.round.over.last
    again = replace(
        position(TRIOMINOES, hands=["1-1-2", "0-0-3"], laid="U(0,0)=1/1/5", boneyard="0-0-1", standing=[300, 350]),
        rounds=after.rounds,
    )
    over = match_end(TRIOMINOES, again, "D(0,0)=1/1/2")
    assert over.places == (2, 1)


def test_triominoes_end__a_tie_below_the_top_is_none() -> None:
    state = position(
        TRIOMINOES, hands=["1-1-2", "0-0-3", "0-0-1"], laid="U(0,0)=1/1/5", standing=[400, 20, 20], boneyard="0-0-2"
    )
    assert match_end(TRIOMINOES, state, "D(0,0)=1/1/2").places == (1, 2, 2)


def test_triominoes_end__the_highest_total_wins_whoever_reached_400() -> None:
    state = position(TRIOMINOES, hands=["1-1-2", "5-5-5"], laid="U(0,0)=1/1/5", standing=[390, 410], boneyard="0-0-2")
    assert match_end(TRIOMINOES, state, "D(0,0)=1/1/2").places == (1, 2)


def test_triominoes_end__otherwise_everything_is_dealt_again_and_the_rules_name_the_leader() -> None:
    after = move(TRIOMINOES, ending([0, 0]), "D(0,0)=1/1/2")
    hands = filled(["0-0-1", "4-4-4"])
    rest = tuple(tile for tile in FULL if not any(tile in hand for hand in hands))
    (event,) = deal_explicit(TRIOMINOES, after, Deal(tuple(hands), rest))
    assert isinstance(event, RoundDealt)
    assert (event.to_move, event.must_lead) == (1, ((4, 4, 4),))
    assert event.standing == (Standing(32), Standing(0))


def test_triominoes_out__nothing_can_be_played_after_it() -> None:
    after = move(TRIOMINOES, ending([0, 0]), "D(0,0)=1/1/2")
    with pytest.raises(Refusal) as caught:
        decide(TRIOMINOES, after, 1, TRIOMINOES.parse_move(after, "pass"))
    assert caught.value.code == "round_over"
