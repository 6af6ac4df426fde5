"""The worked examples of Kozel through the referee protocol alone.

Two kinds of example cannot be dealt. A line that closes leaves an even number of pips, so four hands cannot be worth
23 or 35 after a fish (K-02, K-03, K-17); and a timeout (K-05) is no request. test_kozel_points.py and
test_kozel_match.py hold those by the letter; here stand the nearest that can be dealt.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.table import Answer, RefereeClient
from tests.variants import kozel_rounds as rounds
from tests.variants.kozel_rounds import Round


def played(
    given: Round, *, standing: list[str] | None = None, pot: int = 0, fish: str = "all", upto: int | None = None
) -> tuple[RefereeClient, Answer]:
    """Play a round from this standing, to its end or to a move; check what is left in the hands at the end."""
    table = RefereeClient()
    seats = len(given.hands)
    if given.leader is None:
        table.do("new", variant="kozel", seats=seats, options={"fish": fish})
    else:
        table.between_rounds("kozel", seats, given.leader, {"fish": fish})
    table.do("standing", standing=standing or ["0"] * seats, pot=pot)
    table.deal(given.hands, given.boneyard)
    state = table.play(*given.moves.split(", ")[:upto])
    if upto is None:
        assert [sorted(hand) for hand in state["hands"]] == [sorted(left.split()) for left in given.left]
    return table, state


def end_of(given: Round, **before: Any) -> Answer:
    return played(given, **before)[1]


def test_k01_who_goes_out_forgets_and_thirteen_open_an_account() -> None:
    state = end_of(rounds.MASHA_OUT, standing=["+19", "0", "+7", "+4"])
    assert state["round_over"] == {"reason": "out", "seat": 0, "points": [0, 3, 13, 5]}
    assert state["standing"] == ["0", "+3", "=20", "+9"]


def test_k02_fish_for_one() -> None:
    # Hands 5, 9, 6, 14: T = 34.
    state = end_of(rounds.FISH, standing=["+19", "0", "+7", "+4"], fish="one")
    assert state["round_over"] == {"reason": "fish", "seat": 1, "points": [0, 0, 0, 34]}
    assert state["standing"] == ["0", "0", "0", "=38"]


def test_k03_drawn_fish() -> None:
    # Hands 4, 10 (the lone 0-0), 8, 10: T = 32.
    state = end_of(rounds.DRAWN_FISH, standing=["+19", "0", "=40", "+4"], fish="one", pot=35)
    assert state["round_over"] == {"reason": "fish_drawn", "seat": 2, "points": [0, 0, 0, 0]}
    assert state["standing"] == ["+19", "0", "=40", "+4"]
    assert state["pot"] == 67
    assert state["to_move"] is None


def test_k04_rating() -> None:
    # Hands 0, 3, 13, 5: accounts 25, 97, 108, unopened.
    state = end_of(rounds.MASHA_OUT, standing=["=25", "=94", "=95", "0"])
    assert state["match_over"] == {"places": [2, 3, 4, 1], "losers": [2], "rating": [8, 1, 0, 10]}


def test_k06_fish_and_k08_not_yet() -> None:
    before = end_of(rounds.K06, upto=-1)
    assert before["round_over"] is None
    assert before["to_move"] == 3
    assert before["legal"] == ["5-2 left", "5-2 right", "5-5 left", "6-5 left"]
    state = end_of(rounds.K06)
    assert state["round_over"] == {"reason": "fish", "seat": 3, "points": [15, 23, 33, 43]}
    assert state["layout"][0] == "4-2"
    assert state["layout"][-1] == "5-2 left"
    assert state["legal"] == []


@pytest.mark.parametrize(
    ("given", "seat", "points"),
    [(rounds.K07_IN_A_HAND, 3, [17, 23, 35, 43]), (rounds.K07_IN_THE_BAZAAR, 2, [11, 16, 43])],
    ids=["2-2 in a hand", "2-2 in the bazaar"],
)
def test_k07_fish_wherever_the_double_lies(given: Round, seat: int, points: list[int]) -> None:
    assert end_of(given)["round_over"] == {"reason": "fish", "seat": seat, "points": points}


def test_k09_a_last_tile_that_closes_the_line_goes_out() -> None:
    # 2-2, 0-0 and 3-3, 5-5 are left: all non-doubles lie in the line, whose ends are equal.
    table, state = played(rounds.LAST_TILE_CLOSES)
    assert state["round_over"] == {"reason": "out", "seat": 1, "points": [4, 0, 10, 16]}
    assert table.do("deal", seed="next")["to_move"] == 1


def test_k10_fish_for_one_ends_the_match() -> None:
    # T = 15 + 23 + 33 + 43 = 114.
    state = end_of(rounds.K06, fish="one")
    assert state["standing"] == ["0", "0", "0", "=114"]
    assert state["match_over"] == {"places": [1, 1, 1, 4], "losers": [3], "rating": [10, 10, 10, 0]}


def test_k10_fish_for_all() -> None:
    state = end_of(rounds.K06)
    assert state["standing"] == ["=15", "=23", "=33", "=43"]
    assert state["match_over"] is None


def test_k11_the_pot_goes_to_the_highest() -> None:
    state = end_of(rounds.SERG_OUT, standing=["+6", "=20", "=40", "0"], pot=35)
    assert state["round_over"] == {"reason": "out", "seat": 3, "points": [46, 9, 4, 0]}
    assert state["standing"] == ["=52", "=29", "=44", "0"]
    assert state["pot"] == 0


@pytest.mark.parametrize(
    ("given", "before", "after"),
    [
        (rounds.LEFT_12, "0", "+12"),
        (rounds.LEFT_12, "+12", "+24"),
        (rounds.LEFT_1, "+24", "+25"),
        (rounds.LEFT_13, "+25", "=38"),
        (rounds.LEFT_1, "=38", "=39"),
        (rounds.SEAT_1_OUT, "=39", "=39"),
    ],
    ids=["12", "12 again", "1", "13", "1 again", "out"],
)
def test_k15_remembered_and_open(given: Round, before: str, after: str) -> None:
    assert end_of(given, standing=["0", before])["standing"][1] == after


@pytest.mark.parametrize(
    ("given", "seat", "points"),
    [(rounds.LAST_TILE_CLOSES, 2, 10), (rounds.BLANK_WITH_1_0, 2, 1), (rounds.BLANK_WITH_6_6, 2, 12)],
    ids=["0-0 alone", "with 1-0", "with 6-6"],
)
def test_k16_the_blank(given: Round, seat: int, points: int) -> None:
    assert end_of(given)["round_over"]["points"][seat] == points


def test_k17_fish_for_all() -> None:
    # Hands 5, 9, 6, 14.
    state = end_of(rounds.FISH, standing=["+10", "=30", "0", "+12"])
    assert state["standing"] == ["+15", "=39", "+6", "=26"]


@pytest.mark.parametrize("hand", ["0-0 1-1 2-2 3-3 4-4 5-6 1-2", "6-0 6-1 6-2 6-3 6-4 6-5 1-2"])
def test_k19_redeal(hand: str) -> None:
    table = RefereeClient()
    state = table.do("new", variant="kozel", seats=2)
    named = {"-".join(sorted(each.split("-"), reverse=True)) for each in hand.split()}
    rest = [f"{high}-{low}" for high in range(7) for low in range(high + 1) if f"{high}-{low}" not in named]
    other, boneyard = rest[1::3][:7], [each for each in rest if each not in rest[1::3][:7]]
    request = {"do": "deal", "hands": [other, hand.split()], "boneyard": boneyard}
    assert table.refuses(**request) == ("void_deal", "kozel.redeal")
    assert table.do("state") == state


def test_k20_the_list_of_leads_names_the_tile() -> None:
    table = RefereeClient()
    table.do("new", variant="kozel", seats=2)
    state = table.deal(
        ["6-6 0-0 6-5 6-4 5-4 2-1 3-0", "3-3 6-3 5-0 4-1 5-3 2-0 6-1"],
        "1-0 1-1 2-2 3-1 3-2 4-0 4-2 4-3 4-4 5-1 5-2 5-5 6-0 6-2",
    )
    assert (state["to_move"], state["legal"]) == (1, ["3-3"])
    assert table.refuses(do="move", seat=1, move="6-3") == ("illegal_move", "kozel.lead_first")
    assert table.refuses(do="move", seat=0, move="6-6") == ("not_your_turn", None)
    assert table.play("3-3")["layout"] == ["3-3"]


def test_k21_draw_until_one_fits() -> None:
    table, state = played(rounds.K21)
    assert (state["to_move"], state["legal"]) == (2, ["draw"])
    assert state["hands"][2] == ["1-0", "2-2"]
    assert state["boneyard"] == ["6-4", "6-0", "6-3", "1-1"]
    assert table.refuses(do="move", seat=2, move="pass") == ("illegal_move", "kozel.draw")
    state = table.play("draw", "draw", "draw")
    assert (state["to_move"], state["legal"], state["boneyard"]) == (2, ["6-3 left"], ["1-1"])
    for text in ("draw", "pass"):
        assert table.refuses(do="move", seat=2, move=text) == ("illegal_move", "kozel.must_play")
    state = table.play("3-6 left")
    assert state["hands"][2] == ["1-0", "2-2", "6-4", "6-0"]
    # Ends 6/5: 6-5 fits on both sides.
    assert state["to_move"] == 0
    assert state["legal"] == ["6-5 left", "6-5 right", "6-6 left"]
