"""Triominoes, the deal, the lead and the turn: every rule has a test named for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.engine.decide import deal_explicit, deal_round, new_match
from games.engine.events import Drew, Played, Points, RoundDealt, Term
from games.engine.evolve import evolve, start_state
from games.engine.refusal import Refusal
from games.engine.rules import Deal
from games.engine.state import State
from games.engine.tiles import Tile, pips
from games.engine.variants import rules_for
from games.engine.view import view_for
from tests.engine.positions import legal, move, move_events, position, refused

TRIOMINOES = rules_for("triominoes")
FULL = TRIOMINOES.tile_set
NO_TRIPLES = [tile for tile in FULL if len(set(tile)) > 1]


def filled(hands: Sequence[str], size: int = 7) -> list[tuple[Tile, ...]]:
    """Return the hands, filled up with light tiles that are no triples."""
    named_hands = tuple(map(TRIOMINOES.read_tiles, hands))
    named = {tile for hand in named_hands for tile in hand}
    light = iter(sorted((tile for tile in NO_TRIPLES if tile not in named), key=pips))
    return [(*hand, *(next(light) for _ in range(size - len(hand)))) for hand in named_hands]


def dealt(hands: Sequence[str], *, lead: int | None = None, options: dict[str, str] | None = None) -> State:
    """Return the first round, dealt with at least these hands."""
    state = start_state(new_match(TRIOMINOES, len(hands), options or {}))
    whole = filled(hands, TRIOMINOES.hand_size(state))
    rest = tuple(tile for tile in FULL if not any(tile in hand for hand in whole))
    (event,) = deal_explicit(TRIOMINOES, state, Deal(tuple(whole), rest), lead=lead)
    return evolve(state, event)


def score_after(state: State, *texts: str) -> int:
    return move(TRIOMINOES, state, *texts).round.scored


# The deal


@pytest.mark.parametrize(
    ("seats", "hands", "size", "pool"),
    [(2, "leaflet", 7, 42), (3, "leaflet", 7, 35), (4, "leaflet", 7, 28),
     (2, "official", 9, 38), (3, "official", 7, 35), (4, "official", 7, 28)],
)  # fmt: skip
def test_triominoes_deal__seven_each_officially_nine_for_two(seats: int, hands: str, size: int, pool: int) -> None:
    state = start_state(new_match(TRIOMINOES, seats, {"hands": hands}))
    (event,) = deal_round(TRIOMINOES, state, lambda attempt: list(range(56)))
    assert isinstance(event, RoundDealt)
    assert [len(hand) for hand in event.hands] == [size] * seats
    assert len(event.boneyard) == pool
    assert (*sum(event.hands, ()), *event.boneyard) == FULL


# The lead


def test_triominoes_start__the_highest_triple_leads_with_ten_on_top() -> None:
    """T-02."""
    state = dealt(["0-0-1", "4-4-4 3-4-5"])
    assert (state.round.to_move, legal(TRIOMINOES, state)) == (1, ["U(0,0)=4/4/4"])
    (played, *_) = move_events(TRIOMINOES, state, "U(0,0)=4/4/4")
    assert isinstance(played, Played)
    assert played.points == Points(22, (Term("triominoes.value", "4-4-4", 12), Term("triominoes.start", "+10", 10)))


def test_triominoes_start__forty_for_the_triple_of_zeros() -> None:
    """T-03: nobody holds another triple."""
    state = dealt(["0-0-0 3-4-5", "5-5-4"])
    assert legal(TRIOMINOES, state) == ["U(0,0)=0/0/0"]
    (played, *_) = move_events(TRIOMINOES, state, "U(0,0)=0/0/0")
    assert isinstance(played, Played)
    assert [term.value for term in played.points.terms] == [0, 30, 10]
    assert played.shown == ()


def test_triominoes_start__without_a_triple_the_most_valuable_tile_and_no_bonus() -> None:
    """T-04."""
    state = dealt(["3-4-5", "4-4-5"])
    assert (state.round.to_move, legal(TRIOMINOES, state)) == (1, ["U(0,0)=4/4/5"])
    assert score_after(state, "U(0,0)=4/4/5") == 13


def test_triominoes_start__who_holds_both_chooses_and_shows_the_highest_triple() -> None:
    """T-05."""
    state = dealt(["5-5-5 0-0-0 4-4-4", "3-3-3"])
    assert legal(TRIOMINOES, state) == ["U(0,0)=0/0/0", "U(0,0)=5/5/5"]
    assert score_after(state, "U(0,0)=5/5/5") == 25
    assert score_after(state, "U(0,0)=0/0/0") == 40
    after = move(TRIOMINOES, state, "U(0,0)=0/0/0")
    for viewer in (None, 1):
        assert view_for(TRIOMINOES, after, viewer).round.plays[0].shown == ((5, 5, 5),)
    assert move(TRIOMINOES, state, "U(0,0)=5/5/5").round.plays[0].shown == ()


def test_triominoes_start__the_zeros_in_another_hand_do_not_lead() -> None:
    """T-06."""
    state = dealt(["3-3-3", "0-0-0"])
    assert (state.round.to_move, legal(TRIOMINOES, state)) == (0, ["U(0,0)=3/3/3"])
    assert score_after(state, "U(0,0)=3/3/3") == 19


@pytest.mark.parametrize("text", ["draw", "pass", "U(0,0)=3/4/5", "U(1,0)=4/4/5", "D(0,0)=4/4/5", "U(0,0)=4/5/4"])
def test_triominoes_start__nothing_else_is_done_first(text: str) -> None:
    state = dealt(["4-4-5 3-4-5", "1-2-3"])
    assert refused(TRIOMINOES, state, text) == ("illegal_move", "triominoes.start")


def test_triominoes_start__a_mirrored_lead_is_no_tile() -> None:
    state = dealt(["3-4-5", "1-2-3"])
    assert refused(TRIOMINOES, state, "U(0,0)=3/5/4") == ("illegal_move", "triominoes.rotation")


def test_triominoes_start__equal_best_tiles_go_by_the_next_best_ones() -> None:
    """Both hold a tile worth 13; then 12 beats 11."""
    state = dealt(["4-4-5 2-4-5", "3-5-5 3-4-5"])
    assert (state.round.to_move, legal(TRIOMINOES, state)) == (1, ["U(0,0)=3/5/5"])
    assert state.lead_rule == "triominoes.start"


def test_triominoes_start__one_holder_of_two_such_tiles_chooses() -> None:
    state = dealt(["4-4-5 3-5-5", "3-4-5"])
    assert legal(TRIOMINOES, state) == ["U(0,0)=3/5/5", "U(0,0)=4/4/5"]


def test_triominoes_start__wholly_equal_hands_draw_lots() -> None:
    """Seats 0 and 2 hold 13, 10, 9, 8, 6, 5, 4 each; seat 1 has less."""
    first = "4-4-5 1-4-5 0-4-5 0-3-5 0-1-5 0-0-5 0-1-3"
    third = "3-5-5 2-3-5 1-3-5 1-2-5 0-2-4 0-1-4 0-0-4"
    worth = [sorted(map(pips, TRIOMINOES.read_tiles(hand)), reverse=True) for hand in (first, third)]
    assert worth == [[13, 10, 9, 8, 6, 5, 4]] * 2
    hands = [first, "0-0-1 0-0-2 0-0-3 0-1-1 0-1-2 0-2-2 1-1-2", third]
    for lead in (0, 2):
        state = dealt(hands, lead=lead)
        assert state.round.to_move == lead
    for lead in (1, 3, None):
        with pytest.raises(Refusal) as caught:
            dealt(hands, lead=lead)
        assert caught.value.code == "bad_deal"


def test_triominoes_start__a_needless_lot_is_ignored() -> None:
    assert dealt(["4-4-4", "3-4-5"], lead=1).round.to_move == 0


# The turn

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
    assert score_after(state, "D(-1,0)=5/3/4") == 12


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
