"""Classic goat, the ends of rounds and matches: each rule has a test named for it, the numbers worked out by hand."""

from __future__ import annotations

import pytest

from games.engine.variants import rules_for
from tests.engine.positions import legal, match_end, move, position, round_end, scores, totals
from tests.variants.kozel_lines import K06_BEFORE, K07_BEFORE

GAMEZZ = rules_for("gamezz")


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
