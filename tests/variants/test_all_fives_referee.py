"""The worked examples of All Fives through the referee protocol alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.engine.table import Answer, RefereeClient
from tests.variants import all_fives_rounds as rounds
from tests.variants.kozel_rounds import Round

SET = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
COLLECTS = {"hand_end": "winner_collects"}
PARTNERS = {"partners": "yes"}
SMALL = {"hands": "5-5-5"}


def table_of(seats: int, options: Mapping[str, str], standing: Sequence[int] = ()) -> RefereeClient:
    table = RefereeClient()
    table.do("new", variant="all_fives", seats=seats, options=dict(options))
    if standing:
        table.do("standing", standing=list(standing))
    return table


def filled(hands: Sequence[str], size: int) -> dict[str, list[Any]]:
    """Return a deal in which the hands hold these tiles and light ones that nobody names."""
    named = {"-".join(sorted(each.split("-"), reverse=True)) for hand in hands for each in hand.split()}
    rest = iter([each for each in SET if each not in named])
    full = [[*hand.split(), *(next(rest) for _ in range(size - len(hand.split())))] for hand in hands]
    return {"hands": full, "boneyard": list(rest)}


def dealt(*hands: str, standing: Sequence[int] = (), **options: str) -> RefereeClient:
    """Return a referee with five tiles a hand, these among them, seat 0 leading by lot."""
    table = table_of(len(hands), {**SMALL, **options}, standing)
    table.do("deal", **filled(hands, 5), lead=0)
    return table


def played(given: Round, *, standing: Sequence[int] = (), options: Mapping[str, str] | None = None) -> Answer:
    """Play a hand from this standing; check what is left in the hands."""
    table = table_of(len(given.hands), options or {}, standing)
    table.do("deal", hands=[hand.split() for hand in given.hands], boneyard=given.boneyard.split(), lead=0)
    state = table.play(*given.moves.split(", "))
    assert [sorted(hand) for hand in state["hands"]] == [sorted(left.split()) for left in given.left]
    return state


def scored(table: RefereeClient, *moves: str) -> list[int]:
    return [table.play(text)["scored"] for text in moves]


def test_the_variant_is_listed_with_its_options() -> None:
    (found,) = [each for each in RefereeClient().do("variants")["variants"] if each["key"] == "all_fives"]
    assert found["seats"] == [2, 3, 4]
    assert found["options"] == {
        "hands": {"default": "9-7-5", "choices": ["9-7-5", "5-5-5", "7-5-5"]},
        "partners": {"default": "no", "choices": ["no", "yes"]},
        "hand_end": {"default": "subtract_own", "choices": ["subtract_own", "winner_collects"]},
        "target": {"default": "standard", "choices": ["standard", "100", "150", "200", "250"]},
        "length": {"default": "full", "choices": ["full", "quick"]},
    }


def test_a01_the_count_of_nine() -> None:
    table = dealt("4-5", "5-3 6-3")
    assert scored(table, "4-5") == [0]
    assert "5-3 left" in table.do("state")["legal"]
    for text in ("6-3 left", "6-3 right", "5-3 right"):
        assert table.refuses(do="move", seat=1, move=text) == ("illegal_move", "all_fives.turn")


SIZES = [
    ("9-7-5", [(9, 10), (7, 7), (5, 8)]),
    ("5-5-5", [(5, 18), (5, 13), (5, 8)]),
    ("7-5-5", [(7, 14), (5, 13), (5, 8)]),
]


@pytest.mark.parametrize(("option", "sizes"), SIZES)
def test_a03_deals(option: str, sizes: list[tuple[int, int]]) -> None:
    for seats, (size, boneyard) in enumerate(sizes, 2):
        table = table_of(seats, {"hands": option})
        state = table.do("deal", seed="x")
        assert [len(hand) for hand in state["hands"]] == [size] * seats
        assert len(state["boneyard"]) == boneyard


@pytest.mark.parametrize(("seats", "target"), [(2, 250), (3, 200), (4, 200)])
def test_a03_targets(seats: int, target: int) -> None:
    for missing in (10, 15):
        table = dealt("6-4", *[""] * (seats - 1), standing=[target - missing, *[0] * (seats - 1)])
        assert (table.play("6-4")["match_over"] is not None) == (missing == 10)


@pytest.mark.parametrize(
    ("lead", "points"),
    [("5-5", 10), ("6-4", 10), ("5-0", 5), ("4-1", 5), ("3-2", 5), ("6-6", 0), ("5-4", 0), ("0-0", 0)],
)
def test_a04_leads(lead: str, points: int) -> None:
    state = dealt(lead, "").play(lead)
    assert (state["scored"], state["standing"]) == (points, [points, 0])


def test_a06_two_ends_and_the_spinner_with_one_side_used() -> None:
    assert scored(dealt("2-4", "4-3 4-4"), "2-4", "4-3 left") == [0, 5]
    assert scored(dealt("2-4", "4-3 4-4"), "2-4", "4-4 left") == [0, 10]


def test_a07_four_arms() -> None:
    table = dealt("6-6 6-1 6-2", "6-3 6-4")
    assert scored(table, "6-6", "6-3 left", "6-1 right", "6-4 up", "6-2 down") == [0, 15, 0, 0, 10]
    state = table.do("state")
    assert state["standing"] == [10, 15]
    assert state["layout"] == ["6-6", "6-3 left", "6-1 right", "6-4 up", "6-2 down"]


def test_a08_an_end_of_the_spinner_is_not_open_yet() -> None:
    table = dealt("6-6 6-4", "6-3")
    table.play("6-6", "6-3 left")
    assert table.refuses(do="move", seat=0, move="6-4 up") == ("illegal_move", "all_fives.spinner")
    assert table.refuses(do="move", seat=0, move="6-4 down") == ("illegal_move", "all_fives.spinner")
    assert scored(table, "6-4 right") == [0]


def test_a10_only_the_first_double_is_a_spinner() -> None:
    table = dealt("5-5 3-3 3-4", "5-3 3-0 5-2")
    assert scored(table, "5-5", "5-3 left", "3-3 left", "3-0 left") == [10, 0, 0, 10]
    assert table.refuses(do="move", seat=0, move="3-4 up") == ("illegal_move", "all_fives.spinner")
    assert table.refuses(do="move", seat=0, move="3-4 left") == ("illegal_move", "all_fives.turn")


def test_a14_the_double_blank() -> None:
    assert scored(dealt("0-0 0-2", "0-5"), "0-0", "0-5 left", "0-2 right") == [0, 5, 0]


def test_a15_the_rest_is_subtracted_a02_rounded() -> None:
    # Before the last tile the scores of this hand bring seat 0 to 45 and seat 1 to 30.
    state = played(rounds.A15, standing=[-15, -15])
    assert state["round_over"] == {"reason": "out", "seat": 0, "points": [0, -15]}
    assert state["standing"] == [45, 15]


def test_a15_who_went_out_leads_next() -> None:
    table = table_of(2, {})
    deal = {"hands": [hand.split() for hand in rounds.A15.hands], "boneyard": rounds.A15.boneyard.split()}
    assert table.refuses(do="deal", **deal) == ("bad_deal", None), "lots are drawn in hand 1"
    assert table.refuses(do="deal", **deal, lead=2) == ("bad_deal", None)
    table.do("deal", **deal, lead=0)
    table.play(*rounds.A15.moves.split(", "))
    assert table.do("deal", **deal, lead=1)["to_move"] == 0, "a needless lead is ignored"


def test_after_a_blocked_hand_lots_are_drawn_again() -> None:
    table = table_of(4, {})
    deal = {"hands": [hand.split() for hand in rounds.BLOCKED.hands], "boneyard": rounds.BLOCKED.boneyard.split()}
    table.do("deal", **deal, lead=0)
    assert table.play(*rounds.BLOCKED.moves.split(", "))["round_over"]["reason"] == "blocked"
    assert table.refuses(do="deal", **deal) == ("bad_deal", None)
    assert table.do("deal", **deal, lead=3)["to_move"] == 3


def test_a20_draw_until_one_fits() -> None:
    state = played(rounds.A20)
    assert (state["to_move"], state["legal"], state["boneyard"]) == (2, ["draw"], ["5-5", "2-0", "6-4", "1-1"])
    table = table_of(4, {})
    deal = {"hands": [hand.split() for hand in rounds.A20.hands], "boneyard": rounds.A20.boneyard.split()}
    table.do("deal", **deal, lead=0)
    table.play(*rounds.A20.moves.split(", "))
    assert table.refuses(do="move", seat=2, move="pass") == ("illegal_move", "all_fives.turn")
    state = table.play("draw", "draw", "draw")
    # The left end shows 3, the right one 4, and the spinner 4-4 has both sides occupied.
    assert (state["to_move"], state["legal"]) == (2, ["6-4 down", "6-4 right", "6-4 up"])
    assert table.refuses(do="move", seat=2, move="draw") == ("illegal_move", "all_fives.turn")
    state = table.play("4-6 right")  # 3 + 6 = 9
    assert (state["scored"], state["boneyard"], state["to_move"]) == (0, ["1-1"], 3)
    assert sorted(state["hands"][2]) == ["1-0", "2-0", "5-5", "6-6"]


def test_a21_the_target_in_the_middle_of_a_hand() -> None:
    table = dealt("6-4", "6-5", standing=[240, 245])
    state = table.play("6-4")
    assert state["scored"] == 10
    assert state["standing"] == [250, 245]
    assert state["round_over"] == {"reason": "target", "seat": 0, "points": [0, 0]}
    assert state["match_over"] == {"places": [1, 2], "losers": []}
    assert (state["to_move"], state["legal"]) == (None, [])
    assert table.refuses(do="move", seat=1, move="6-5 left") == ("match_over", None)


HAND_ENDS = {
    # 12 -> 10, 6 -> 5, 9 -> 10; 12 + 6 + 9 = 27 -> 25; of the other side 12 + 9 = 21 -> 20.
    "out": (rounds.OUT, {}, [0, -10, -5, -10]),
    "out, collected": (rounds.OUT, COLLECTS, [25, 0, 0, 0]),
    "out, partners": (rounds.OUT, PARTNERS, [-5, -20]),
    "out, partners, collected": (rounds.OUT, {**PARTNERS, **COLLECTS}, [20, 0]),
    # 34 -> 35, 6 -> 5, 8 -> 10, 8 -> 10; 34 + 8 + 8 - 6 = 44 -> 45; 34 + 8 - (6 + 8) = 28 -> 30.
    "blocked": (rounds.BLOCKED, {}, [-35, -5, -10, -10]),
    "blocked, collected": (rounds.BLOCKED, COLLECTS, [0, 45, 0, 0]),
    "blocked, partners": (rounds.BLOCKED, PARTNERS, [-45, -15]),
    "blocked, partners, collected": (rounds.BLOCKED, {**PARTNERS, **COLLECTS}, [0, 30]),
    # 27 -> 25, 10, 10, 17 -> 15; the lightest is shared; 37 - 27 = 10.
    "shared": (rounds.BLOCKED_SHARED, {}, [-25, -10, -10, -15]),
    "shared, collected": (rounds.BLOCKED_SHARED, COLLECTS, [0, 0, 0, 0]),
    "shared, partners": (rounds.BLOCKED_SHARED, PARTNERS, [-35, -25]),
    "shared, partners, collected": (rounds.BLOCKED_SHARED, {**PARTNERS, **COLLECTS}, [0, 10]),
}


@pytest.mark.parametrize(("given", "options", "points"), HAND_ENDS.values(), ids=HAND_ENDS)
def test_hand_ends(given: Round, options: dict[str, str], points: list[int]) -> None:
    state = played(given, options=options)
    assert state["round_over"]["points"] == points
    assert state["round_over"]["reason"] == ("out" if given is rounds.OUT else "blocked")
    assert state["match_over"] is None
    assert len(state["standing"]) == len(points)


def test_the_target_at_the_end_of_a_hand() -> None:
    before = [0, 0, 0, 0]
    after = played(rounds.OUT, options=COLLECTS)["standing"]
    before[0] = 200 - after[0]
    state = played(rounds.OUT, options=COLLECTS, standing=before)
    assert state["round_over"] == {"reason": "out", "seat": 0, "points": [25, 0, 0, 0]}
    assert state["standing"][0] == 200
    assert state["match_over"]["places"][0] == 1
    before[0] -= 5
    assert played(rounds.OUT, options=COLLECTS, standing=before)["match_over"] is None


def test_partners_have_one_score_a_side() -> None:
    table = table_of(4, PARTNERS)
    assert table.do("state")["standing"] == [0, 0]
    assert table.refuses(do="standing", standing=[0, 0, 0, 0]) == ("bad_request", None)
    assert table.do("standing", standing=[-35, 120])["standing"] == [-35, 120]
    assert table.refuses(do="new", variant="all_fives", seats=2, options=PARTNERS) == ("bad_request", None)


def test_up_and_down_can_be_read_at_any_time() -> None:
    table = dealt("6-6 6-4", "6-3")
    assert table.refuses(do="move", seat=0, move="6-6 up") == ("illegal_move", "all_fives.spinner")
    assert table.refuses(do="move", seat=0, move="6-4 left") == ("illegal_move", "all_fives.turn")
    assert table.refuses(do="move", seat=0, move="6-4 over") == ("bad_move", None)
