"""The worked examples are those of the rule files, by their ids there."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.ending import Ending
from games.engine.layout.line import Line
from games.engine.moves import Draw
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.variants.all_fives import round_to_five
from games.examples import examples_of
from games.examples.lines import CLOSED_LINE, CLOSED_LINE_WITHOUT_DOUBLE, line_from_text
from games.examples.placements import PlacementExample
from games.examples.positions import ScoreColumn, position_at_end
from tests.engine.positions import legal, move
from tests.engine.positions import position as in_play

GAMEZZ = rules_for("gamezz")
FIVES = rules_for("all_fives")
GOAT = examples_of("gamezz")
FIVE = examples_of("all_fives")


def scores(columns: tuple[ScoreColumn, ...]) -> list[tuple[int, int]]:
    return [(column.points.total, column.after.points) for column in columns]


def counts(rows: tuple[Any, ...]) -> list[tuple[str, int]]:
    return [(term.text, row.points.total) for row in rows for term in row.points.terms]


class TestClassicGoat:
    def test_g01_the_line(self) -> None:
        laid = GOAT["line"]
        assert [placed.left_half for placed in laid.tiles] + [laid.right_end] == [1, 1, 5, 3, 2]
        assert (laid.tiles[0].order, laid.left_end) == (0, 1)

    def test_g02_to_g05_the_order_of_leads(self) -> None:
        assert GOAT["lead_order"][:9] == ((0, 0), (6, 6), (5, 5), (4, 4), (3, 3), (2, 2), (1, 1), (6, 5), (6, 4))

    def test_g07_what_is_drawn_until_it_fits(self) -> None:
        hands = ["0-0 3-2", "6-6"]
        state = in_play(GAMEZZ, hands=hands, laid="1-4", boneyard="5-5 6-3 4-2 6-0")
        for _ in range(3):
            assert GAMEZZ.legal_moves(state) == (Draw(),)
            state = move(GAMEZZ, state, "draw")
        assert legal(GAMEZZ, state) == ["4-2 right"]

    def test_g08_going_out(self) -> None:
        assert scores(GOAT["out"]) == [(0, 0), (12, 12), (10, 10), (5, 5)]

    def test_g10_a_block(self) -> None:
        assert scores(GOAT["block"]) == [(6, 6), (19, 19), (37, 37), (0, 0)]
        assert ends(GOAT["blocked"], "6-6").reason == "blocked"

    def test_the_double_in_a_hand_keeps_the_line_open(self) -> None:
        assert GOAT["not_blocked"] == line_from_text(CLOSED_LINE_WITHOUT_DOUBLE)
        assert ends(line_from_text(CLOSED_LINE_WITHOUT_DOUBLE), "2-2") is None

    def test_g15_the_end(self) -> None:
        assert scores(GOAT["end"]) == [(6, 101), (10, 70), (12, 100), (0, 40)]


def ends(laid: Line, hand: str) -> Ending | None:
    """Return how the round ends once the second of two, who holds a tile more, has laid the last tile of the line."""
    return GAMEZZ.ending(position_at_end(GAMEZZ, (hand, "6-6"), (0, 0), layout=laid), 1)


class TestAllFives:
    def test_a02_rounding(self) -> None:
        assert [round_to_five(pips) for pips in (7, 17, 3, 22)] == [5, 15, 5, 20]

    def test_a04_leads(self) -> None:
        assert counts(FIVE["leads"]) == [
            ("2 × 5 = 10", 10),
            ("6 + 4 = 10", 10),
            ("5 + 0 = 5", 5),
            ("5 + 4 = 9", 0),
            ("2 × 6 = 12", 0),
        ]

    def test_a07_four_arms(self) -> None:
        assert counts(FIVE["cross_counts"]) == [
            ("2 × 6 = 12", 0),
            ("3 + 2 × 6 = 15", 15),
            ("3 + 1 = 4", 0),
            ("3 + 1 + 4 = 8", 0),
            ("3 + 1 + 4 + 2 = 10", 10),
        ]
        assert dict(FIVE["cross"].ends) == {"left": 3, "right": 1, "up": 4, "down": 2}

    def test_a08_the_ends_of_the_spinner_open_with_its_second_side(self) -> None:
        assert set(dict(FIVE["closed_ends"].ends)) == {"left", "right"}
        assert set(dict(FIVE["open_ends"].ends)) == {"left", "right", "up", "down"}

    def test_a10_a_later_double_is_no_spinner(self) -> None:
        assert [points for _, points in counts(FIVE["later_double_counts"])] == [10, 0, 0, 10]
        assert FIVE["later_double"].spinner.tile == (5, 5)

    def test_a15_the_end_of_a_round(self) -> None:
        assert scores(FIVE["out"]) == [(0, 45), (-15, 15)]

    def test_the_winner_collects(self) -> None:
        """13 pips make 15. After the block: 12 + 11 - 1 = 22 make 20."""
        assert scores(FIVE["collected"]) == [(15, 60), (0, 30)]
        assert scores(FIVE["block_collected"]) == [(20, 80), (0, 85), (0, 40)]

    def test_after_a_block_everybody_pays(self) -> None:
        """1 pip makes 0, 12 make 10, 11 make 10."""
        assert scores(FIVE["block"]) == [(0, 60), (-10, 75), (-10, 30)]

    def test_the_blocked_table_has_every_two(self) -> None:
        laid = FIVE["blocked"]
        assert {value for _, value in laid.ends} == {2}
        assert sum(2 in placed.tile for placed in laid.tiles) == 7
        assert len(laid.tiles) == len(CLOSED_LINE.split())

    def test_partners_pay_hand_by_hand(self) -> None:
        """7 pips make 5; 17 and 3 make 15 and 5."""
        assert scores(FIVE["partners"]) == [(-5, 55), (-20, 55)]

    def test_a20_what_is_drawn_until_it_fits(self) -> None:
        state = self.drawn(in_play(FIVES, hands=["1-0 6-6", "5-4"], laid="4-3", boneyard="5-5 2-0 6-4 1-1"))
        assert legal(FIVES, state) == ["6-4 left"]
        assert FIVES.move_points(state, FIVES.parse_move(state, "6-4 left")).total == 0  # 6 + 3

    def drawn(self, state: State) -> State:
        while FIVES.legal_moves(state) == (Draw(),):
            state = move(FIVES, state, "draw")
        return state

    def test_a21_the_target_ends_the_match_at_once(self) -> None:
        state = move(FIVES, in_play(FIVES, hands=["6-4 6-6", "6-5 1-1"], standing=[240, 245]), "6-4")
        assert state.match_over
        assert [standing.points for standing in state.standing] == [250, 245]


TRIOMINOES = examples_of("triominoes")
RYTMINO = examples_of("rytmino")


def reckoned(example: PlacementExample) -> tuple[int, ...]:
    """Return the terms of a placement and their sum."""
    return (*(term.value for term in example.points.terms), example.points.total)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("plain", (12, 12)), ("bridge", (3, 40, 43)), ("hexagon", (14, 50, 64)), ("two_hexagons", (8, 60, 68))],
)
def test_t07_t12_t15_t17_what_a_placement_scores(name: str, numbers: tuple[int, ...]) -> None:
    assert reckoned(TRIOMINOES[name]) == numbers
    assert not TRIOMINOES[name].refusing_rule


@pytest.mark.parametrize(
    ("name", "rule"),
    [("mirrored", "rotation"), ("wrong_corner", "corners"), ("no_edge", "edge"), ("no_bridge", "corners")],
)
def test_t08_t09_t10_t13_what_is_refused(name: str, rule: str) -> None:
    assert TRIOMINOES[name].refusing_rule == f"triominoes.{rule}"


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
    assert lines[2, 4, 3].numbers_after == (1, 2, 5)
    assert lines[5, 2, 3, 5].numbers_after == (2,)
    assert (lines[4, 2, 1, 3, 5].numbers_before, lines[4, 2, 1, 3, 5].numbers_after) == ((5,), (4,))
    assert (lines[5, 5].numbers_before, lines[5, 5].numbers_after) == ((5,), (5,))
    assert lines[4, 2, 1, 3].numbers_after == (4, 5)
    assert lines[2, 4].numbers_after == (1, 2, 3, 5)


def test_endless_rhythm_continues_as_captioned() -> None:
    (string,) = RYTMINO["endless"]
    assert (string.numbers_before, string.numbers_after) == ((3,), (4,))


def test_r10_invalid_rhythms() -> None:
    assert [(example.numbers_before, example.numbers_after) for example in RYTMINO["broken"]] == [((), ())] * 3


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
    assert RYTMINO[name].refusing_rule == f"rytmino.{rule}"


def test_tiles_left_in_hand_cost_25_and_a_double_5() -> None:
    assert [column.points.total for column in RYTMINO["left_in_hand"]] == [-25 - 5, -25]
