"""The referee protocol: every request and its answer. Errors: test_referee_errors.py."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.engine.table import BAZAAR, HANDS, RefereeClient

ROOT = Path(__file__).parents[2]


def test_new_match_returns_the_state_before_the_first_deal() -> None:
    assert RefereeClient().do("new", variant="kozel", seats=3, options={"fish": "one"}) == {
        "ok": True,
        "variant": "kozel",
        "seats": 3,
        "round": 0,
        "to_move": None,
        "legal": [],
        "hands": [[], [], []],
        "boneyard": [],
        "layout": [],
        "standing": ["0", "0", "0"],
        "pot": 0,
        "scored": 0,
        "round_over": None,
        "match_over": None,
    }


def test_explicit_deal_is_used_unchanged(table: RefereeClient) -> None:
    state = table.deal(HANDS, BAZAAR)
    assert (state["round"], state["to_move"], state["legal"]) == (1, 1, ["3-3"])
    assert state["hands"] == [hand.split() for hand in HANDS]
    assert state["boneyard"] == BAZAAR.split()


def test_tiles_are_read_in_either_order(table: RefereeClient) -> None:
    turned = [" ".join(tile[::-1] for tile in hand.split()) for hand in HANDS]
    assert table.deal(turned, BAZAAR)["hands"] == [hand.split() for hand in HANDS]


def test_a_move_changes_the_state(running: RefereeClient) -> None:
    state = running.play("3-3", "0-3 left")
    assert state["layout"] == ["3-3", "3-0 left"]
    assert state["to_move"] == 1
    assert state["legal"] == ["2-0 left", "5-0 left", "5-3 right", "6-3 right"]
    assert state["hands"][0] == ["6-6", "0-0", "6-5", "6-4", "5-4", "2-1"]
    assert state["scored"] == 0


def test_between_rounds_the_last_round_is_shown(table: RefereeClient) -> None:
    table.do("deal", seed="one")
    state = table.play_out()
    assert state["round"] == 1
    assert state["legal"] == []
    assert state["to_move"] is None
    assert state["layout"]
    assert state["round_over"]["reason"] in ("out", "fish")
    assert sum(map(len, state["hands"])) + len(state["boneyard"]) + len(state["layout"]) == 28
    after = table.do("deal", seed="two")
    assert (after["round"], after["layout"], after["round_over"]) == (2, [], None)


def test_the_same_seed_deals_the_same() -> None:
    def dealt(seed: str, seats: int = 4) -> object:
        table = RefereeClient()
        table.do("new", variant="kozel", seats=seats)
        return table.do("deal", seed=seed)["hands"]

    assert dealt("a") == dealt("a")
    assert dealt("a") != dealt("b")
    assert dealt("")
    assert dealt("\ud800 жребий")


def test_seed_redeals_void_deals() -> None:
    """Of many deals none is void, though about every thirtieth attempt is."""
    table = RefereeClient()
    for number in range(100):
        table.do("new", variant="kozel", seats=4)
        for hand in table.do("deal", seed=str(number))["hands"]:
            assert sum(tile[0] == tile[2] for tile in hand) < 5
            assert max(sum(value in tile for tile in hand) for value in "0123456") < 6


def test_a_standing_is_set_between_rounds_and_ends_no_match(table: RefereeClient) -> None:
    state = table.do("standing", standing=["+19", "=120"], pot=35)
    assert (state["standing"], state["pot"], state["match_over"]) == (["+19", "=120"], 35, None)
    assert table.do("deal", seed="x")["standing"] == ["+19", "=120"]


def test_a_standing_without_pot_leaves_the_pot_alone(table: RefereeClient) -> None:
    table.do("standing", standing=["0", "0"], pot=35)
    assert table.do("standing", standing=["+1", "0"])["pot"] == 35


def test_new_match_replaces_the_old_one(running: RefereeClient) -> None:
    assert running.do("new", variant="kozel", seats=4)["round"] == 0


def test_perft_counts_from_here(running: RefereeClient) -> None:
    assert running.do("perft", depth=0)["nodes"] == 1
    assert running.do("perft", depth=1)["nodes"] == 1
    # After 3-3 seat 0 has 3-0 alone, on either end.
    assert running.do("perft", depth=2)["nodes"] == 2


def test_perft_between_rounds_counts_the_empty_sequence(table: RefereeClient) -> None:
    assert table.do("perft", depth=3)["nodes"] == 1


def test_process_answers_every_line_until_the_input_ends() -> None:
    lines = [
        b'{"do": "new", "variant": "kozel", "seats": 4, "options": {"fish": "one"}}',
        b"\xff\xfe rubbish",
        b"",
        b"[" * 100_000,
        b'{"do": "deal", "seed": "any text"}',
        b'{"do": "state"}',
    ]
    done = subprocess.run(
        [sys.executable, "-m", "games.engine"],
        input=b"\n".join(lines),
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, False, True, True]
    assert answers[4] == answers[5]
    assert done.stderr == b""
