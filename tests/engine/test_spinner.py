"""The line of play with a spinner."""

from __future__ import annotations

import pytest

from games.engine.layout.line import LineTile
from games.engine.layout.spinner import SpinnerLine
from tests.engine.positions import board, tile


def laid(text: str) -> SpinnerLine:
    """Return the layout with these placements: ``6-6, 6-3 left``."""
    layout: SpinnerLine = board(SpinnerLine(), text)
    return layout


def test_an_empty_line_takes_a_lead_only() -> None:
    assert SpinnerLine().places((6, 4)) == ("",)
    assert SpinnerLine().ends == ()


def test_a_lead_lies_with_its_higher_half_to_the_left() -> None:
    assert SpinnerLine().place((6, 4), "") == SpinnerLine(line=(LineTile((6, 4), 6, 4, 0),))
    assert laid("6-4").ends == (("left", 6), ("right", 4))


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
        assert dict(laid(before).ends) == ends


def test_the_spinner_is_the_first_double_laid_led_or_not() -> None:
    assert laid("6-4, 6-1 left").spinner is None
    for before in ("5-5, 5-3 left, 3-3 left", "5-3, 5-5 left, 3-3 right"):
        spinner = laid(before).spinner
        assert spinner is not None
        assert spinner.tile == (5, 5)


def test_tiles_lie_in_four_arms_and_keep_their_order() -> None:
    layout = laid("6-6, 6-3 left, 6-1 right, 6-4 up, 3-3 left, 5-4 up, 6-2 down")
    assert [placed.tile for placed in layout.line] == [(3, 3), (6, 3), (6, 6), (6, 1)]
    assert layout.line[1] == LineTile((6, 3), 3, 6, 1)
    assert layout.up == (LineTile((6, 4), 6, 4, 3), LineTile((5, 4), 4, 5, 5))
    assert layout.down == (LineTile((6, 2), 6, 2, 6),)
    assert sorted(placed.order for placed in layout.tiles) == list(range(7))


@pytest.mark.parametrize(
    ("text", "places"),
    [("6-4", ("up", "down")), ("3-1", ("left", "right")), ("6-1", ("right", "up", "down")), ("5-4", ())],
)
def test_a_tile_may_lie_where_a_half_fits(text: str, places: tuple[str, ...]) -> None:
    assert laid("6-6, 6-3 left, 1-6 right").places(tile(text)) == places


@pytest.mark.parametrize("text", ["6-4", "6-4 left", "4-4 right", "6-4 up", "4-4 down"])
def test_what_is_written_is_read(text: str) -> None:
    layout = SpinnerLine().read(text)
    assert layout is not None
    assert SpinnerLine().text(*layout) == text


def test_what_is_no_placement_is_not_read() -> None:
    for text in ["", "6", "6-4 Up", "6-4up", "64", "6-4 up\n", "6-4 up down", "６-4"]:
        assert SpinnerLine().read(text) is None
