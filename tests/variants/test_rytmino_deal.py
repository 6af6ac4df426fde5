"""Rytmino, from the deal to the end of the match: every rule has a test named for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from games.engine.decide import deal_explicit, deal_round, new_match
from games.engine.events import DealVoided, Points, RoundDealt, RoundEnded, Term
from games.engine.evolve import evolve, start_state
from games.engine.layout.grid import Grid
from games.engine.refusal import Refusal
from games.engine.rules import Deal
from games.engine.state import MoveMade, State
from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.engine.view import view_for
from tests.engine.positions import (
    board,
    in_round,
    layout_of,
    legal,
    match_end,
    move,
    position,
    refused,
    round_end,
    totals,
)

RYTMINO = rules_for("rytmino")
P0 = ("H(0,0)=2-4", "H(0,1)=3-1")
# Next to V(2,0)=1-1 every line but 1-2-1 needs a 1 at both ends, so tiles without a 1 fit nowhere.
ONES = "H(0,0)=1-1 H(0,1)=1-2"


def with_first_move(state: State, leader: int) -> State:
    """Return the position with somebody's first move of the deal behind it."""
    return in_round(state, moves=(MoveMade(leader, "pass"),))


def ending(hands: Sequence[str], *, leader: int, to_move: int, **options: str) -> State:
    """Return a position on P0 in the middle of the first deal."""
    state = position(RYTMINO, hands=hands, start=" ".join(P0), to_move=to_move, options=options)
    return in_round(with_first_move(state, leader), number=1)


def ended_by(seat: int, *, leader: int, **options: str) -> State:
    """Return the position after a seat of three went out with 5-2."""
    hands = ["4-4 2-1", "3-3", "5-5"]
    hands[seat] = "5-2"
    return move(RYTMINO, ending(hands, leader=leader, to_move=seat, **options), "V(2,0)=5-2")


FULL = RYTMINO.tile_set


def new(seats: int, **options: str) -> State:
    return start_state(new_match(RYTMINO, seats, options))


def rest_of(*placements: str) -> list[Tile]:
    """Return the tiles beside those that lie there."""
    rest = list(FULL)
    for text in placements:
        rest.remove(RYTMINO.layout.read(text)[0])
    return rest


def deal_of(seats: int, start: Sequence[str] = P0) -> Deal:
    """Return a deal with this starting pair, everything else in order."""
    rest = rest_of(*start)
    size = {2: 14, 3: 9, 4: 7}[seats]
    hands = tuple(tuple(rest[size * seat : size * (seat + 1)]) for seat in range(seats))
    return Deal(hands, (), tuple(start), tuple(rest[size * seats :]))


# The deal


@pytest.mark.parametrize(("seats", "size", "aside"), [(2, 14, 0), (3, 9, 1), (4, 7, 0)])
def test_rytmino_deal__fourteen_nine_or_seven_and_one_set_aside_with_three(seats: int, size: int, aside: int) -> None:
    (event,) = deal_round(RYTMINO, new(seats), lambda attempt: [*range(0, 30, 2), *range(1, 30, 2)])
    assert isinstance(event, RoundDealt)
    assert [len(hand) for hand in event.hands] == [size] * seats
    assert (event.boneyard, len(event.aside), len(event.start)) == ((), aside, 2)
    started = [RYTMINO.layout.read(text)[0] for text in event.start]
    assert sorted([*sum(event.hands, ()), *event.aside, *started]) == list(FULL)


def test_rytmino_deal__the_tile_set_aside_is_seen_by_nobody() -> None:
    (event,) = deal_explicit(RYTMINO, new(3), deal_of(3), lead=0)
    state = evolve(new(3), event)
    assert state.aside == ((5, 5),)
    other = replace(state, aside=((1, 1),))
    assert all(view_for(RYTMINO, state, seat) == view_for(RYTMINO, other, seat) for seat in (None, 0, 1, 2))


def test_rytmino_deal__nothing_can_be_drawn() -> None:
    state = position(RYTMINO, hands=["5-2", "1-1"], start=" ".join(P0))
    assert refused(RYTMINO, state, "draw") == ("illegal_move", "rytmino.deal")


BAD_DEALS = {
    "no starting pair": {"start": ()},
    "elsewhere": {"start": ("H(0,0)=2-4", "H(0,2)=3-1")},
    "in the other order": {"start": ("H(0,1)=3-1", "H(0,0)=2-4")},
    "upright": {"start": ("V(0,0)=2-4", "H(0,1)=3-1")},
    "no placement": {"start": ("H(0,0)=2-4", "3-1")},
    "another tile": {"start": ("H(0,0)=2-4", "H(0,1)=3-3")},
    "nothing set aside": {"aside": ()},
    "a boneyard": {"aside": (), "boneyard": ((5, 5),)},
}


@pytest.mark.parametrize("wrong", BAD_DEALS.values(), ids=BAD_DEALS)
def test_rytmino_deal__another_deal_is_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as caught:
        deal_explicit(RYTMINO, new(3), replace(deal_of(3), **wrong), lead=0)
    assert caught.value.code == "bad_deal"


# The start


def test_rytmino_start__the_pair_lies_with_the_long_sides_together_and_scores_nothing() -> None:
    (event,) = deal_explicit(RYTMINO, new(2), deal_of(2), lead=1)
    state = evolve(new(2), event)
    assert layout_of(state, Grid).values == {(0, 0): 2, (1, 0): 4, (0, 1): 3, (1, 1): 1}
    assert (state.round.start, state.round.plays, state.round.scored) == (P0, (), 0)
    assert [standing.points for standing in state.standing] == [0, 0]


def order_with(one: int, other: int) -> list[int]:
    """Return an order of the set that lays these indices as the starting pair."""
    return [*(index for index in range(30) if index not in (one, other)), one, other]


def test_rytmino_start__the_orientation_comes_from_the_shuffle() -> None:
    """4-2 and 3-1 stand at 14, 15 and 6, 7 of the set: of two copies the second lies turned."""
    assert (FULL[14], FULL[15], FULL[6], FULL[7]) == ((4, 2), (4, 2), (3, 1), (3, 1))
    for one, other in product((14, 15), (6, 7)):
        order = order_with(one, other)
        (event,) = deal_round(RYTMINO, new(2), lambda attempt: order)  # noqa: B023 - asked at once
        assert isinstance(event, RoundDealt)
        above, below = "2-4" if one == 15 else "4-2", "1-3" if other == 7 else "3-1"
        assert event.start == (f"H(0,0)={above}", f"H(0,1)={below}")


def pair_placements(order: Sequence[int], version: int) -> list[str]:
    """Return how the pair of this order lies by a version of the rules."""
    state = new(2)
    state = replace(state, setup=replace(state.setup, rules_version=version))
    return [text.partition("=")[2] for text in RYTMINO.deal(state, order).start]


def test_rytmino_start__two_copies_of_one_tile_lie_both_ways() -> None:
    """The second tile is turned once more where the tile dealt first is a second copy."""
    plain, turning = order_with(14, 15), order_with(14, 15)
    turning[0], turning[1] = turning[1], turning[0]
    assert (plain[0], turning[0]) == (0, 1)
    assert (pair_placements(plain, 2), pair_placements(turning, 2)) == (
        ["4-2", "2-4"],
        ["4-2", "4-2"],
    )
    assert (pair_placements(plain, 1), pair_placements(turning, 1)) == (
        ["4-2", "2-4"],
        ["4-2", "2-4"],
    )


def test_rytmino_start__twice_the_same_double_is_void_and_dealt_again() -> None:
    shuffles = {1: order_with(10, 11), 2: order_with(14, 6), 0: list(range(30))}
    assert FULL[10] == FULL[11] == (3, 3)
    void, event = deal_round(RYTMINO, new(3), lambda attempt: shuffles[attempt])
    assert isinstance(void, DealVoided)
    assert (void.rule, void.start) == ("rytmino.start", ("H(0,0)=3-3", "H(0,1)=3-3"))
    assert len(void.aside) == 1
    assert isinstance(event, RoundDealt)
    assert event.attempt == 2
    with pytest.raises(Refusal) as caught:
        deal_explicit(RYTMINO, new(2), deal_of(2, void.start), lead=0)
    assert (caught.value.code, caught.value.rule) == ("void_deal", "rytmino.start")


def test_rytmino_start__every_other_pair_can_be_opened_whatever_is_set_aside() -> None:
    for a, b, c, d in product(range(1, 6), repeat=4):
        start = (f"H(0,0)={a}-{b}", f"H(0,1)={c}-{d}")
        if a == b == c == d:
            continue
        laid = board(RYTMINO.layout, " ".join(start))
        assert sum(laid.fits([tile]) for tile in rest_of(*start)) >= 2


def test_rytmino_start__the_first_seat_is_drawn_by_lot() -> None:
    for lead in range(3):
        (event,) = deal_explicit(RYTMINO, new(3), deal_of(3), lead=lead)
        assert isinstance(event, RoundDealt)
        assert (event.to_move, event.lots, event.must_lead) == (lead, (0, 1, 2), ())
    for lead in (None, 3, -1):
        with pytest.raises(Refusal) as caught:
            deal_explicit(RYTMINO, new(3), deal_of(3), lead=lead)
        assert caught.value.code == "bad_deal"


def test_rytmino_start__later_deals_begin_one_seat_further() -> None:
    state = replace(ended_by(2, leader=2, deals="per_player"), lead=0)
    (event,) = deal_explicit(RYTMINO, state, deal_of(3), lead=1)
    assert isinstance(event, RoundDealt)
    assert (event.to_move, event.lots) == (0, ())
    assert ended_by(2, leader=2, deals="per_player").lead == 0
    assert ended_by(2, leader=0, deals="per_player").lead == 1


# The turn


def test_rytmino_turn__who_can_place_must() -> None:
    state = position(RYTMINO, hands=["5-2", "1-1"], start=" ".join(P0))
    assert "pass" not in legal(RYTMINO, state)
    assert refused(RYTMINO, state, "pass") == ("illegal_move", "rytmino.turn")


def test_rytmino_turn__who_cannot_passes_and_may_play_again_later() -> None:
    state = position(RYTMINO, hands=["1-1 5-5", "5-4 3-3", "1-2 1-3 4-4"], start=ONES)
    state = move(RYTMINO, state, "V(2,0)=1-1")
    assert (state.round.to_move, legal(RYTMINO, state)) == (1, ["pass"])
    state = move(RYTMINO, state, "pass")
    assert (state.round.to_move, state.round.scored) == (2, 0)
    assert [standing.points for standing in state.standing] == [18, 0, 0]
    state = in_round(state, to_move=1, layout=board(RYTMINO.layout, " ".join(P0)))
    assert len(legal(RYTMINO, state)) > 1


# The end


def test_rytmino_end__at_once_when_somebody_is_out_without_a_bonus() -> None:
    state = ended_by(0, leader=0)
    assert state.round.over is not None
    assert (state.round.over.reason, state.round.over.seat, state.round.over.rule) == ("out", 0, "rytmino.end")
    assert totals(state.round.over) == [0, 0, 0]
    assert [standing.points for standing in state.standing] == [9, 0, 0]


def test_rytmino_end__when_nobody_can_place() -> None:
    state = position(RYTMINO, hands=["1-1 5-5", "5-4 3-3"], start=ONES)
    ended = round_end(RYTMINO, with_first_move(state, 1), "V(2,0)=1-1")
    assert (ended.reason, ended.seat, ended.rule, totals(ended)) == ("blocked", 0, "rytmino.end", [0, 0])


def test_rytmino_end__the_tile_set_aside_blocks_nothing() -> None:
    state = position(RYTMINO, hands=["1-1 5-5", "5-4", "3-3"], start=ONES)
    assert round_end(RYTMINO, with_first_move(replace(state, aside=((2, 1),)), 0), "V(2,0)=1-1").reason == "blocked"


def test_rytmino_end__most_points_win_and_ties_are_shared() -> None:
    state = position(RYTMINO, hands=["5-2", "3-3", "5-5"], start=" ".join(P0), standing=[0, 9, 30])
    over = match_end(RYTMINO, with_first_move(state, 0), "V(2,0)=5-2")
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
    state = move(RYTMINO, with_first_move(state, 2), "V(2,0)=1-1")
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
    ended = round_end(RYTMINO, with_first_move(state, 1), "V(2,0)=1-1")
    assert (ended.reason, totals(ended)) == ("blocked", [-5, -30])


def test_rytmino_end__who_is_out_ends_a_deal_in_which_nobody_can_place_any_more() -> None:
    """Seat 2 led and goes out; 1-1 was the last tile that fitted, so the turns left come to nothing."""
    state = position(RYTMINO, hands=["5-4", "3-3", "1-1"], start=ONES, to_move=2, options={"leftover": "sackson"})
    state = with_first_move(state, 2)
    ended = round_end(RYTMINO, state, "V(2,0)=1-1")
    assert (ended.reason, ended.seat, totals(ended)) == ("out", 2, [-25, -5, 0])
    before = replace(state, setup=replace(state.setup, rules_version=1))
    assert round_end(RYTMINO, before, "V(2,0)=1-1").reason == "blocked"


def test_rytmino_end__who_is_out_first_ends_it_whoever_places_last() -> None:
    """Seat 1 led and is out; seat 2 places the last tile that fits, so the turn seat 0 has left comes to nothing."""
    hands = ["5-4", "", "1-1 5-5"]
    state = position(RYTMINO, hands=hands, start=ONES, to_move=2, options={"leftover": "sackson"})
    ended = round_end(RYTMINO, with_first_move(state, 1), "V(2,0)=1-1")
    assert (ended.reason, ended.seat) == ("out", 1)
