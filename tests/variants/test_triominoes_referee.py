"""The worked examples of Triominoes through the referee protocol alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.engine.table import Answer, RefereeClient
from tests.variants.triominoes_boards import T12, T15, T17, THREE_HEXAGONS
from tests.variants.triominoes_deals import Script, rest_of, script, tile_at

QUIET = [
    "0-0-1 0-0-2 0-0-3 0-0-4 0-1-1 0-1-2",
    "0-1-3 0-2-2 1-1-2 0-2-3 1-1-3 0-1-4",
    "1-1-4 1-2-2 1-2-3 0-3-3 0-2-4 0-0-5",
]
"""Six light tiles that are no triples for each of three seats."""


def table_with(hands: Sequence[str], first: str = "", *, standing: Sequence[int] = (), **rest: Any) -> RefereeClient:
    """Return a referee with these hands dealt, filled up with quiet tiles; the pool begins with ``first``."""
    table = RefereeClient()
    table.do("new", variant="triominoes", seats=len(hands), options={})
    if standing:
        table.do("standing", standing=list(standing))
    full = []
    for hand, quiet in zip(hands, QUIET, strict=False):
        spare = [tile for tile in quiet.split() if tile not in f"{hands} {first}"]
        full.append(" ".join([*hand.split(), *spare][:7]))
    table.do("deal", hands=[hand.split() for hand in full], boneyard=rest_of(full, first).split(), **rest)
    return table


def led(hands: Sequence[str], lead: str, **rest: Any) -> Answer:
    return table_with(hands, **rest).play(lead)


def played(given: Script) -> RefereeClient:
    """Return the referee before the last move of a script."""
    table = RefereeClient()
    table.do("new", variant="triominoes", seats=len(given.hands))
    table.do("deal", hands=[hand.split() for hand in given.hands], boneyard=given.pool.split())
    table.play(*given.moves[:-1])
    return table


def test_the_variant_is_listed_with_its_options() -> None:
    (found,) = [each for each in RefereeClient().do("variants")["variants"] if each["key"] == "triominoes"]
    assert found["seats"] == [2, 3, 4]
    assert found["options"] == {
        "hands": {"default": "leaflet", "choices": ["leaflet", "official"]},
        "length": {"default": "full", "choices": ["full", "quick"]},
    }


def test_t01_turned_tiles_are_read_mirrored_ones_are_none() -> None:
    hands = ["4-4-4 0-1-2 0-0-1 0-0-2 0-0-3 0-0-4 0-1-1", "3-3-4 0-1-3 0-2-2 1-1-2 0-2-3 1-1-3 0-1-4"]
    deal: dict[str, Any] = {"hands": [hand.split() for hand in hands], "boneyard": rest_of(hands).split()}
    table = RefereeClient()
    table.do("new", variant="triominoes", seats=2)
    for mirrored in ("0-2-1", "2-1-0", "1-0-2"):
        deal["hands"][0][1] = mirrored
        assert table.refuses(do="deal", **deal) == ("bad_deal", None)
    for turned in ("1-2-0", "2-0-1"):
        deal["hands"][0][1] = turned
        table.do("new", variant="triominoes", seats=2)
        assert table.do("deal", **deal)["hands"][0][1] == "0-1-2"


def test_t02_a_triple_leads() -> None:
    state = led(["4-4-4", "3-4-5"], "U(0,0)=4/4/4")
    assert (state["scored"], state["standing"], state["to_move"]) == (22, [22, 0], 1)


def test_t03_the_triple_of_zeros_alone() -> None:
    assert led(["0-0-0", "3-4-5"], "U(0,0)=0/0/0")["scored"] == 40


def test_t04_no_triple() -> None:
    assert led(["4-4-5", "3-4-5"], "U(0,0)=4/4/5")["scored"] == 13


def test_t05_the_choice_of_the_zeros() -> None:
    table = table_with(["5-5-5 0-0-0", "3-4-5"])
    assert table.do("state")["legal"] == ["U(0,0)=0/0/0", "U(0,0)=5/5/5"]
    assert table.play("U(0,0)=0/0/0")["scored"] == 40
    assert led(["5-5-5 0-0-0", "3-4-5"], "U(0,0)=5/5/5")["scored"] == 25


def test_t06_no_choice_for_another_hand() -> None:
    table = table_with(["3-3-3", "0-0-0"])
    assert table.do("state")["legal"] == ["U(0,0)=3/3/3"]
    assert table.play("U(0,0)=3/3/3")["scored"] == 19


def on_t07(hand: str, first: str = "") -> RefereeClient:
    """Return the referee after the lead U(0,0)=4/4/5, a hand to move."""
    table = table_with(["4-4-5", hand], first)
    table.play("U(0,0)=4/4/5")
    return table


def test_t07_a_plain_placement() -> None:
    state = on_t07("3-4-5").play("D(-1,0)=5/3/4")
    assert (state["scored"], state["standing"]) == (12, [13, 12])
    assert state["layout"] == ["U(0,0)=4/4/5", "D(-1,0)=5/3/4"]


def test_t08_to_t10_what_is_refused() -> None:
    def refused(table: RefereeClient, move: str) -> tuple[str, str | None]:
        return table.refuses(do="move", seat=1, move=move)

    assert refused(on_t07("3-4-5"), "D(0,-1)=3/5/4") == ("illegal_move", "triominoes.rotation")
    table = on_t07("3-4-4", "4-5-5 4-4-4")
    table.play("draw")
    assert refused(table, "D(0,0)=4/5/5") == ("illegal_move", "triominoes.corners")
    table.play("draw")
    assert refused(table, "U(1,0)=4/4/4") == ("illegal_move", "triominoes.edge")
    assert refused(table, "U(1,0)=4/4/6") == ("bad_move", None)


def test_t12_a_bridge() -> None:
    given = script(T12, "U(0,0)=0/1/2")
    assert played(given).play(given.moves[-1])["scored"] == 43


def test_t13_no_bridge_with_another_number_at_the_point() -> None:
    given = script(T12, "U(0,0)=3/1/2")
    table = played(given)
    seat = table.do("state")["to_move"]
    assert tile_at(given.moves[-1]) in table.do("state")["hands"][seat]
    assert table.refuses(do="move", seat=seat, move=given.moves[-1]) == ("illegal_move", "triominoes.corners")


@pytest.mark.parametrize(
    ("laid", "last", "points"),
    [(T15, "U(0,0)=4/5/5", 64), (T17, "D(0,0)=0/3/5", 68), (THREE_HEXAGONS, "U(0,0)=3/4/0", 77)],
    ids=["t15 one hexagon", "t17 two hexagons", "three hexagons"],
)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hexagons(laid: str, last: str, points: int, seats: int) -> None:
    given = script(laid, last, seats)
    assert played(given).play(given.moves[-1])["scored"] == points


def test_t21_three_draws_and_no_play() -> None:
    table = on_t07("3-4-5")
    assert [table.play("draw")["scored"] for _ in range(3)] == [-5, -5, -5]
    assert "draw" not in table.do("state")["legal"]
    state = table.play("pass")
    assert (state["scored"], state["standing"], state["to_move"]) == (-10, [13, -25], 0)


def test_t22_one_draw_and_a_placement() -> None:
    table = on_t07("2-3-3", "3-4-5")
    assert table.play("draw")["scored"] == -5
    state = table.play("D(-1,0)=5/3/4")
    assert (state["scored"], state["standing"]) == (12, [13, 7])


def test_t25_an_empty_pool() -> None:
    """42 tiles: fourteen turns of three draws. Seat 0 places after the last draw, then seat 1 has nothing to draw."""
    table = on_t07("3-4-5", "3-3-4")
    table.play("draw", "D(-1,0)=5/3/4")
    table.play(*["draw", "draw", "draw", "pass"] * 13, "draw", "draw")
    state = table.do("state")
    assert (state["boneyard"], state["to_move"]) == ([], 1)
    before = table.play(next(move for move in state["legal"] if move != "pass"))
    assert "pass" in before["legal"]
    after = table.play("pass")
    assert (after["scored"], after["standing"], after["to_move"]) == (0, before["standing"], 1)
    assert table.refuses(do="move", seat=1, move="draw") == ("illegal_move", "triominoes.empty_pool")


T27 = (
    "U(0,0)=4/5/5 D(0,-1)=3/5/5 U(0,-1)=5/3/3 D(0,-2)=0/3/3 U(1,-2)=3/5/0 D(-1,0)=5/3/4 U(-1,0)=3/5/2 D(-2,0)=2/3/3 "
    "U(-2,1)=1/3/3 D(-2,1)=3/1/2 D(-3,1)=3/1/1 U(-3,1)=1/3/4 U(-3,2)=4/1/1 D(-3,0)=4/4/3 U(0,-2)=3/0/2 D(-4,2)=1/2/4 "
    "D(-3,2)=1/4/0 D(0,-3)=1/2/0 D(0,0)=5/4/4 D(1,-3)=5/0/5 U(-4,3)=4/4/2 U(-4,2)=2/1/1"
)
"""A round without bridges and hexagons. B draws on his first two turns, A on his second, C on his last."""
DRAWN = (1, 3, 4, 20)


def test_t27_going_out() -> None:
    """A lays 1-1-2 (4) and goes out: 25, B's 0-0-3 and 2-4-5 (14), C's 5-5-5 (15); 58 in all."""
    moves = T27.split()
    tiles = [tile_at(move) for move in moves]
    hands = [[tile for at, tile in enumerate(tiles) if at % 3 == seat and at not in DRAWN[:3]] for seat in range(3)]
    hands[1] += ["0-0-3", "2-4-5"]
    pool = rest_of([" ".join(hand) for hand in hands], f"{tiles[1]} {tiles[3]} {tiles[4]} 5-5-5")
    table = RefereeClient()
    table.do("new", variant="triominoes", seats=3)
    table.do("deal", hands=hands, boneyard=pool.split())
    for at, move in enumerate(moves[:-1]):
        table.play(*(["draw", move] if at in DRAWN else [move]))
    before = table.do("state")
    assert before["hands"] == [["1-1-2"], ["0-0-3", "2-4-5"], ["5-5-5"]]
    after = table.play(moves[-1])
    assert after["scored"] == 4
    assert after["round_over"] == {"reason": "out", "seat": 0, "points": [54, 0, 0]}
    assert after["standing"][0] - before["standing"][0] == 58
    assert after["standing"][1:] == before["standing"][1:]
    assert (after["to_move"], after["legal"], after["match_over"]) == (None, [], None)


def test_400_points_in_mid_round_end_the_match_with_the_round() -> None:
    table = table_with(["4-4-4", "3-4-5"], standing=[378, 0])
    state = table.play("U(0,0)=4/4/4")
    assert (state["standing"], state["round_over"], state["match_over"]) == ([400, 0], None, None)
    over = table.play_out()
    top, bottom = over["standing"]
    places = [1, 2] if top > bottom else [2, 1]
    assert over["match_over"] == {"places": places, "losers": []}
    assert table.refuses(do="move", seat=0, move="draw") == ("match_over", None)


def test_lots_are_drawn_among_wholly_equal_hands() -> None:
    hands = ["4-4-5 1-4-5 0-4-5 0-3-5 0-1-5 0-0-5 0-1-3", "0-0-1 0-0-2 0-0-3 0-1-1 0-1-2 0-2-2 1-1-2",
             "3-5-5 2-3-5 1-3-5 1-2-5 0-2-4 0-1-4 0-0-4"]  # fmt: skip
    deal: dict[str, Any] = {"hands": [hand.split() for hand in hands], "boneyard": rest_of(hands).split()}
    table = RefereeClient()
    table.do("new", variant="triominoes", seats=3)
    for lead in (None, 1, 3, "0"):
        assert table.refuses(do="deal", **deal, lead=lead) == ("bad_deal", None)
    assert table.do("deal", **deal, lead=2)["to_move"] == 2


def test_a_deal_of_another_size_is_none() -> None:
    table = RefereeClient()
    table.do("new", variant="triominoes", seats=2, options={"hands": "official"})
    hands = ["4-4-4 0-0-1 0-0-2 0-0-3 0-0-4 0-1-1 0-1-2", "0-1-3 0-2-2 1-1-2 0-2-3 1-1-3 0-1-4 1-1-4"]
    deal: dict[str, Any] = {"hands": [hand.split() for hand in hands], "boneyard": rest_of(hands).split()}
    assert table.refuses(do="deal", **deal) == ("bad_deal", None)
    table.do("new", variant="triominoes", seats=2)
    assert table.refuses(do="deal", **deal, start=["U(0,0)=5/5/5"]) == ("bad_deal", None)
    assert table.refuses(do="deal", **deal, aside=["5-5-5"]) == ("bad_deal", None)
    table.do("deal", **deal)
