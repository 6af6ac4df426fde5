"""Rytmino, rhythms and placing: each rule has a test named for it, here or in test_rytmino_*.py."""

from __future__ import annotations

from itertools import product

import pytest

from games.engine.events import Played, Term
from games.engine.layout.grid import Grid, GridLine
from games.engine.layout.rhythm import (
    VALUES,
    is_rhythmic,
    number_bit,
    number_pairs_fitting_between,
    numbers_fitting_between,
    pair_bit,
)
from games.engine.layout.slots import Slot
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.refusal import Refusal
from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.positions import board, layout_of, legal, move_events, position, refused
from tests.variants import naive_rytmino as naive

RYTMINO = rules_for("rytmino")
P0 = "H(0,0)=2-4 H(0,1)=3-1"
R16 = "V(-1,0)=2-4 H(0,2)=1-2 V(-2,0)=3-1"
R17 = "V(2,0)=5-2 H(0,2)=5-3"


def holding(hand: str, laid: str = "", start: str = P0) -> State:
    """Return the position in which seat 0 holds this hand and more."""
    return position(RYTMINO, hands=[f"{hand} 1-1", "2-2 4-4"], laid=laid, start=start)


def grid(text: str) -> Grid:
    """Return the grid with these placements, legal or not."""
    laid: Grid = board(RYTMINO.layout, text)
    return laid


def right_of(text: str) -> list[int]:
    """Return the numbers that extend a line at its right end."""
    line = tuple(map(int, text.split("-")))
    return [number for number in VALUES if numbers_fitting_between(line, ()) & number_bit(number)]


def left_of(text: str) -> list[int]:
    line = tuple(map(int, text.split("-")))
    return [number for number in VALUES if numbers_fitting_between((), line) & number_bit(number)]


def points(state: State, text: str) -> tuple[str, int]:
    """Return the sum and the points of a placement."""
    (played, *_) = move_events(RYTMINO, state, text)
    assert isinstance(played, Played)
    (term,) = played.points.terms
    assert term == Term("rytmino.product", term.text, played.points.total)
    return term.text, term.value


def test_rytmino_set__two_copies_of_fifteen_tiles_without_blanks_and_sixes() -> None:
    assert len(RYTMINO.tile_set) == 30
    assert set(RYTMINO.tile_set) == {(high, low) for high in range(1, 6) for low in range(1, high + 1)}
    assert all(RYTMINO.tile_set.count(tile) == 2 for tile in RYTMINO.tile_set)


def test_rytmino_set__two_copies_in_a_hand_make_one_move() -> None:
    one, both = holding("5-2"), holding("5-2 5-2")
    assert legal(RYTMINO, one) == legal(RYTMINO, both)


# Lines and rhythms

RIGHT_ENDS = {
    "R-01": ("2-4-3", [1, 2, 5]),
    "R-02": ("5-2-3-5", [2]),
    "R-04": ("4-2-1-3-5", [4]),
    "R-05": ("5-5", [5]),
    "R-07": ("4-2-1-3", [4, 5]),
    "R-08 one": ("2", [1, 2, 3, 4, 5]),
    "R-08 two": ("2-4", [1, 2, 3, 5]),
}


@pytest.mark.parametrize(("line", "numbers"), RIGHT_ENDS.values(), ids=RIGHT_ENDS)
def test_rytmino_rhythm__what_goes_on_at_the_right_end(line: str, numbers: list[int]) -> None:
    assert right_of(line) == numbers


@pytest.mark.parametrize(
    ("line", "numbers"), [("4-2-1-3-5", [5]), ("5-5", [5]), ("5-3-2-5", [2]), ("3-4-2", [1, 2, 5])]
)
def test_rytmino_rhythm__the_left_end_is_its_mirror_image(line: str, numbers: list[int]) -> None:
    """R-03, R-05, and R-02 and R-01 from the other side."""
    assert left_of(line) == numbers
    assert right_of(line[::-1]) == numbers


def test_rytmino_rhythm__a_window_of_an_endless_repetition() -> None:
    """R-10."""
    for line in ("2-4-3-2-4", "1-2-3-4-5-1", "5-5-5", "1", "1-2", "4-4"):
        assert is_rhythmic(tuple(map(int, line.split("-"))))
    for line in ("2-4-3-4", "2-4-3-3", "1-2-3-4-5-2", "5-5-4"):
        assert not is_rhythmic(tuple(map(int, line.split("-"))))


@pytest.mark.parametrize("length", range(1, 8))
def test_rytmino_rhythm__every_sequence_as_the_endless_repetitions_say(length: int) -> None:
    for line in product(VALUES, repeat=length):
        assert is_rhythmic(line) == (line in naive.RHYTHMS[length])


def test_rytmino_rhythm__what_fits_between_two_parts_is_what_makes_one_rhythm() -> None:
    parts = [tuple(part) for length in range(4) for part in product((1, 2, 3), repeat=length)]
    for before, after in product(parts, repeat=2):
        length = len(before) + len(after)
        for number in VALUES:
            fits = (*before, number, *after) in naive.RHYTHMS[length + 1]
            assert bool(numbers_fitting_between(before, after) & number_bit(number)) == fits
        for pair in ((1, 2), (4, 4), (5, 3)):
            fits = (*before, *pair, *after) in naive.RHYTHMS[length + 2]
            assert bool(number_pairs_fitting_between(before, after) & pair_bit(*pair)) == fits


def test_rytmino_line__a_maximal_run_in_a_row_or_a_column() -> None:
    """H(-2,2)=4-3 of R-16: its row runs on to the right, its columns up."""
    laid = grid(f"H(0,0)=1-5 H(0,1)=1-4 {R16}")
    assert laid.extended(Slot("H", -2, 2)) == (
        GridLine("H", -2, 2, 4),
        GridLine("V", -2, 0, 3),
        GridLine("V", -1, 0, 3),
    )


def test_rytmino_line__ends_at_a_free_cell() -> None:
    laid = grid("H(0,0)=1-2 H(4,0)=1-2 H(3,1)=4-5")
    assert laid.extended(Slot("H", 2, 0)) == (GridLine("H", 0, 0, 6), GridLine("V", 3, 0, 2))
    assert laid.extended(Slot("V", 2, 0)) == (GridLine("H", 0, 0, 3), GridLine("H", 2, 1, 3))


# Placing


def test_rytmino_free__both_cells_are_empty() -> None:
    state = holding("5-2")
    for text in ("V(1,1)=5-2", "V(0,-1)=5-2", "H(1,0)=5-2"):
        assert refused(RYTMINO, state, text) == ("illegal_move", "rytmino.free")


def test_rytmino_valid__every_line_stays_rhythmic() -> None:
    """R-15: 2-4-4."""
    assert refused(RYTMINO, holding("4-2"), "V(2,0)=4-2") == ("illegal_move", "rytmino.valid")


APART = "H(3,0)=4-2 H(3,1)=3-1"  # next to P0, one column away


def test_rytmino_valid__a_joined_line_is_rhythmic_in_its_full_new_length() -> None:
    """3 would go on after 2-4 and before 4-2, but 2-4-3-4-2 is no rhythm; 2-4-2-4-2 is."""
    state = holding("4-2 4-3", APART)
    assert refused(RYTMINO, state, "V(2,0)=3-4") == ("illegal_move", "rytmino.valid")
    assert "V(2,0)=2-4" in legal(RYTMINO, state)


def test_rytmino_two__a_tile_extends_at_least_two_lines() -> None:
    """R-14: row 0 only."""
    assert refused(RYTMINO, holding("5-1"), "H(2,0)=5-1") == ("illegal_move", "rytmino.two")
    assert refused(RYTMINO, holding("5-1"), "H(7,7)=5-1") == ("illegal_move", "rytmino.two")


def test_rytmino_two__one_old_cell_is_enough() -> None:
    """V(2,0) extends two rows of two; H(1,2) the column of 4-1 and, one cell long, that of V(2,0)."""
    state = holding("5-2 2-1", "V(2,0)=5-2")
    assert "H(1,2)=2-1" in legal(RYTMINO, state)


@pytest.mark.parametrize("text", ["H(0,3)=1-2", "H(0,-1)=1-5"])
def test_rytmino_stack__no_fourth_side_by_side(text: str) -> None:
    """R-17a."""
    state = holding("2-1 5-1", R17)
    assert refused(RYTMINO, state, text) == ("illegal_move", "rytmino.stack")


def test_rytmino_stack__three_may_and_shifted_ones_do_not_count() -> None:
    assert "H(0,2)=5-3" in legal(RYTMINO, holding("5-3"))
    state = holding("2-1", R17)
    assert not layout_of(state, Grid).is_stacked(Slot("H", 1, 3))
    assert not layout_of(state, Grid).is_stacked(Slot("V", 0, 3))


def test_rytmino_stack__counts_both_sides_and_columns_too() -> None:
    laid = grid("V(0,0)=1-2 V(1,0)=2-3 V(3,0)=3-4")
    assert laid.is_stacked(Slot("V", 2, 0))
    assert not grid("V(0,0)=1-2 V(1,0)=2-3 V(3,1)=3-4").is_stacked(Slot("V", 2, 0))
    assert not laid.is_stacked(Slot("V", -1, 0))


# Points


def test_rytmino_product__of_the_two_lines() -> None:
    """R-12: rows 2-4-5 and 3-1-2."""
    assert points(holding("5-2"), "V(2,0)=5-2") == ("3 × 3", 9)


def test_rytmino_product__doubled_by_a_double() -> None:
    """R-13."""
    assert points(holding("5-5"), "V(2,0)=5-5") == ("(3 × 3) × 2", 18)


def test_rytmino_product__of_three_lines() -> None:
    """R-16: 9, 9, 16, then 4 x 3 x 3."""
    start = "H(0,0)=1-5 H(0,1)=1-4"
    laid = ""
    for text, total in {"V(-1,0)=2-4": 9, "H(0,2)=1-2": 9, "V(-2,0)=3-1": 16, "H(-2,2)=4-3": 36}.items():
        tile = text.partition("=")[2]
        assert points(holding(tile, laid, start), text)[1] == total
        laid = f"{laid} {text}"
    assert points(holding("4-3", R16, start), "H(-2,2)=4-3")[0] == "4 × 3 × 3"


def test_rytmino_product__a_joined_line_counts_once_with_its_whole_length() -> None:
    """Rows 2-4-2-4-2 and 3-1-4-3-1."""
    assert points(holding("4-2", APART), "V(2,0)=2-4") == ("5 × 5", 25)


# For viewers of the table


def test_rytmino_valid__a_dead_cell_allows_no_number() -> None:
    """R-06: the row 4-2-3 wants 1, 4 or 5, the column 3-3 wants 3."""
    laid = grid("H(0,0)=4-2 V(2,0)=3-1 V(3,-2)=3-3")
    assert laid.numbers_allowed_on_cell((3, 0)) == ()
    assert grid("H(0,0)=4-2 V(2,0)=3-1").numbers_allowed_on_cell((3, 0)) == (1, 4, 5)
    assert laid.border()[3, 0] == ()


def test_rytmino_valid__the_border_names_every_free_cell_beside_the_tiles() -> None:
    border = grid(P0).border()
    assert list(border) == [(0, -1), (1, -1), (-1, 0), (2, 0), (-1, 1), (2, 1), (0, 2), (1, 2)]
    assert border[2, 0] == (1, 2, 3, 5)  # after 2-4
    assert border[0, -1] == (1, 3, 4, 5)  # before 2-3


def test_rytmino_stack__the_slots_that_it_closes_are_named() -> None:
    assert grid(f"{P0} {R17}").slots_closed_by_stack_rule() == (Slot("H", 0, -1), Slot("H", 0, 3))
    assert grid(P0).slots_closed_by_stack_rule() == ()


# Text


def test_rytmino__moves_are_written_as_the_protocol_says() -> None:
    state = holding("5-2")
    play = Play((5, 2), "V(2,0)=2-5")
    written: dict[str, Move] = {"draw": Draw(), "pass": Pass(), "V(2,0)=2-5": play}
    for text, expected in written.items():
        assert RYTMINO.move_text(expected) == text
        assert RYTMINO.parse_move(state, text) == expected


def test_rytmino__what_is_no_move_cannot_be_read() -> None:
    for text in [
        "", "5-2", "5-2 left", "V(2,0)", "V(2,0)=5", "V(2,0)=5-2-1", "v(2,0)=5-2", "V(2,0)=5/2", "V(02,0)=5-2",
        "V(-0,0)=5-2", "V(+2,0)=5-2", "V(2, 0)=5-2", "V(2,0)=5-2 ", "V(9999999,0)=5-2", "V(2,0)=0-2", "V(2,0)=5-6",
        "V(\u0662,0)=5-2", "Pass",
    ]:  # fmt: skip
        with pytest.raises(Refusal) as caught:
            RYTMINO.parse_move(holding("5-2"), text)
        assert caught.value.code == "bad_move"


def test_rytmino__a_tile_that_is_not_in_the_hand_is_refused_wherever_it_lies() -> None:
    for text in ("V(2,0)=4-2", "V(2,0)=3-3", "H(0,0)=4-4"):
        assert refused(RYTMINO, holding("5-2"), text) == ("illegal_move", "rytmino.turn")


def test_rytmino__a_grid_is_what_its_tiles_are() -> None:
    one, same = grid(f"{P0} {R17}"), grid(f"{P0} {R17}")
    assert one == same
    assert hash(one) == hash(same)
    assert one != grid(P0)
