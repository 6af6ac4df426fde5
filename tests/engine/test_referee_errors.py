"""The referee protocol: every error, their order, and lines of any kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.table import BAZAAR, HANDS, RefereeClient

ROOT = Path(__file__).parents[2]


def test_bad_request(table: RefereeClient) -> None:
    requests: list[dict[str, Any]] = [
        {},
        {"do": None},
        {"do": "fly"},
        {"do": ["state"]},
        {"do": "new"},
        {"do": "new", "variant": "chess", "seats": 2},
        {"do": "new", "variant": ["kozel"], "seats": 2},
        {"do": "new", "variant": "kozel"},
        {"do": "standing"},
        {"do": "standing", "standing": "00"},
        {"do": "standing", "standing": ["0"]},
        {"do": "standing", "standing": ["0", "0", "0"]},
        {"do": "deal"},
        {"do": "deal", "seed": 7},
        {"do": "deal", "seed": None},
        {"do": "deal", "seed": "x", "hands": []},
        {"do": "deal", "hands": "6-6"},
        {"do": "deal", "hands": ["6-6"]},
        {"do": "deal", "hands": [[6.6]]},
        {"do": "deal", "hands": [["6-6"]], "boneyard": "1-1"},
        {"do": "deal", "hands": [["6-6"]], "boneyard": [None]},
        {"do": "deal", "hands": [["6-6"]], "start": 3},
        {"do": "perft"},
    ]
    new: dict[str, Any] = {"do": "new", "variant": "kozel", "seats": 2}
    requests += [new | {"seats": seats} for seats in (5, True, 2.0, "2", 10**30, [2])]
    options: list[Any] = [[], None, {"fish": "two"}, {"fish": ["one"]}, {"bird": "one"}]
    requests += [new | {"options": choice} for choice in options]
    scores = (0, "19", "+0", "+-1", "=01", "+" + "9" * 5000, "+١", None)
    requests += [{"do": "standing", "standing": ["0", score]} for score in scores]
    pots = (-1, True, 1.5, "35", None, 10**40)
    requests += [{"do": "standing", "standing": ["0", "0"], "pot": pot} for pot in pots]
    requests += [{"do": "perft", "depth": depth} for depth in (-1, True, 2.0, "2", 10**30)]
    for request_ in requests:
        assert table.refuses(**request_) == ("bad_request", None)


def test_invalid_lines_are_refused(table: RefereeClient) -> None:
    for line in [
        b"",
        b"\n",
        b"\r\n",
        b"state",
        b"[]",
        b"null",
        b"7",
        b'"state"',
        b'{"do": "state"',
        b'{"do": "state"} {"do": "state"}',
        b"{'do': 'state'}",
        b'{"do": "state", "x": NaN}',
        b'{"do": "state", "x": Infinity}',
        b'{"do": "state", "x": -Infinity}',
        b'{"do": "st\xffate"}',
        b"\xef\xbb\xbf" + b'{"do": "state"}',
        '{"do": "state"}'.encode("utf-16"),
        b"\x00",
        b"[" * 200_000,
        b'{"do":' * 100_000,
        b'{"do": "state", "x": ' + b"9" * 10_000 + b"}",
        b"x" * 1_000_000,
    ]:
        assert table.line(line)["error"] == "bad_request"
        assert table.do("state")["round"] == 0


def test_no_match() -> None:
    requests: list[dict[str, Any]] = [
        {"do": "state"},
        {"do": "deal"},
        {"do": "deal", "seed": "x"},
        {"do": "move"},
        {"do": "move", "seat": 0, "move": "6-4"},
        {"do": "standing"},
        {"do": "perft"},
    ]
    for request_ in requests:
        assert RefereeClient().refuses(**request_) == ("no_match", None)


def test_failed_new_keeps_the_previous_match(running: RefereeClient) -> None:
    assert running.refuses(do="new", variant="kozel", seats=9) == ("bad_request", None)


BAD_DEALS = {
    "no hands": ([], BAZAAR),
    "one hand": (HANDS[:1], BAZAAR + " " + HANDS[1]),
    "three hands": ([*HANDS, ""], BAZAAR),
    "a tile too few in a hand": ([HANDS[0][:-4], HANDS[1]], BAZAAR + " 3-0"),
    "a tile missing": (HANDS, BAZAAR[:-4]),
    "a tile twice": (HANDS, BAZAAR[:-3] + "6-6"),
    "a tile too many": (HANDS, BAZAAR + " 6-6"),
    "no tile of the set": (HANDS, BAZAAR[:-3] + "7-2"),
    "no tile at all": (HANDS, BAZAAR[:-3] + "tile"),
    "three parts": (HANDS, BAZAAR[:-3] + "6-2-0"),
    "other digits": (HANDS, BAZAAR[:-3] + "６-２"),
}


def test_bad_deal(table: RefereeClient) -> None:
    for hands, boneyard in BAD_DEALS.values():
        request = {"hands": [hand.split() for hand in hands], "boneyard": boneyard.split()}
        assert table.refuses(do="deal", **request) == ("bad_deal", None)


@pytest.mark.parametrize("extra", [{"aside": ["6-2"]}, {"start": ["H(0,0)=6-2"]}])
def test_bad_deal__with_what_the_rules_do_not_deal(table: RefereeClient, extra: dict[str, Any]) -> None:
    request = {"hands": [hand.split() for hand in HANDS], "boneyard": BAZAAR.split()[:-1]}
    assert table.refuses(do="deal", **request, **extra) == ("bad_deal", None)


@pytest.mark.parametrize("lead", [0, 1, 7, "x", None])
def test_a_needless_lead_is_ignored(table: RefereeClient, lead: object) -> None:
    state = table.do("deal", hands=[hand.split() for hand in HANDS], boneyard=BAZAAR.split(), lead=lead)
    assert state["to_move"] == 1


def test_void_deal__cites_the_rule(table: RefereeClient) -> None:
    doubles = "0-0 1-1 2-2 3-3 4-4 6-5 2-1"
    rest = [f"{high}-{low}" for high in range(7) for low in range(high + 1) if f"{high}-{low}" not in doubles.split()]
    other = rest[1::3][:7]
    boneyard = [tile for tile in rest if tile not in other]
    error = table.refuses(do="deal", hands=[doubles.split(), other], boneyard=boneyard)
    assert error == ("void_deal", "kozel.redeal")


@pytest.mark.parametrize(
    "request_", [{"do": "deal"}, {"do": "deal", "seed": "x"}, {"do": "standing"}, {"do": "standing", "standing": []}]
)
def test_round_running__before_the_types(running: RefereeClient, request_: dict[str, Any]) -> None:
    assert running.refuses(**request_) == ("round_running", None)


@pytest.mark.parametrize("request_", [{}, {"seat": 0, "move": "6-4"}, {"seat": "x", "move": None}])
def test_round_over__before_the_types(table: RefereeClient, request_: dict[str, Any]) -> None:
    assert table.refuses(do="move", **request_) == ("round_over", None)
    table.do("deal", seed="x")
    table.play_out()
    assert table.refuses(do="move", **request_) == ("round_over", None)


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "move"},
        {"do": "move", "seat": 0, "move": "6-4"},
        {"do": "deal"},
        {"do": "deal", "seed": "x"},
        {"do": "standing"},
    ],
)
def test_match_over__before_all(over: RefereeClient, request_: dict[str, Any]) -> None:
    assert over.refuses(**request_) == ("match_over", None)


def test_move__types_before_the_turn(running: RefereeClient) -> None:
    requests: list[dict[str, Any]] = [{}, {"seat": 1}, {"move": "3-3"}]
    requests += [{"seat": seat, "move": "3-3"} for seat in (True, 1.0, "1", None)]
    requests += [{"seat": 1, "move": move} for move in (33, ["3-3"], None)]
    for request_ in requests:
        assert running.refuses(do="move", **request_) == ("bad_request", None)


@pytest.mark.parametrize("seat", [0, 2, -1, 10**30])
@pytest.mark.parametrize("move", ["3-3", "6-6", "what?"])
def test_not_your_turn__before_what_can_be_read(running: RefereeClient, seat: int, move: str) -> None:
    assert running.refuses(do="move", seat=seat, move=move) == ("not_your_turn", None)


def test_bad_move__cannot_be_read(running: RefereeClient) -> None:
    for move in [
        "", "what?", "3", "3-", "3-3-3", "7-1", "3-3 up", "3-3 LEFT", "3-3  left", " 3-3", "3-3 ", "3-3\n", "-3-3",
        "+3-3", "3-3 left right", "Draw", "pass ", "３-３", "U(0,0)=4/4/5", "H(0,0)=3-3", "x" * 100_000, "3-3\x00",
    ]:  # fmt: skip
        assert running.refuses(do="move", seat=1, move=move) == ("bad_move", None)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("6-3", "kozel.lead_first"),
        ("6-6", "kozel.lead_first"),
        ("3-3 left", "kozel.turn"),
        ("draw", "kozel.must_play"),
        ("pass", "kozel.must_play"),
    ],
)
def test_illegal_move__cites_the_rule(running: RefereeClient, move: str, rule: str) -> None:
    assert running.refuses(do="move", seat=1, move=move) == ("illegal_move", rule)


def test_refusals_name_only_tiles_of_the_actor(running: RefereeClient) -> None:
    """Whatever one seat tries, the sentence is the same whether or not the tile exists elsewhere."""
    texts = set()
    for high in range(7):
        for low in range(high + 1):
            answer = running.ask(do="move", seat=1, move=f"{high}-{low} left")
            texts.add((answer["rule"], answer["text"]))
    assert len(texts) == 2  # kozel.lead_first and, for 3-3 itself, kozel.turn
    assert not any(character.isdigit() for _, text in texts for character in text)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from(["do", "variant", "seats", "options", "hands", "boneyard", "seed", "seat", "move", "standing",
                         "pot", "depth", "lead", "start", "aside"])  # fmt: skip
GOOD = st.sampled_from(["new", "deal", "move", "standing", "state", "variants", "kozel", 2, 3, 0, 1, "draw", "pass",
                        "6-4", "6-4 left", "1-1", "x", {"fish": "one"}, ["0", "0"], [["6-4"], []]])  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {}, optional=dict.fromkeys(("do", "variant", "seats", "seed", "seat", "move"), GOOD | JUNK)
        )
        | st.dictionaries(NAMES, GOOD | JUNK, max_size=5)
        | JUNK,
        max_size=12,
    )
)
def test_every_request_is_answered(requests: list[object]) -> None:
    table = RefereeClient()
    table.do("new", variant="kozel", seats=2)
    table.do("deal", seed="x")
    for request in requests:
        if isinstance(request, dict) and request.get("do") == "perft":
            continue  # a depth of millions is a fair question that takes its time
        answer = table.line(json.dumps(request).encode())
        assert answer["ok"] in (True, False)
        assert table.ask(do="state")["ok"]
