"""The worked examples of Rytmino through the referee protocol alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.engine.variants import rules_for
from tests.engine.positions import board
from tests.engine.table import Answer, RefereeClient

RYTMINO = rules_for("rytmino")

P0 = ("H(0,0)=2-4", "H(0,1)=3-1")
R16 = ("H(0,0)=1-5", "H(0,1)=1-4")
SIZES = {2: 14, 3: 9, 4: 7}


def tile_of(text: str) -> str:
    """Return the tile of a placement, or of a tile however it is turned."""
    return "-".join(sorted(text.rpartition("=")[2].split("-"), reverse=True))


def deal_of(moves: Sequence[str], start: Sequence[str] = P0, seats: int = 2) -> dict[str, list[object]]:
    """Return a deal in which the seats, from seat 0 on, hold what they lay in these moves."""
    rest = [f"{high}-{low}" for high in range(1, 6) for low in range(1, high + 1) for _ in range(2)]
    hands: list[list[str]] = [[] for _ in range(seats)]
    for text in start:
        rest.remove(tile_of(text))
    for at, text in enumerate(moves):
        rest.remove(tile_of(text))
        hands[at % seats].append(tile_of(text))
    for hand in hands:
        missing = SIZES[seats] - len(hand)
        hand += rest[:missing]
        del rest[:missing]
    return {"hands": list(hands), "start": list(start), "aside": list(rest)}


def table_with(moves: Sequence[str], start: Sequence[str] = P0, seats: int = 2, **options: str) -> RefereeClient:
    """Return a referee that has dealt so, seat 0 leading."""
    table = RefereeClient()
    table.do("new", variant="rytmino", seats=seats, options=options)
    table.do("deal", **deal_of(moves, start, seats), lead=0)
    return table


def before(moves: Sequence[str], start: Sequence[str] = P0) -> tuple[RefereeClient, int]:
    """Return the referee before the last of the moves, and who is to make it."""
    table = table_with(moves, start)
    for text in moves[:-1]:
        state = table.play(text)
        assert state["scored"] > 0
    return table, table.do("state")["to_move"]


def test_the_variant_is_listed_with_its_options() -> None:
    (found,) = [each for each in RefereeClient().do("variants")["variants"] if each["key"] == "rytmino"]
    assert found["seats"] == [2, 3, 4]
    assert found["options"] == {
        "leftover": {"default": "none", "choices": ["none", "sackson"]},
        "deals": {"default": "1", "choices": ["1", "per_player"]},
    }


def test_the_starting_pair_stands_first_in_the_layout() -> None:
    table = table_with(["V(2,0)=5-2"])
    state = table.do("state")
    assert (state["layout"], state["boneyard"], state["scored"]) == (list(P0), [], 0)
    assert table.play("V(2,0)=5-2")["layout"] == [*P0, "V(2,0)=5-2"]


def test_r12_two_lines_of_three() -> None:
    state = table_with(["V(2,0)=5-2"]).play("V(2,0)=5-2")
    assert (state["scored"], state["standing"], state["to_move"]) == (9, [9, 0], 1)


def test_r13_a_double() -> None:
    assert table_with(["V(2,0)=5-5"]).play("V(2,0)=5-5")["scored"] == 18


@pytest.mark.parametrize(
    ("move", "rule"),
    [("H(2,0)=5-1", "rytmino.two"), ("V(2,0)=4-2", "rytmino.valid"), ("V(1,1)=5-1", "rytmino.free")],
    ids=["r14 one line only", "r15 2-4-4", "occupied"],
)
def test_r14_and_r15_what_is_refused(move: str, rule: str) -> None:
    assert table_with([move]).refuses(do="move", seat=0, move=move) == ("illegal_move", rule)


def test_r16_three_lines() -> None:
    moves = ["V(-1,0)=2-4", "H(0,2)=1-2", "V(-2,0)=3-1", "H(-2,2)=4-3"]
    table = table_with(moves, R16)
    assert [table.play(text)["scored"] for text in moves] == [9, 9, 16, 36]
    assert table.do("state")["standing"] == [25, 45]


@pytest.mark.parametrize("move", ["H(0,3)=1-2", "H(0,-1)=1-5"])
def test_r17a_no_fourth_side_by_side(move: str) -> None:
    table, seat = before(["V(2,0)=5-2", "H(0,2)=5-3", move])
    assert table.refuses(do="move", seat=seat, move=move) == ("illegal_move", "rytmino.stack")


def test_who_can_place_must_and_nobody_draws() -> None:
    table = table_with(["V(2,0)=5-2"])
    assert table.refuses(do="move", seat=0, move="pass") == ("illegal_move", "rytmino.turn")
    assert table.refuses(do="move", seat=0, move="draw") == ("illegal_move", "rytmino.deal")
    assert table.refuses(do="move", seat=0, move="V(2,0)=5-6") == ("bad_move", None)
    assert table.refuses(do="move", seat=1, move="V(2,0)=5-2") == ("not_your_turn", None)


def test_the_same_double_twice_voids_the_deal() -> None:
    table = RefereeClient()
    table.do("new", variant="rytmino", seats=2)
    deal = deal_of([], ("H(0,0)=3-3", "H(0,1)=3-3"))
    assert table.refuses(do="deal", **deal, lead=0) == ("void_deal", "rytmino.start")


def test_a_deal_names_the_leader_the_pair_and_what_is_set_aside() -> None:
    table = RefereeClient()
    table.do("new", variant="rytmino", seats=3)
    deal = deal_of([], P0, 3)
    assert len(deal["aside"]) == 1
    deals: tuple[dict[str, Any], ...] = (
        {"start": []},
        {"aside": []},
        {"start": list(P0[::-1])},
        {"start": ["2-4", "3-1"]},
        {"lead": 3},
    )
    for wrong in deals:
        assert table.refuses(do="deal", **{**deal, "lead": 0, **wrong}) == ("bad_deal", None)
    assert table.refuses(do="deal", **deal) == ("bad_deal", None)
    assert table.do("deal", **deal, lead=2)["to_move"] == 2


def test_later_deals_are_led_by_the_next_seat_and_the_match_ends_after_one_a_player() -> None:
    table = RefereeClient()
    table.do("new", variant="rytmino", seats=3, options={"deals": "per_player"})
    leaders = []
    for number in range(3):
        state = table.do("deal", **deal_of([], P0, 3), lead=1)
        leaders.append(state["to_move"])
        state = table.play_out()
        assert (state["match_over"] is None) == (number < 2)
    assert leaders == [1, 2, 0]
    places = [1 + sum(other > own for other in state["standing"]) for own in state["standing"]]
    assert state["match_over"] == {"places": places, "losers": []}


def ended(seats: int, seed: str, leftover: str) -> tuple[Answer, int, list[int]]:
    """Play a seeded deal out; return its end, who led, and the turns that each seat had."""
    table = RefereeClient()
    table.do("new", variant="rytmino", seats=seats, options={"leftover": leftover})
    state = table.do("deal", seed=seed)
    leader, turns = state["to_move"], [0] * seats
    while state["legal"]:
        turns[state["to_move"]] += 1
        state = table.do("move", seat=state["to_move"], move=state["legal"][-1])
    return state, leader, turns


def cost(hand: Sequence[str]) -> int:
    return -sum(5 if tile[0] == tile[2] else 25 for tile in hand)


def anything_fits(state: Answer) -> bool:
    layout = board(RYTMINO.layout, " ".join(state["layout"]))
    return any(layout.places(tile) for hand in state["hands"] for tile in RYTMINO.read_tiles(" ".join(hand)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_leftover_tiles_cost_and_everybody_had_as_many_turns(seats: int) -> None:
    reasons = set()
    for seed in range(12):
        state, leader, turns = ended(seats, f"leftover {seed}", "sackson")
        over = state["round_over"]
        reasons.add(over["reason"])
        assert over["points"] == [cost(hand) for hand in state["hands"]]
        if over["reason"] == "out":
            assert len(set(turns)) == 1 or not anything_fits(state)
            assert state["hands"][over["seat"]] == []
        else:
            assert [] not in state["hands"]
        assert turns[leader] == max(turns)
    assert "out" in reasons


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_without_the_option_nothing_is_taken_off(seats: int) -> None:
    for seed in range(8):
        state, _, _ = ended(seats, f"leftover {seed}", "none")
        assert state["round_over"]["points"] == [0] * seats
