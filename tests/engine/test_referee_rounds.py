"""A round of every game through the referee protocol; the tests of each game prove its rules one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations_with_replacement
from typing import Any

import pytest

from tests.engine.table import Answer, RefereeClient

TRIPLE_FIVE = ["-".join(map(str, tile)) for tile in combinations_with_replacement(range(6), 3)]
LENGTH = {"default": "full", "choices": ["full", "quick"]}
OPTIONS: dict[str, dict[str, Any]] = {
    "kozel": {"fish": {"default": "all", "choices": ["all", "one"]}, "length": LENGTH},
    "gamezz": {"length": LENGTH},
    "all_fives": {
        "hands": {"default": "9-7-5", "choices": ["9-7-5", "5-5-5", "7-5-5"]},
        "partners": {"default": "no", "choices": ["no", "yes"]},
        "hand_end": {"default": "subtract_own", "choices": ["subtract_own", "winner_collects"]},
        "target": {"default": "standard", "choices": ["standard", "100", "150", "200", "250"]},
        "length": LENGTH,
    },
    "triominoes": {"hands": {"default": "leaflet", "choices": ["leaflet", "official"]}, "length": LENGTH},
    "rytmino": {
        "leftover": {"default": "none", "choices": ["none", "sackson"]},
        "deals": {"default": "1", "choices": ["1", "per_player"]},
    },
}


def new(variant: str, seats: int, *standing: object, **options: str) -> RefereeClient:
    """Return a referee with a new match, with this standing if one is given."""
    table = RefereeClient()
    table.do("new", variant=variant, seats=seats, options=options)
    if standing:
        table.do("standing", standing=list(standing))
    return table


def hands_of(state: Answer) -> list[str]:
    return [" ".join(sorted(hand)) for hand in state["hands"]]


def test_every_variant_is_listed_with_its_options() -> None:
    listed = RefereeClient().do("variants")["variants"]
    assert {row["key"]: row["options"] for row in listed} == OPTIONS
    assert all(row["seats"] == [2, 3, 4] for row in listed)


def test_round_of_kozel_opens_an_account_with_thirteen_points() -> None:
    table = new("kozel", 4, "+19", "0", "+7", "+4")
    hands = [
        "2-0 6-4 3-1 1-0 6-0 4-1 5-4",
        "6-1 4-3 5-5 3-0 5-0 2-1 5-2",
        "6-2 6-6 4-0 4-2 3-3 2-2 6-3",
        "6-5 4-4 3-2 1-1 5-1 0-0 5-3",
    ]
    assert table.deal(hands)["legal"] == ["1-1"]
    assert table.refuses(do="move", seat=3, move="6-5") == ("illegal_move", "kozel.lead_first")
    moves = (
        "1-1, 3-1 right, 3-0 right, 4-0 right, 5-1 left, 5-4 left, 4-3 left, 3-3 left, 5-3 left, 6-4 right, 5-2 left, "
        "6-2 left, 6-5 left, 6-0 right, 5-5 left, pass, 0-0 right, 2-0 right, 5-0 left, 4-2 right, 4-4 right, "
        "4-1 right, 6-1 right, 6-6 right, pass, 1-0 left"
    )
    state = table.play(*moves.split(", "))
    assert hands_of(state) == ["", "2-1", "2-2 6-3", "3-2"]
    assert state["round_over"] == {"reason": "out", "seat": 0, "points": [0, 3, 13, 5]}
    assert state["standing"] == ["0", "+3", "=20", "+9"]
    assert table.do("deal", seed="next")["to_move"] == 0


def test_round_of_classic_goat_ends_blocked_with_tiles_in_the_boneyard() -> None:
    """The blocker adds nothing; the others hold 5-1, 5-4, 1-1 (17) and 4-4, 3-1, 3-2, 4-1 (22)."""
    table = new("gamezz", 3, 90, 0, 10)
    hands = ["5-1 4-3 5-0 0-0 5-2 5-4 3-0", "5-3 4-4 3-3 6-2 3-1 4-0 1-0", "4-2 6-1 2-0 2-1 6-5 6-3 6-0"]
    table.deal(hands, "1-1 6-6 3-2 4-1 6-4 2-2 5-5")
    moves = (
        "0-0, 4-0 right, 4-2 right, 3-0 left, 5-3 left, 2-0 right, 5-0 left, 1-0 right, 6-1 right, draw, draw, "
        "6-6 right, 6-2 right, 6-0 left, 5-2 right, draw, draw, draw, 6-4 left, 6-5 right, 4-3 left, 3-3 left, "
        "6-3 left"
    )
    state = table.play(*moves.split(", "))
    assert hands_of(state) == ["1-1 5-1 5-4", "3-1 3-2 4-1 4-4", "2-1"]
    assert (state["boneyard"], state["standing"]) == (["2-2", "5-5"], [107, 22, 10])
    assert state["round_over"] == {"reason": "blocked", "seat": 2, "points": [17, 22, 0]}
    assert state["match_over"] == {"places": [3, 2, 1], "losers": [0]}
    assert table.refuses(do="deal", seed="next") == ("match_over", None)


def test_hand_of_all_fives_is_led_by_lot_and_the_next_by_the_winner() -> None:
    """Before the last tile seat 0 comes to 45 and seat 1 to 30, who holds 6-5 and 1-1: 13, rounded to 15."""
    table = new("all_fives", 2, -15, -15)
    hands = ["5-5 0-0 6-2 5-2 2-2 1-0 4-1 2-1 5-4", "6-6 6-5 4-3 3-1 3-0 5-0 1-1 4-0 6-3"]
    boneyard = "3-2 3-3 5-1 6-4 4-4 6-1 5-3 4-2 2-0 6-0"
    deal = {"hands": [hand.split() for hand in hands], "boneyard": boneyard.split()}
    assert table.refuses(do="deal", **deal) == ("bad_deal", None)
    assert table.refuses(do="deal", **deal, lead=2) == ("bad_deal", None)
    table.do("deal", **deal, lead=0)
    moves = (
        "2-2, draw, 3-2 right, 2-1 left, 4-3 right, 5-4 right, 3-1 left, 6-2 down, 6-6 down, 5-2 up, 5-0 up, 0-0 up, "
        "3-0 left, 1-0 up, 4-0 left, 5-5 right, 6-3 down, 4-1 left"
    )
    state = table.play(*moves.split(", "))
    assert hands_of(state) == ["", "1-1 6-5"]
    assert state["round_over"] == {"reason": "out", "seat": 0, "points": [0, -15]}
    assert state["standing"] == [45, 15]
    assert table.do("deal", **deal, lead=1)["to_move"] == 0, "a needless lead is ignored"


TRIOMINOES_ROUND = (
    "U(0,0)=4/5/5 D(0,-1)=3/5/5 U(0,-1)=5/3/3 D(0,-2)=0/3/3 U(1,-2)=3/5/0 D(-1,0)=5/3/4 U(-1,0)=3/5/2 D(-2,0)=2/3/3 "
    "U(-2,1)=1/3/3 D(-2,1)=3/1/2 D(-3,1)=3/1/1 U(-3,1)=1/3/4 U(-3,2)=4/1/1 D(-3,0)=4/4/3 U(0,-2)=3/0/2 D(-4,2)=1/2/4 "
    "D(-3,2)=1/4/0 D(0,-3)=1/2/0 D(0,0)=5/4/4 D(1,-3)=5/0/5 U(-4,3)=4/4/2 U(-4,2)=2/1/1"
)
# Moves before which the player draws a tile: seat 1 on the first two turns, seat 0 on the second, seat 2 on the last.
DRAWN = (1, 3, 4, 20)


def triomino(placement: str) -> str:
    """Return the tile that a placement lays."""
    return "-".join(sorted(placement.rpartition("=")[2].split("/")))


def test_round_of_triominoes_awards_25_and_the_other_hands() -> None:
    """Seat 0 lays 1-1-2 (4) and is out: 25, 0-0-3 and 2-4-5 (14) of seat 1, 5-5-5 (15) of seat 2; 58 in all."""
    moves = TRIOMINOES_ROUND.split()
    tiles = [triomino(move) for move in moves]
    hands = [[tile for at, tile in enumerate(tiles) if at % 3 == seat and at not in DRAWN[:3]] for seat in range(3)]
    hands[1] += ["0-0-3", "2-4-5"]
    pool = [tiles[1], tiles[3], tiles[4], "5-5-5"]
    pool += [tile for tile in TRIPLE_FIVE if tile not in {*chain(*hands), *pool}]
    table = new("triominoes", 3)
    table.do("deal", hands=hands, boneyard=pool)
    assert table.play(moves[0])["scored"] == 14
    for at, move in enumerate(moves[1:-1], 1):
        table.play(*(["draw", move] if at in DRAWN else [move]))
    before = table.do("state")
    assert before["hands"] == [["1-1-2"], ["0-0-3", "2-4-5"], ["5-5-5"]]
    after = table.play(moves[-1])
    assert after["scored"] == 4
    assert after["round_over"] == {"reason": "out", "seat": 0, "points": [54, 0, 0]}
    assert after["standing"] == [before["standing"][0] + 58, *before["standing"][1:]]
    assert (after["to_move"], after["legal"], after["match_over"]) == (None, [], None)


RYTMINO_START = ["H(0,0)=2-4", "H(0,1)=3-1"]


def rytmino_deal(seats: int, *first: str) -> dict[str, list[Any]]:
    """Return a deal in which seat 0 holds these tiles."""
    rest = [f"{high}-{low}" for high in range(1, 6) for low in range(1, high + 1) for _ in range(2)]
    for tile in ("4-2", "3-1", *first):
        rest.remove(tile)
    tiles, size = [*first, *rest], {2: 14, 3: 9, 4: 7}[seats]
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(seats)]
    return {"hands": hands, "start": list(RYTMINO_START), "aside": tiles[seats * size :]}


def test_deals_of_rytmino_name_the_leader_the_pair_and_the_tile_set_aside() -> None:
    table, deal = new("rytmino", 3), rytmino_deal(3)
    wrong: list[dict[str, Any]] = [{"aside": []}, {"lead": 3}, {"lead": None}]
    wrong += [{"start": start} for start in ([], RYTMINO_START[::-1], ["2-4", "3-1"])]
    for change in wrong:
        assert table.refuses(do="deal", **{**deal, "lead": 0, **change}) == ("bad_deal", None)
    assert table.do("deal", **deal, lead=2)["to_move"] == 2


def test_round_of_rytmino_scores_products_and_later_rounds_are_led_in_turn() -> None:
    """The first move makes two lines of three, so 9 points."""
    table, leaders = new("rytmino", 3, deals="per_player"), []
    for number in range(3):
        state = table.do("deal", **rytmino_deal(3, "5-2", "5-1"), lead=0)
        leaders.append(state["to_move"])
        if number == 0:
            assert (state["layout"], state["boneyard"]) == (RYTMINO_START, [])
            assert table.refuses(do="move", seat=0, move="H(2,0)=5-1") == ("illegal_move", "rytmino.two")
            assert table.refuses(do="move", seat=0, move="draw") == ("illegal_move", "rytmino.deal")
            state = table.play("V(2,0)=5-2")
            assert (state["scored"], state["standing"], state["to_move"]) == (9, [9, 0, 0], 1)
        state = table.play_out()
        assert (state["match_over"] is None) == (number < 2)
    assert leaders == [0, 1, 2]
    places = [1 + sum(other > own for other in state["standing"]) for own in state["standing"]]
    assert state["match_over"] == {"places": places, "losers": []}


@pytest.mark.parametrize("standing", [["0", "0"], [0], [0, 0, 0], [0, 1.0], [True, 0], [0, None]])
def test_standing_is_a_whole_number_for_each_seat(standing: Sequence[object]) -> None:
    table = new("gamezz", 2)
    assert table.refuses(do="standing", standing=standing) == ("bad_request", None)
    assert table.refuses(do="standing", standing=[0, 0], pot=1) == ("bad_request", None)


def test_partners_of_all_fives_have_one_score_for_each_side() -> None:
    table = new("all_fives", 4, partners="yes")
    assert table.do("state")["standing"] == [0, 0]
    assert table.refuses(do="standing", standing=[0, 0, 0, 0]) == ("bad_request", None)
    assert table.do("standing", standing=[-35, 120])["standing"] == [-35, 120]
