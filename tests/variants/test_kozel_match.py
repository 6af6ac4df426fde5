"""Kozel, the end of the match and its rating: each rule has a test named for it, the numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine.decide import leave
from games.engine.events import MatchEnded
from games.engine.variants import rules_for
from tests.engine.positions import match_end, move, position, round_end, scores
from tests.variants.kozel_lines import K06_BEFORE

KOZEL = rules_for("kozel")


def test_kozel_goat__an_account_of_101_loses_and_100_does_not() -> None:
    state = position(KOZEL, hands=["6-4", "1-0", "6-6"], laid="6-1", standing=["=50", "=99", "=88"], boneyard="5-5")
    after = move(KOZEL, state, "6-4 left")
    assert after.round.over is not None
    assert scores(KOZEL, after.round.over) == ["=50", "=100", "=100"]
    assert after.match_over is None
    state = replace(state, standing=tuple(map(KOZEL.read_standing, ["=50", "=99", "=89"])))
    ended = match_end(KOZEL, state, "6-4 left")
    assert (ended.reason, ended.rule, ended.losers, ended.places) == ("finished", "kozel.goat", (2,), (1, 2, 3))


def test_kozel_goat__remembered_points_do_not_count() -> None:
    state = position(KOZEL, hands=["6-4", "6-6"], laid="6-1", standing=["0", "+100"])
    after = move(KOZEL, state, "6-4 left")
    assert after.round.over is not None
    assert scores(KOZEL, after.round.over) == ["0", "+112"]
    assert after.match_over is None


def test_kozel_goat__several_goats_share_the_last_place() -> None:
    state = position(KOZEL, hands=["6-4", "6-6", "5-5", "6-5"], laid="6-1", standing=["=30", "=95", "=30", "=99"])
    ended = match_end(KOZEL, state, "6-4 left")  # 30, 107, 40, 110
    assert ended.losers == (1, 3)
    assert ended.places == (1, 3, 2, 3)
    assert [points.total for points in ended.rating] == [7, 0, 6, 0]


def test_kozel_goat__equal_accounts_share_a_place_and_unopened_is_zero() -> None:
    state = position(KOZEL, hands=["6-4", "1-1", "1-0", "6-5"], laid="6-1", standing=["=30", "=28", "+90", "=99"])
    ended = match_end(KOZEL, state, "6-4 left")  # 30, 30, +91, 110
    assert ended.places == (2, 2, 1, 4)
    assert [points.total for points in ended.rating] == [7, 7, 10, 0]


K10: dict[str, Any] = {
    # 1 + 5 = 6; 0 + 2 + 3 + 4 + 6 + 4 = 19; 9 + 8 + 7 + 7 + 6 = 37; 12 + 11 + 10 + 10 + 9 = 52: T = 114
    "hands": ["1-0 5-0", "0-0 1-1 3-0 3-1 3-3 4-0", "5-4 4-4 6-1 4-3 5-1", "6-6 6-5 6-4 5-5 6-3 5-2"],
    "laid": K06_BEFORE,
    "to_move": 3,
}


def test_kozel_goat__the_fish_for_one_that_ends_the_match() -> None:
    """K-10: hands 6, 19, 37, 52 (T = 114), Serg laid 5-2, all at 0, fish=one."""
    state = position(KOZEL, **K10, options={"fish": "one"})
    assert scores(KOZEL, round_end(KOZEL, state, "5-2 right")) == ["0", "0", "0", "=114"]
    ended = match_end(KOZEL, state, "5-2 right")
    assert (ended.losers, ended.places) == ((3,), (1, 1, 1, 4))
    assert [points.total for points in ended.rating] == [10, 10, 10, 0]


def test_kozel_goat__the_same_fish_for_all_goes_on() -> None:
    """K-10 with fish=all."""
    after = move(KOZEL, position(KOZEL, **K10), "5-2 right")
    assert after.round.over is not None
    assert scores(KOZEL, after.round.over) == ["+6", "=19", "=37", "=52"]
    assert after.match_over is None


def test_kozel_rating__a_tenth_of_what_is_left_to_100_halves_up() -> None:
    """K-04: n = 25 gives 7.5, so 8."""
    state = position(KOZEL, hands=["6-4", "1-0", "6-6"], laid="6-1", standing=["=25", "=94", "=95"])
    ended = match_end(KOZEL, state, "6-4 left")  # 25, 95, 107
    assert [points.total for points in ended.rating] == [8, 1, 0]
    assert [(term.rule, term.text) for term in ended.rating[0].terms] == [("kozel.rating", "(100 − 25) / 10 = 7.5")]
    assert ended.rating[1].terms[0].text == "(100 − 95) / 10 = 0.5"


def test_kozel_rating__everyone_but_a_goat_gains_at_least_one() -> None:
    state = position(KOZEL, hands=["6-4", "1-0", "6-6"], laid="6-1", standing=["=100", "=24", "=95"])
    ended = match_end(KOZEL, state, "6-4 left")  # 100, 25, 107
    assert [points.total for points in ended.rating] == [1, 8, 0]
    assert ended.rating[0].terms[0].text == "(100 − 100) / 10 = 0 < 1"


def timed_out(standing: list[str], seat: int, reason: str = "timeout") -> MatchEnded:
    state = position(KOZEL, hands=["6-4", "1-0", "6-6", "5-5"][: len(standing)], laid="6-1", standing=standing)
    (event,) = leave(KOZEL, state, seat, reason)
    assert isinstance(event, MatchEnded)
    return event


@pytest.mark.parametrize("reason", ["timeout", "left"])
def test_kozel_timeout__ends_the_match_and_pays_the_others_by_the_distance(reason: str) -> None:
    """K-05: Alex 32 times out; Masha 30, Olya 13: Alex 0; Masha 0.2 -> 1; Olya 1.9 -> 2."""
    ended = timed_out(["=30", "=32", "=13"], 1, reason)
    assert (ended.reason, ended.seat, ended.rule) == (reason, 1, "kozel.timeout")
    assert [points.total for points in ended.rating] == [1, 0, 2]
    assert [points.terms[0].text for points in ended.rating] == [
        "(32 − 30) / 10 = 0.2 < 1",
        "",
        "(32 − 13) / 10 = 1.9",
    ]


def test_kozel_timeout__who_leaves_is_last_and_the_lower_account_is_better() -> None:
    ended = timed_out(["=30", "+12", "=80", "=30"], 1)
    assert ended.losers == (1,)
    assert ended.places == (1, 4, 3, 1)
    assert [points.total for points in ended.rating] == [1, 0, 1, 1]


def test_kozel_timeout__counts_the_totals_after_the_last_finished_round() -> None:
    state = position(KOZEL, hands=["6-4 1-1", "1-0", "6-6 6-5"], laid="6-1", standing=["=90", "+99", "=40"])
    (event,) = leave(KOZEL, move(KOZEL, state, "6-4 left"), 0, "timeout")
    assert isinstance(event, MatchEnded)
    # 90 - 0 (unopened) = 9; 90 - 40 = 5.
    assert [points.total for points in event.rating] == [0, 9, 5]
