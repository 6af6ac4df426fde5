"""The worked examples of Triominoes and Rytmino are those of the rule files, by the ids they have there."""

from __future__ import annotations

import pytest

from games.examples import examples_of
from games.examples.placements import Placement

TRIOMINOES = examples_of("triominoes")
RYTMINO = examples_of("rytmino")


def reckoned(example: Placement) -> tuple[int, ...]:
    """Return the terms of a placement and their sum."""
    return (*(term.value for term in example.points.terms), example.points.total)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("plain", (12, 12)), ("bridge", (3, 40, 43)), ("hexagon", (14, 50, 64)), ("two_hexagons", (8, 60, 68))],
)
def test_t07_t12_t15_t17_what_a_placement_scores(name: str, numbers: tuple[int, ...]) -> None:
    assert reckoned(TRIOMINOES[name]) == numbers
    assert not TRIOMINOES[name].refused


@pytest.mark.parametrize(
    ("name", "rule"),
    [("mirrored", "rotation"), ("wrong_corner", "corners"), ("no_edge", "edge"), ("no_bridge", "corners")],
)
def test_t08_t09_t10_t13_what_is_refused(name: str, rule: str) -> None:
    assert TRIOMINOES[name].refused == f"triominoes.{rule}"


@pytest.mark.parametrize(
    ("name", "leads"),
    [("triple", {(4, 4, 4): 22}), ("zero", {(5, 5, 5): 25, (0, 0, 0): 40}), ("no_triple", {(4, 4, 5): 13})],
)
def test_t02_t04_t05_what_may_be_led(name: str, leads: dict[tuple[int, ...], int]) -> None:
    assert {tile: points.total for (tile,), points in TRIOMINOES[name]} == leads


def test_t27_going_out_brings_25_and_the_other_hands() -> None:
    assert [[term.value for term in column.points.terms] for column in TRIOMINOES["out"]] == [[25, 14, 15], [], []]


def test_a_blocked_round_brings_the_other_hands_less_the_own() -> None:
    assert [column.points.total for column in TRIOMINOES["blocked"]] == [0, 11 + 15 - 7, 0]


def test_r01_to_r08_how_a_line_may_go_on() -> None:
    lines = {example.numbers: example for name in ("open", "fixed") for example in RYTMINO[name]}
    assert lines[2, 4, 3].after == (1, 2, 5)
    assert lines[5, 2, 3, 5].after == (2,)
    assert (lines[4, 2, 1, 3, 5].before, lines[4, 2, 1, 3, 5].after) == ((5,), (4,))
    assert (lines[5, 5].before, lines[5, 5].after) == ((5,), (5,))
    assert lines[4, 2, 1, 3].after == (4, 5)
    assert lines[2, 4].after == (1, 2, 3, 5)


def test_the_endless_string_goes_on_as_its_caption_says() -> None:
    (string,) = RYTMINO["endless"]
    assert (string.before, string.after) == ((3,), (4,))


def test_r10_what_is_no_rhythm() -> None:
    assert [(example.before, example.after) for example in RYTMINO["broken"]] == [((), ())] * 3


def test_r06_a_dead_square() -> None:
    assert [cell for cell, numbers in RYTMINO["dead"].border().items() if not numbers] == [(3, 0)]


@pytest.mark.parametrize(
    ("name", "terms", "total"),
    [
        ("two_lines", "3 × 3", 9),
        ("double", "(3 × 3) × 2", 18),
        ("three_lines", "4 × 3 × 3", 36),
        ("joined", "5 × 4", 20),
    ],
)
def test_r12_r13_r16_what_a_placement_scores(name: str, terms: str, total: int) -> None:
    assert [(term.text, term.value) for term in RYTMINO[name].points.terms] == [(terms, total)]


@pytest.mark.parametrize(("name", "rule"), [("wrong", "valid"), ("one_line", "two"), ("stacked", "stack")])
def test_r14_r15_r17_what_is_refused(name: str, rule: str) -> None:
    assert RYTMINO[name].refused == f"rytmino.{rule}"


def test_tiles_left_in_hand_cost_25_and_a_double_5() -> None:
    assert [column.points.total for column in RYTMINO["left_in_hand"]] == [-25 - 5, -25]
