"""Kozel, the points of a round and the end of the match: every rule has a test named for it, calculated by hand."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.engine.decide import deal_round, leave_match, new_match, set_standing
from games.engine.events import MatchEnded
from games.engine.evolve import fold, start_state
from games.engine.variants import rules_for
from games.engine.variants.kozel import hand_points
from tests.engine.positions import match_end, move, position, round_end, scores, tiles, totals
from tests.variants.kozel_lines import K06_BEFORE

KOZEL = rules_for("kozel")


@pytest.mark.parametrize(
    ("hand", "points"),
    [("0-0", 10), ("0-0 0-1", 1), ("0-0 6-6", 12), ("6-4", 10), ("6-6 6-5 1-0", 24), ("", 0)],
    ids=["K-16: 0-0 alone", "K-16: with 0-1", "K-16: with 6-6", "one tile", "three tiles", "none"],
)
def test_kozel_hand_points__pips_and_ten_for_a_lone_blank(hand: str, points: int) -> None:
    assert hand_points(tiles(hand)) == points


def test_kozel_hand_points__carry_their_terms() -> None:
    state = position(KOZEL, hands=["6-4", "6-3 0-0", "0-0"], laid="6-1")
    ended = round_end(KOZEL, state, "6-4 left")
    assert [[(term.rule, term.text, term.value) for term in points.terms] for points in ended.points] == [
        [("kozel.out", "", 0)],
        [("kozel.hand_points", "6-3 + 0-0", 9)],
        [("kozel.hand_points", "0-0", 10)],
    ]


K15 = [
    ("0", "6-6", "+12"),
    ("+12", "5-5 2-0", "+24"),
    ("+24", "1-0", "+25"),
    ("+25", "6-6 1-0", "=38"),
    ("=38", "1-0", "=39"),
]


@pytest.mark.parametrize(("before", "hand", "after"), K15)
def test_kozel_remember__thirteen_in_one_round_open_an_account(before: str, hand: str, after: str) -> None:
    """K-15: 12, 12, 1, 13, 1."""
    state = position(KOZEL, hands=["5-4", hand], laid="5-1", standing=["0", before])
    ended = round_end(KOZEL, state, "5-4 left")
    assert scores(KOZEL, ended) == ["0", after]
    assert ended.before[1] == KOZEL.read_standing(before)


def test_kozel_remember__the_round_of_the_rulebook() -> None:
    """K-01: before +19, 0, +7, +4; Masha out; hands 0, 3, 13, 5."""
    state = position(KOZEL, hands=["6-4", "2-1", "6-5 1-1", "5-0"], laid="6-6", standing=["+19", "0", "+7", "+4"])
    ended = round_end(KOZEL, state, "6-4 left")
    assert totals(ended) == [0, 3, 13, 5]
    assert scores(KOZEL, ended) == ["0", "+3", "=20", "+9"]


@pytest.mark.parametrize(
    ("before", "after", "reset"),
    [("+19", "0", "kozel.out_resets"), ("=39", "=39", ""), ("0", "0", "")],
    ids=["remembered points go", "K-15: an account stays", "nothing to lose"],
)
def test_kozel_out_resets__who_goes_out_loses_remembered_points_only(before: str, after: str, reset: str) -> None:
    state = position(KOZEL, hands=["6-4", "2-1"], laid="6-6", standing=[before, "0"])
    ended = round_end(KOZEL, state, "6-4 left")
    assert scores(KOZEL, ended)[0] == after
    assert ended.reset == (reset, "")


# Serg plays 5-2; the hands are then worth 2, 3, 13 and 5 (T = 23).
FISH: dict[str, Any] = {"hands": ["1-1", "3-0", "6-6 1-0", "5-0 5-2"], "laid": K06_BEFORE, "to_move": 3}


def test_kozel_fish_all__everybody_gets_his_own_the_fisherman_too() -> None:
    """K-17: before +10, =30, 0, +12; hands 2, 3, 13, 5."""
    state = position(KOZEL, **FISH, standing=["+10", "=30", "0", "+12"])
    ended = round_end(KOZEL, state, "5-2 right")
    assert totals(ended) == [2, 3, 13, 5]
    assert scores(KOZEL, ended) == ["+12", "=33", "=13", "+17"]
    assert ended.reset == ("", "", "", "")


def test_kozel_fish_one__the_highest_gets_all_and_the_others_forget() -> None:
    """K-02: hands 2, 3, 13, 5 (T = 23); before +19, 0, +7, +4."""
    state = position(KOZEL, **FISH, standing=["+19", "0", "+7", "+4"], options={"fish": "one"})
    ended = round_end(KOZEL, state, "5-2 right")
    assert totals(ended) == [0, 0, 23, 0]
    assert scores(KOZEL, ended) == ["0", "0", "=30", "0"]
    assert ended.reset == ("kozel.fish_one", "", "", "kozel.fish_one")
    assert [(term.rule, term.text, term.value) for term in ended.points[2].terms] == [
        ("kozel.fish_one", "1-1", 2),
        ("kozel.fish_one", "3-0", 3),
        ("kozel.fish_one", "6-6 + 1-0", 13),
        ("kozel.fish_one", "5-0", 5),
    ]


def test_kozel_fish_one__open_accounts_of_the_others_stay() -> None:
    state = position(KOZEL, **FISH, standing=["=19", "=20", "=50", "+4"], options={"fish": "one"})
    assert scores(KOZEL, round_end(KOZEL, state, "5-2 right")) == ["=19", "=20", "=73", "0"]


def test_kozel_fish_one__the_threshold_looks_at_the_amount_awarded() -> None:
    # Hands 1, 2, 4, 6 after 5-2: T = 13 opens an account though the highest hand is worth 6 only.
    hands = ["1-0", "1-1", "4-0", "5-1 5-2"]
    state = position(KOZEL, hands=hands, laid=K06_BEFORE, to_move=3, options={"fish": "one"})
    assert scores(KOZEL, round_end(KOZEL, state, "5-2 right")) == ["0", "0", "0", "=13"]
    # Hands 1, 2, 3, 6: T = 12 is remembered.
    hands = ["1-0", "1-1", "3-0", "5-1 5-2"]
    state = position(KOZEL, hands=hands, laid=K06_BEFORE, to_move=3, options={"fish": "one"})
    assert scores(KOZEL, round_end(KOZEL, state, "5-2 right")) == ["0", "0", "0", "+12"]


def test_kozel_fish_drawn__a_shared_highest_carries_all_into_the_pot() -> None:
    """K-03: Alex 14, Olya 14, T = 35: nobody scores, pot 35."""
    state = position(
        KOZEL,
        hands=["3-0", "6-6 1-1", "5-5 4-0", "3-1 5-2"],
        laid=K06_BEFORE,
        to_move=3,
        standing=["+19", "0", "=40", "+4"],
        options={"fish": "one"},
    )
    ended = round_end(KOZEL, state, "5-2 right")
    assert (ended.reason, ended.rule, ended.pot) == ("fish_drawn", "kozel.fish_drawn", 35)
    assert totals(ended) == [0, 0, 0, 0]
    assert scores(KOZEL, ended) == ["+19", "0", "=40", "+4"]
    assert ended.reset == ("", "", "", "")
    assert ended.points[1].terms[0].text == "6-6 + 1-1 = 14"


def test_kozel_fish_drawn__knows_only_the_option_one() -> None:
    hands = ["3-0", "6-6 1-1", "5-5 4-0", "3-1 5-2"]
    ended = round_end(KOZEL, position(KOZEL, hands=hands, laid=K06_BEFORE, to_move=3), "5-2 right")
    assert (ended.reason, ended.pot, totals(ended)) == ("fish", 0, [3, 14, 14, 4])


def test_kozel_pot__goes_to_the_single_highest_when_somebody_goes_out() -> None:
    """K-11: pot 35; before +6, =20, =40, 0; Serg out; hands 11, 9, 4, 0."""
    state = position(
        KOZEL,
        hands=["6-5", "5-4", "4-0", "6-1"],
        laid="6-6",
        to_move=3,
        standing=["+6", "=20", "=40", "0"],
        pot=35,
        options={"fish": "one"},
    )
    ended = round_end(KOZEL, state, "6-1 left")
    assert totals(ended) == [46, 9, 4, 0]
    assert scores(KOZEL, ended) == ["=52", "=29", "=44", "0"]
    assert ended.pot == 0
    assert [(term.rule, term.text, term.value) for term in ended.points[0].terms] == [
        ("kozel.hand_points", "6-5", 11),
        ("kozel.pot", "+35", 35),
    ]


def test_kozel_pot__stays_when_the_highest_is_shared() -> None:
    state = position(
        KOZEL, hands=["2-0", "5-4", "6-3", "6-1"], laid="1-1", to_move=3, pot=35, standing=["0", "+1", "=20", "+7"]
    )
    ended = round_end(KOZEL, state, "6-1 left")
    assert totals(ended) == [2, 9, 9, 0]
    assert scores(KOZEL, ended) == ["+2", "+10", "=29", "0"]
    assert ended.pot == 35


def test_kozel_pot__goes_with_all_hands_to_the_single_highest_of_a_fish() -> None:
    state = position(KOZEL, **FISH, standing=["+19", "0", "+7", "+4"], pot=35, options={"fish": "one"})
    ended = round_end(KOZEL, state, "5-2 right")
    assert totals(ended) == [0, 0, 58, 0]  # T + pot = 23 + 35
    assert scores(KOZEL, ended) == ["0", "0", "=65", "0"]
    assert (ended.pot, ended.points[2].terms[-1].rule) == (0, "kozel.pot")


def test_kozel_pot__goes_to_the_single_highest_of_a_fish_for_all_too() -> None:
    """Our ruling: under fish=all, where everybody gets his own, a pot is paid as when somebody goes out."""
    ended = round_end(KOZEL, position(KOZEL, **FISH, pot=35), "5-2 right")
    assert totals(ended) == [2, 3, 48, 5]
    assert ended.pot == 0


def test_kozel_pot__grows_when_a_fish_is_drawn_again() -> None:
    hands = ["3-0", "6-6 1-1", "5-5 4-0", "3-1 5-2"]
    state = position(KOZEL, hands=hands, laid=K06_BEFORE, to_move=3, pot=35, options={"fish": "one"})
    assert round_end(KOZEL, state, "5-2 right").pot == 70


def test_kozel_pot__lapses_when_the_match_is_over() -> None:
    state = position(
        KOZEL,
        hands=["5-4", "6-3", "2-0", "6-1"],
        laid="1-1",
        to_move=3,
        pot=35,
        standing=["=100", "=95", "0", "0"],
    )
    after = move(KOZEL, state, "6-1 left")
    assert after.round.over is not None
    assert after.round.over.pot == 35
    assert after.match_over is not None
    assert KOZEL.pot(after) == 0


# The end of the match


def test_kozel_pot__is_known_from_the_last_deal_on() -> None:
    started = new_match(KOZEL, 2, {})
    standing = set_standing(KOZEL, start_state(started), ["+19", "0"], 35)
    dealt = deal_round(KOZEL, fold([started, *standing]), lambda attempt: Random(attempt).sample(range(28), 28))[-1]
    assert KOZEL.pot(fold([started, *standing, dealt])) == 35
    assert KOZEL.pot(fold([started, dealt])) == 35


# The match


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
    (event,) = leave_match(KOZEL, state, seat, reason)
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
    (event,) = leave_match(KOZEL, move(KOZEL, state, "6-4 left"), 0, "timeout")
    assert isinstance(event, MatchEnded)
    # 90 - 0 (unopened) = 9; 90 - 40 = 5.
    assert [points.total for points in event.rating] == [0, 9, 5]
