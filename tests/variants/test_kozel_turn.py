"""Kozel, the turn and the end of a round: each rule has a test named for it."""

from __future__ import annotations

import pytest

from games.engine.layout.line import Line
from games.engine.refusal import Refusal
from games.engine.variants import rules_for
from tests.engine.positions import layout_of, legal, move, position, refused, round_end, tiles, totals
from tests.variants.kozel_lines import K06_BEFORE, K07_BEFORE

KOZEL = rules_for("kozel")


def test_kozel_turn__clockwise_one_tile_on_either_end() -> None:
    state = position(KOZEL, hands=["6-4 5-0 1-1", "4-4", "5-4 1-0", "3-3"], laid="6-3 3-5")
    assert legal(KOZEL, state) == ["5-0 right", "6-4 left"]
    state = move(KOZEL, state, "6-4 left")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end, state.round.to_move) == (4, 5, 1)


def test_kozel_turn__a_tile_that_fits_both_ends_has_two_moves() -> None:
    assert legal(KOZEL, position(KOZEL, hands=["6-5 1-1", "4-4"], laid="6-3 3-5")) == ["6-5 left", "6-5 right"]
    assert legal(KOZEL, position(KOZEL, hands=["6-5 1-1", "4-4"], laid="6-3 3-6")) == ["6-5 left", "6-5 right"]
    assert legal(KOZEL, position(KOZEL, hands=["6-6 1-1", "4-4"], laid="6-3 3-6")) == ["6-6 left", "6-6 right"]


def test_kozel_turn__a_lead_is_the_tile_alone_its_higher_half_left() -> None:
    state = position(KOZEL, hands=["2-6 1-1", "4-4"])
    assert legal(KOZEL, state) == ["1-1", "6-2"]
    after = move(KOZEL, state, "2-6")
    assert (layout_of(after, Line).left_end, layout_of(after, Line).right_end) == (6, 2)
    assert refused(KOZEL, state, "6-2 left") == ("illegal_move", "kozel.turn")


def test_kozel_turn__doubles_are_no_spinners() -> None:
    state = move(KOZEL, position(KOZEL, hands=["6-6 1-0", "6-5 6-4", "6-3 1-1"]), "6-6", "6-5 left", "6-3 right")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end) == (5, 3)
    with pytest.raises(Refusal) as caught:
        KOZEL.parse_move(state, "6-4 up")
    assert caught.value.code == "bad_move"


@pytest.mark.parametrize("text", ["5-0 left", "1-1 right", "4-4 left", "6-4"])
def test_kozel_turn__a_tile_that_does_not_fit_or_is_not_held_is_refused(text: str) -> None:
    state = position(KOZEL, hands=["6-4 5-0 1-1", "4-4"], laid="6-3 3-5")
    assert refused(KOZEL, state, text) == ("illegal_move", "kozel.turn")


def test_kozel_must_play__no_voluntary_draw_and_no_voluntary_pass() -> None:
    """K-21: with 5-0 in hand, draw and pass are refused."""
    state = position(KOZEL, hands=["0-1 2-2 5-0", "4-4"], laid="3-1 1-5", boneyard="4-6 0-6 3-6 1-1")
    assert legal(KOZEL, state) == ["5-0 right"]
    for text in ("draw", "pass"):
        assert refused(KOZEL, state, text) == (
            "illegal_move",
            "kozel.must_play",
        )


def test_kozel_draw__one_by_one_until_one_fits_which_must_be_played() -> None:
    """K-21: draws three, must play 3-6; ends 6/5; bazaar [1-1]."""
    state = position(KOZEL, hands=["0-1 2-2", "4-4"], laid="3-1 1-5", boneyard="4-6 0-6 3-6 1-1")
    assert legal(KOZEL, state) == ["draw"]
    assert refused(KOZEL, state, "pass") == ("illegal_move", "kozel.draw")
    state = move(KOZEL, state, "draw", "draw")
    assert (state.round.to_move, state.round.drawn, legal(KOZEL, state)) == (0, 2, ["draw"])
    state = move(KOZEL, state, "draw")
    assert legal(KOZEL, state) == ["6-3 left"]
    assert refused(KOZEL, state, "draw") == ("illegal_move", "kozel.must_play")
    state = move(KOZEL, state, "3-6 left")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end) == (6, 5)
    assert state.boneyard == tiles("1-1")
    assert state.hands[0] == tiles("0-1 2-2 4-6 0-6")


def test_kozel_draw__the_last_tile_too() -> None:
    state = position(KOZEL, hands=["0-1 2-2", "4-4"], laid="3-1 1-5", boneyard="5-0")
    state = move(KOZEL, state, "draw")
    assert (state.boneyard, legal(KOZEL, state)) == ((), ["5-0 right"])


def test_kozel_knock__only_when_nothing_fits_and_the_bazaar_is_empty() -> None:
    state = position(KOZEL, hands=["0-1 2-2", "5-4 4-4"], laid="3-1 1-5", boneyard="6-0")
    state = move(KOZEL, state, "draw")
    assert legal(KOZEL, state) == ["pass"]
    assert refused(KOZEL, state, "draw") == ("illegal_move", "kozel.knock")
    state = move(KOZEL, state, "pass")
    assert (state.round.to_move, legal(KOZEL, state)) == (1, ["5-4 right"])
    assert state.hands[0] == tiles("0-1 2-2 6-0")


# The end of a round


def test_kozel_out__the_last_tile_ends_the_round_at_once() -> None:
    state = position(KOZEL, hands=["6-4", "6-5 6-0"], laid="6-1", boneyard="5-5")
    ended = round_end(KOZEL, state, "6-4 left")
    assert (ended.reason, ended.seat, ended.rule) == ("out", 0, "kozel.out")
    assert move(KOZEL, state, "6-4 left").round.to_move is None


def test_kozel_out__also_when_that_tile_closes_the_line() -> None:
    """K-09: 5-2 was Serg's last tile: he went out, no fish, he leads next."""
    state = position(KOZEL, hands=["1-1", "3-0", "6-6 1-0", "5-2"], laid=K06_BEFORE, to_move=3)
    ended = round_end(KOZEL, state, "5-2 right")
    assert (ended.reason, ended.seat, ended.lead) == ("out", 3, 3)
    assert totals(ended) == [2, 3, 13, 0]


def test_kozel_fish__both_ends_one_value_and_its_six_non_doubles_laid() -> None:
    """K-06."""
    state = position(KOZEL, hands=["1-1", "3-0", "6-6 1-0", "5-0 5-2"], laid=K06_BEFORE, to_move=3)
    ended = round_end(KOZEL, state, "5-2 right")
    assert (ended.reason, ended.seat, ended.rule) == ("fish", 3, "kozel.fish")


@pytest.mark.parametrize(
    ("masha", "bazaar"), [("1-1", "2-2"), ("1-1 2-2", "")], ids=["2-2 in the bazaar", "2-2 in a hand"]
)
def test_kozel_fish__wherever_the_double_lies(masha: str, bazaar: str) -> None:
    """K-07: nobody may play 2-2 any more, and nobody draws."""
    state = position(KOZEL, hands=[masha, "3-0", "6-6", "5-0 5-2"], laid=K07_BEFORE, boneyard=bazaar, to_move=3)
    after = move(KOZEL, state, "5-2 right")
    assert after.round.over is not None
    assert after.round.over.reason == "fish"
    assert KOZEL.legal_moves(after) == ()


def test_kozel_fish__not_with_five_non_doubles() -> None:
    """K-08: K-06 without the last 5-2; the ends 2 and 2 come from 2-3."""
    state = position(KOZEL, hands=["1-1", "3-0", "2-3 1-0", "5-2"], laid="2-4 4-1 1-2 2-2 2-6 6-0 0-3", to_move=2)
    after = move(KOZEL, state, "2-3 right")
    assert (layout_of(after, Line).left_end, layout_of(after, Line).right_end) == (2, 2)
    assert after.round.over is None
    assert after.round.to_move == 3
    assert legal(KOZEL, after) == ["5-2 left", "5-2 right"]


def test_kozel_fish__not_with_two_values_at_the_ends() -> None:
    state = position(KOZEL, hands=["5-6 1-1", "3-0"], laid="5-2 2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3")
    after = move(KOZEL, state, "5-6 left")
    assert (layout_of(after, Line).left_end, layout_of(after, Line).right_end, after.round.over) == (6, 3, None)
