"""Triominoes, a turn and what it costs: each rule has a test named for it."""

from __future__ import annotations

from games.engine.events import Drew, Points, Term
from tests.engine.positions import legal, move, move_events, position, refused
from tests.variants.test_triominoes_deal import TRIOMINOES, scored

PENALTY = Points(-5, (Term("triominoes.turn", "", -5),))


def test_triominoes_turn__three_draws_and_no_play_cost_25() -> None:
    """T-21."""
    state = position(TRIOMINOES, hands=["1-1-1", "0-0-1"], laid="U(0,0)=4/4/5", boneyard="0-0-2 0-0-3 0-1-2 0-1-1")
    standing = []
    for text in ("draw", "draw", "draw", "pass"):
        state = move(TRIOMINOES, state, text)
        standing.append((state.round.scored, state.standing[0].points, state.round.to_move))
    assert standing == [(-5, -5, 0), (-5, -10, 0), (-5, -15, 0), (-10, -25, 1)]


def test_triominoes_turn__a_draw_and_a_placement() -> None:
    """T-22: 12 - 5 = 7."""
    state = position(TRIOMINOES, hands=["1-1-1", "0-0-1"], laid="U(0,0)=4/4/5", boneyard="3-4-5 0-0-3")
    (drew,) = move_events(TRIOMINOES, state, "draw")
    assert isinstance(drew, Drew)
    assert drew.points == PENALTY
    state = move(TRIOMINOES, state, "draw", "D(-1,0)=5/3/4")
    assert [standing.points for standing in state.standing] == [7, 0]
    assert (state.round.to_move, state.round.drawn) == (1, 0)


def test_triominoes_turn__who_could_place_may_draw_all_the_same() -> None:
    state = position(
        TRIOMINOES, hands=["3-4-5 1-1-1", "0-0-1"], laid="U(0,0)=4/4/5", boneyard="0-0-3 0-0-2 0-1-1 0-1-2"
    )
    assert legal(TRIOMINOES, state) == ["D(-1,0)=5/3/4", "draw"]
    state = move(TRIOMINOES, state, "draw", "draw", "draw")
    assert legal(TRIOMINOES, state) == ["D(-1,0)=5/3/4", "pass"]
    assert refused(TRIOMINOES, state, "draw") == ("illegal_move", "triominoes.turn")
    assert scored(state, "D(-1,0)=5/3/4") == 12


def test_triominoes_turn__nobody_stops_while_draws_are_left() -> None:
    state = position(TRIOMINOES, hands=["1-1-1", "0-0-1"], laid="U(0,0)=4/4/5", boneyard="0-0-3 0-0-2")
    assert refused(TRIOMINOES, state, "pass") == ("illegal_move", "triominoes.turn")
    assert refused(TRIOMINOES, move(TRIOMINOES, state, "draw"), "pass") == ("illegal_move", "triominoes.turn")


def test_triominoes_turn__the_draws_are_counted_anew_for_the_next_player() -> None:
    state = position(TRIOMINOES, hands=["1-1-1", "0-0-1"], laid="U(0,0)=4/4/5", boneyard="0-0-2 0-0-3 0-1-2 0-1-1")
    state = move(TRIOMINOES, state, "draw", "draw", "draw", "pass")
    assert legal(TRIOMINOES, state) == ["draw"]
    assert state.round.passes == 1


def test_triominoes_empty_pool__ending_the_turn_costs_nothing() -> None:
    """T-25."""
    state = position(TRIOMINOES, hands=["1-1-1", "0-0-1"], laid="U(0,0)=4/4/5")
    assert legal(TRIOMINOES, state) == ["pass"]
    assert refused(TRIOMINOES, state, "draw") == ("illegal_move", "triominoes.empty_pool")
    state = move(TRIOMINOES, state, "pass")
    assert (state.round.scored, state.standing[0].points, state.round.to_move) == (0, 0, 1)


def test_triominoes_empty_pool__tiles_drawn_in_this_turn_cost_five_each() -> None:
    state = position(TRIOMINOES, hands=["1-1-1", "0-0-1"], laid="U(0,0)=4/4/5", boneyard="0-0-2 0-0-3")
    state = move(TRIOMINOES, state, "draw", "draw", "pass")
    assert (state.round.scored, state.standing[0].points) == (0, -10)


def test_triominoes_empty_pool__the_third_draw_that_empties_it_costs_ten_more() -> None:
    state = position(TRIOMINOES, hands=["1-1-1", "0-0-1"], laid="U(0,0)=4/4/5", boneyard="0-0-2 0-0-3 0-1-1")
    state = move(TRIOMINOES, state, "draw", "draw", "draw", "pass")
    assert (state.round.scored, state.standing[0].points) == (-10, -25)


def test_triominoes_empty_pool__who_could_place_may_end_the_turn_too() -> None:
    state = position(TRIOMINOES, hands=["3-4-5 1-1-1", "0-0-1"], laid="U(0,0)=4/4/5")
    assert legal(TRIOMINOES, state) == ["D(-1,0)=5/3/4", "pass"]
