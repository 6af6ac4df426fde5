"""The line of play, with and without a spinner."""

from __future__ import annotations

import pytest

from games.engine.layout.line import Line, LineTile
from games.engine.layout.spinner import SpinnerLine
from tests.engine.positions import board, line, tile


def test_empty_line_accepts_only_a_lead() -> None:
    assert Line().places((6, 4)) == ("",)
    assert (Line().left_end, Line().right_end, Line().tiles) == (None, None, ())


def test_the_higher_half_of_a_lead_faces_left() -> None:
    assert Line().place((6, 4), "") == Line((LineTile((6, 4), 6, 4, 0),), 6, 4)


def test_a_tile_is_turned_so_that_equal_halves_touch() -> None:
    for laid, text, place, after in [
        ("6-4", "6-1", "left", "1-6 6-4"),
        ("6-4", "6-6", "left", "6-6 6-4"),
        ("6-4", "4-3", "right", "6-4 4-3"),
        ("6-4", "5-4", "right", "6-4 4-5"),
        ("6-4", "4-4", "right", "6-4 4-4"),
        ("6-4", "6-4", "left", "4-6 6-4"),
        ("6-4", "6-4", "right", "6-4 4-6"),
        ("1-6 6-4 4-1", "3-1", "left", "3-1 1-6 6-4 4-1"),
        ("1-6 6-4 4-1", "3-1", "right", "1-6 6-4 4-1 1-3"),
    ]:
        placement, expected = line(laid).place(tile(text), place), line(after)
        assert [placed[:3] for placed in placement.tiles] == [placed[:3] for placed in expected.tiles]
        assert (placement.left_end, placement.right_end) == (expected.left_end, expected.right_end)


def test_order_of_plays_is_kept() -> None:
    laid = Line().place((6, 4), "").place((6, 1), "left").place((4, 3), "right")
    assert [(placed.tile, placed.order) for placed in laid.tiles] == [((6, 1), 1), ((6, 4), 0), ((4, 3), 2)]


@pytest.mark.parametrize(
    ("text", "places"),
    [("6-1", ("left",)), ("3-0", ("right",)), ("6-3", ("left", "right")), ("5-5", ()), ("6-6", ("left",))],
)
def test_a_tile_fits_ends_that_show_one_of_its_values(text: str, places: tuple[str, ...]) -> None:
    assert line("6-4 4-3").places(tile(text)) == places


def test_equal_ends_are_two_places() -> None:
    assert line("6-4 4-6").places((6, 6)) == ("left", "right")


def layout_with(text: str) -> SpinnerLine:
    """Return the layout with these placements: ``6-6, 6-3 left``."""
    layout: SpinnerLine = board(SpinnerLine(), text)
    return layout


def test_empty_spinner_line_accepts_only_a_lead() -> None:
    assert SpinnerLine().places((6, 4)) == ("",)
    assert SpinnerLine().ends == ()


def test_the_higher_half_of_a_lead_on_a_spinner_line_faces_left() -> None:
    assert SpinnerLine().place((6, 4), "") == SpinnerLine(line=(LineTile((6, 4), 6, 4, 0),))
    assert layout_with("6-4").ends == (("left", 6), ("right", 4))


def test_open_ends() -> None:
    for before, ends in [
        ("6-4, 6-1 left", {"left": 1, "right": 4}),
        ("6-4, 4-3 right", {"left": 6, "right": 3}),
        ("6-6", {"left": 6, "right": 6}),
        ("6-6, 6-3 left", {"left": 3, "right": 6}),
        ("6-6, 6-3 right", {"left": 6, "right": 3}),
        ("6-6, 6-3 left, 6-1 right", {"left": 3, "right": 1, "up": 6, "down": 6}),
        ("6-6, 6-3 left, 6-1 right, 6-4 up", {"left": 3, "right": 1, "up": 4, "down": 6}),
        ("6-6, 6-3 left, 6-1 right, 6-4 down, 4-4 down, 4-0 down", {"left": 3, "right": 1, "up": 6, "down": 0}),
        ("4-2, 4-4 left", {"left": 4, "right": 2}),
        ("4-2, 4-4 left, 4-1 left", {"left": 1, "right": 2, "up": 4, "down": 4}),
        ("5-5, 5-3 left, 3-3 left, 3-0 left", {"left": 0, "right": 5}),
        ("5-5, 5-3 left, 3-3 left, 3-0 left, 5-1 right", {"left": 0, "right": 1, "up": 5, "down": 5}),
    ]:
        assert dict(layout_with(before).ends) == ends


def test_spinner_is_the_first_double_played() -> None:
    assert layout_with("6-4, 6-1 left").spinner is None
    for before in ("5-5, 5-3 left, 3-3 left", "5-3, 5-5 left, 3-3 right"):
        spinner = layout_with(before).spinner
        assert spinner is not None
        assert spinner.tile == (5, 5)


def test_tiles_keep_their_order_in_four_arms() -> None:
    layout = layout_with("6-6, 6-3 left, 6-1 right, 6-4 up, 3-3 left, 5-4 up, 6-2 down")
    assert [placed.tile for placed in layout.line] == [(3, 3), (6, 3), (6, 6), (6, 1)]
    assert layout.line[1] == LineTile((6, 3), 3, 6, 1)
    assert layout.up == (LineTile((6, 4), 6, 4, 3), LineTile((5, 4), 4, 5, 5))
    assert layout.down == (LineTile((6, 2), 6, 2, 6),)
    assert sorted(placed.order for placed in layout.tiles) == list(range(7))


@pytest.mark.parametrize(
    ("text", "places"),
    [("6-4", ("up", "down")), ("3-1", ("left", "right")), ("6-1", ("right", "up", "down")), ("5-4", ())],
)
def test_a_tile_fits_open_ends_of_a_spinner_line(text: str, places: tuple[str, ...]) -> None:
    assert layout_with("6-6, 6-3 left, 1-6 right").places(tile(text)) == places


TEXTS = ("6-4", "6-4 left", "4-4 right")


@pytest.mark.parametrize(("layout", "texts"), [(Line(), TEXTS), (SpinnerLine(), (*TEXTS, "6-4 up", "4-4 down"))])
def test_placements_round_trip(layout: Line | SpinnerLine, texts: tuple[str, ...]) -> None:
    for text in texts:
        placement = layout.read(text)
        assert placement is not None
        assert layout.text(*placement) == text


def test_invalid_placements_are_refused() -> None:
    for text in ["", "6", "6-4 up", "6-4left", "64", "6-4 left\n", "６-4"]:
        assert Line().read(text) is None
    for text in ["", "6", "6-4 Up", "6-4up", "64", "6-4 up\n", "6-4 up down", "６-4"]:
        assert SpinnerLine().read(text) is None
