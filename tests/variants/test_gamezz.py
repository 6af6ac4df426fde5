"""Classic goat: every rule has a test named for it, calculated by hand."""

from __future__ import annotations

import pytest

from games.engine.decide import deal_explicit, deal_round, new_match
from games.engine.events import RoundDealt, Standing
from games.engine.evolve import evolve, start_state
from games.engine.layout.line import Line
from games.engine.rules import Deal
from games.engine.tiles import double_set
from games.engine.variants import rules_for
from tests.engine.positions import (
    layout_of,
    legal,
    match_end,
    move,
    position,
    refused,
    round_end,
    scores,
    tile,
    tiles,
    totals,
)
from tests.variants.kozel_lines import K06_BEFORE, K07_BEFORE

GAMEZZ = rules_for("gamezz")
FULL = double_set(6)


def rest_of(*texts: str) -> str:
    """Return all tiles of the set that the texts do not name."""
    named = {entry for text in texts for entry in tiles(text)}
    return " ".join(f"{high}-{low}" for high, low in FULL if (high, low) not in named)


# Set-up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_gamezz_players__two_to_four_each_for_himself(seats: int) -> None:
    state = start_state(new_match(GAMEZZ, seats, {}))
    assert state.standing == (Standing(0),) * seats
    assert GAMEZZ.tile_set == FULL


@pytest.mark.parametrize(("seats", "boneyard"), [(2, 14), (3, 7), (4, 0)])
def test_gamezz_deal__seven_tiles_each_and_the_rest_is_the_boneyard(seats: int, boneyard: int) -> None:
    state = start_state(new_match(GAMEZZ, seats, {}))
    order = list(range(27, -1, -1))
    (event,) = deal_round(GAMEZZ, state, lambda attempt: order)
    assert isinstance(event, RoundDealt)
    assert [len(hand) for hand in event.hands] == [7] * seats
    assert len(event.boneyard) == boneyard
    assert [*sum(event.hands, ()), *event.boneyard] == [FULL[index] for index in order]


@pytest.mark.parametrize("hand", ["6-0 6-1 6-2 6-3 6-4 6-5 6-6", "0-0 1-1 2-2 3-3 4-4 5-5 6-6"])
def test_gamezz_deal__is_never_void(hand: str) -> None:
    """G-19: the hand [6-0..6-6] is played; no redeal here."""
    other = " ".join(rest_of(hand).split()[:7])
    state = start_state(new_match(GAMEZZ, 2, {}))
    (event,) = deal_explicit(GAMEZZ, state, Deal((tiles(hand), tiles(other)), tiles(rest_of(hand, other))))
    assert isinstance(event, RoundDealt)
    assert event.hands[0] == tiles(hand)


# The lead

LEADS = {
    "0-0 before 6-6 (G-02)": (["0-0 6-5", "6-6 5-5"], 0, "0-0"),
    "6-6 before 5-5, 0-0 in the boneyard (G-03)": (["5-5 6-5", "6-6 1-0"], 1, "6-6"),
    "2-2 before 1-1": (["1-1 6-5", "2-2 1-0"], 1, "2-2"),
    "1-1 last of the doubles": (["1-1 1-0", "6-5 6-4"], 0, "1-1"),
    "no double: 6-5 (G-04)": (["6-5 1-0", "6-4 5-4"], 0, "6-5"),
    "equal sums: the higher half (G-05)": (["6-3 1-0", "5-4 2-0"], 0, "6-3"),
    "5-4 before 6-2": (["6-2 1-0", "5-4 2-0"], 1, "5-4"),
}


@pytest.mark.parametrize(("hands", "seat", "lead"), LEADS.values(), ids=LEADS)
def test_gamezz_lead__the_first_tile_of_the_list_in_a_hand(hands: list[str], seat: int, lead: str) -> None:
    state = start_state(new_match(GAMEZZ, len(hands), {}))
    first = GAMEZZ.leader(state, Deal(tuple(map(tiles, hands))), lambda seats: seats[0])
    assert (first.seat, first.tiles, first.rule) == (seat, (tile(lead),), "gamezz.lead")


def test_gamezz_lead__the_whole_list_in_its_order() -> None:
    doubles = "0-0 6-6 5-5 4-4 3-3 2-2 1-1"
    mixed = "6-5 6-4 6-3 5-4 6-2 5-3 6-1 5-2 4-3 6-0 5-1 4-2 5-0 4-1 3-2 4-0 3-1 3-0 2-1 2-0 1-0"
    order = tiles(f"{doubles} {mixed}")
    state = start_state(new_match(GAMEZZ, 2, {}))
    for place, lead in enumerate(order):
        deal = Deal((tuple(reversed(order[place + 1 :])), (lead,)))
        assert GAMEZZ.leader(state, deal, lambda seats: seats[0]).tiles == (lead,)


def test_gamezz_lead__every_round_and_exactly_that_tile() -> None:
    state = move(GAMEZZ, position(GAMEZZ, hands=["6-4", "1-0"], laid="6-1"), "6-4 left")
    assert state.round.over is not None
    assert (state.round.over.seat, state.lead) == (0, None)
    hands = ["6-6 5-5 6-5 6-4 5-4 2-1 3-0", "0-0 6-3 5-0 4-1 5-3 2-0 6-1"]
    (event,) = deal_explicit(GAMEZZ, state, Deal(tuple(map(tiles, hands)), tiles(rest_of(*hands))))
    state = evolve(state, event)
    assert (state.round.number, state.round.to_move, legal(GAMEZZ, state)) == (3, 1, ["0-0"])
    assert refused(GAMEZZ, state, "6-3") == ("illegal_move", "gamezz.lead")
    assert refused(GAMEZZ, state, "6-6", seat=0) == ("not_your_turn", None)
    assert refused(GAMEZZ, state, "0-0 left") == ("illegal_move", "gamezz.turn")


# The turn


def test_gamezz_turn__tiles_lie_end_to_end() -> None:
    """G-01: lead 1-1, then 1-5, 5-3, 3-2: ends 1 and 2."""
    state = position(GAMEZZ, hands=["1-1 5-3 6-6", "1-5 3-2 2-2"])
    state = move(GAMEZZ, state, "1-1", "1-5 right", "5-3 right", "3-2 right")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end, state.round.to_move) == (1, 2, 0)


def test_gamezz_turn__clockwise_one_tile_on_either_end() -> None:
    state = position(GAMEZZ, hands=["6-5 5-0 1-1", "4-4", "6-4 1-0"], laid="6-3 3-5")
    assert legal(GAMEZZ, state) == ["5-0 right", "6-5 left", "6-5 right"]
    state = move(GAMEZZ, state, "6-5 right")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end, state.round.to_move) == (6, 6, 1)


@pytest.mark.parametrize("text", ["5-0 left", "1-1 right", "4-4 left", "5-4 right", "6-4"])
def test_gamezz_turn__a_tile_that_does_not_fit_or_is_not_held_is_refused(text: str) -> None:
    state = position(GAMEZZ, hands=["6-4 5-0 1-1", "5-4 4-4"], laid="6-3 3-5")
    assert refused(GAMEZZ, state, text) == ("illegal_move", "gamezz.turn")


def test_gamezz_turn__who_can_play_must() -> None:
    state = position(GAMEZZ, hands=["5-0 1-1", "4-4"], laid="6-3 3-5", boneyard="6-6")
    for text in ("draw", "pass"):
        assert refused(GAMEZZ, state, text) == ("illegal_move", "gamezz.turn")


def test_gamezz_draw__one_by_one_until_one_fits_which_is_played() -> None:
    """G-07: draws three, plays 4-2; ends 1/2."""
    state = position(GAMEZZ, hands=["0-0 2-3", "6-6"], laid="1-5 5-4", boneyard="5-5 3-6 4-2 0-6")
    for _ in range(3):
        assert legal(GAMEZZ, state) == ["draw"]
        assert refused(GAMEZZ, state, "pass") == ("illegal_move", "gamezz.draw")
        state = move(GAMEZZ, state, "draw")
    assert legal(GAMEZZ, state) == ["4-2 right"]
    assert refused(GAMEZZ, state, "draw") == ("illegal_move", "gamezz.turn")
    state = move(GAMEZZ, state, "4-2 right")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end, state.round.to_move) == (1, 2, 1)
    assert state.hands[0] == tiles("0-0 2-3 5-5 3-6")
    assert state.boneyard == tiles("0-6")


def test_gamezz_draw__the_last_tile_too() -> None:
    state = move(GAMEZZ, position(GAMEZZ, hands=["0-0", "6-6"], laid="1-5 5-4", boneyard="6-4"), "draw")
    assert (state.boneyard, legal(GAMEZZ, state)) == ((), ["6-4 right"])


def test_gamezz_draw__the_boneyard_empty_the_turn_is_skipped() -> None:
    """G-06: four players, no fitting tile: skips at once."""
    state = position(GAMEZZ, hands=["0-0 2-3", "6-1", "4-4", "5-5"], laid="1-5 5-4")
    assert legal(GAMEZZ, state) == ["pass"]
    assert refused(GAMEZZ, state, "draw") == ("illegal_move", "gamezz.draw")
    state = move(GAMEZZ, state, "pass")
    assert (state.round.to_move, legal(GAMEZZ, state)) == (1, ["6-1 left"])


# Blocks


def test_gamezz_block__both_ends_one_value_and_all_seven_laid() -> None:
    """The line of K-06: 5-2 is the seventh tile with a 2."""
    state = position(GAMEZZ, hands=["1-1", "3-0", "6-6 1-0", "5-0 5-2"], laid=K06_BEFORE, to_move=3)
    ended = round_end(GAMEZZ, state, "5-2 right")
    assert (ended.reason, ended.seat, ended.rule) == ("blocked", 3, "gamezz.block")


def test_gamezz_block__nobody_draws() -> None:
    state = position(GAMEZZ, hands=["1-1", "3-0", "5-0 5-2"], laid=K06_BEFORE, boneyard="4-4 5-5", to_move=2)
    after = move(GAMEZZ, state, "5-2 right")
    assert (after.round.to_move, len(after.boneyard)) == (None, 2)


def test_gamezz_block__not_while_the_double_is_in_a_hand() -> None:
    """The line of K-07: who lays 2-2 in the end is the blocker. This differs from Kozel."""
    state = position(GAMEZZ, hands=["1-1 3-1", "2-2 6-6", "3-0", "5-0 5-2"], laid=K07_BEFORE, to_move=3)
    state = move(GAMEZZ, state, "5-2 right")
    assert (state.round.over, state.round.to_move, legal(GAMEZZ, state)) == (None, 0, ["pass"])
    state = move(GAMEZZ, state, "pass")
    assert legal(GAMEZZ, state) == ["2-2 left", "2-2 right"]
    ended = round_end(GAMEZZ, state, "2-2 left")
    assert (ended.reason, ended.seat, totals(ended)) == ("blocked", 1, [6, 0, 3, 5])


def test_gamezz_block__not_while_the_double_is_in_the_boneyard() -> None:
    state = position(GAMEZZ, hands=["1-1 3-1", "6-6", "5-0 5-2"], laid=K07_BEFORE, boneyard="5-5 2-2 4-4", to_move=2)
    state = move(GAMEZZ, state, "5-2 right", "draw", "draw")
    assert (state.round.to_move, legal(GAMEZZ, state)) == (0, ["2-2 left", "2-2 right"])
    ended = round_end(GAMEZZ, state, "2-2 left")
    assert (ended.seat, totals(ended)) == (0, [0, 12, 5])


def test_gamezz_block__not_with_two_values_at_the_ends() -> None:
    state = position(GAMEZZ, hands=["5-6 1-1", "3-0"], laid="5-2 2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3")
    assert move(GAMEZZ, state, "5-6 left").round.over is None


def test_gamezz_block__not_while_only_the_boneyard_holds_a_fitting_tile() -> None:
    state = position(GAMEZZ, hands=["5-6 1-1", "1-0"], laid="5-4 4-3", boneyard="3-0")
    assert move(GAMEZZ, state, "5-6 left").round.over is None


# Points


def test_gamezz_score_out__the_others_add_their_pips() -> None:
    """G-08: B [6-6,0-0], C [5-4,1-0], D [3-2]: 0, 12, 10, 5."""
    state = position(GAMEZZ, hands=["6-4", "6-6 0-0", "5-4 1-0", "3-2"], laid="6-1", standing=[0, 10, 20, 30])
    ended = round_end(GAMEZZ, state, "6-4 left")
    assert (ended.reason, ended.seat, ended.rule) == ("out", 0, "gamezz.score_out")
    assert totals(ended) == [0, 12, 10, 5]
    assert scores(GAMEZZ, ended) == ["0", "22", "30", "35"]
    assert [[(term.rule, term.text, term.value) for term in points.terms] for points in ended.points] == [
        [("gamezz.score_out", "", 0)],
        [("gamezz.score_out", "6-6 + 0-0", 12)],
        [("gamezz.score_out", "5-4 + 1-0", 10)],
        [("gamezz.score_out", "3-2", 5)],
    ]


def test_gamezz_score_out__a_lone_blank_is_worth_nothing() -> None:
    """G-09."""
    state = position(GAMEZZ, hands=["6-4", "0-0"], laid="6-1")
    assert totals(round_end(GAMEZZ, state, "6-4 left")) == [0, 0]


def test_gamezz_score_out__also_when_the_last_tile_closes_the_line() -> None:
    state = position(GAMEZZ, hands=["1-1", "3-0", "6-6 1-0", "5-2"], laid=K06_BEFORE, to_move=3)
    ended = round_end(GAMEZZ, state, "5-2 right")
    assert (ended.reason, ended.seat, totals(ended)) == ("out", 3, [2, 3, 13, 0])


def test_gamezz_score_block__the_blocker_adds_nothing_however_heavy_his_hand() -> None:
    """G-10: hands 6, 19, 37, and Serg's 52 that do not count."""
    state = position(
        GAMEZZ,
        # 1 + 5 = 6; 0 + 2 + 3 + 4 + 6 + 4 = 19; 9 + 8 + 7 + 7 + 6 = 37; 12 + 11 + 10 + 10 + 9 = 52
        hands=["1-0 5-0", "0-0 1-1 3-0 3-1 3-3 4-0", "5-4 4-4 6-1 4-3 5-1", "6-6 6-5 6-4 5-5 6-3 5-2"],
        laid=K06_BEFORE,
        to_move=3,
        standing=[1, 2, 3, 4],
    )
    ended = round_end(GAMEZZ, state, "5-2 right")
    assert totals(ended) == [6, 19, 37, 0]
    assert scores(GAMEZZ, ended) == ["7", "21", "40", "4"]
    assert [(term.rule, term.text, term.value) for term in ended.points[3].terms] == [
        ("gamezz.score_block", "6-6 + 6-5 + 6-4 + 5-5 + 6-3 = 52", 0)
    ]
    assert ended.points[0].terms[0].rule == "gamezz.score_block"


# The end of the match


def test_gamezz_end__somebody_with_101_ends_the_match_and_loses() -> None:
    """G-15: before 95, 60, 88, 40; D out; 6, 10, 12: 101, 70, 100, 40; order D, B, C, A."""
    state = position(
        GAMEZZ, hands=["5-1", "5-5", "6-6", "6-4"], laid="6-1", to_move=3, standing=[95, 60, 88, 40], boneyard="3-2"
    )
    after = move(GAMEZZ, state, "6-4 left")
    assert [standing.points for standing in after.standing] == [101, 70, 100, 40]
    ended = after.match_over
    assert ended is not None
    assert (ended.reason, ended.seat, ended.rule) == ("finished", None, "gamezz.end")
    assert (ended.places, ended.losers, ended.rating) == ((4, 2, 3, 1), (0,), ())


def test_gamezz_end__a_hundred_is_no_loss() -> None:
    state = position(GAMEZZ, hands=["6-4", "6-6"], laid="6-1", standing=[100, 88])
    after = move(GAMEZZ, state, "6-4 left")
    assert [standing.points for standing in after.standing] == [100, 100]
    assert after.match_over is None


def test_gamezz_end__everyone_with_101_or_more_loses() -> None:
    state = position(GAMEZZ, hands=["6-4", "6-6", "5-5"], laid="6-1", standing=[30, 89, 100])
    ended = match_end(GAMEZZ, state, "6-4 left")  # 30, 101, 110
    assert (ended.losers, ended.places) == ((1, 2), (1, 2, 3))


@pytest.mark.parametrize(
    ("standing", "places"),
    [([20, 8, 91], (1, 1, 3)), ([20, 90, 92], (1, 2, 2)), ([102, 90, 92], (1, 1, 1))],
    ids=["the winners", "the losers", "all"],
)
def test_gamezz_end__equal_points_share_a_place(standing: list[int], places: tuple[int, ...]) -> None:
    state = position(GAMEZZ, hands=["6-4", "6-6", "5-5"], laid="6-1", standing=standing)
    assert match_end(GAMEZZ, state, "6-4 left").places == places
