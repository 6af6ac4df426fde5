"""The line of play."""

from __future__ import annotations

import pytest

from games.engine.layout.line import Line, LineTile
from tests.engine.positions import line, tile


def test_an_empty_line_takes_a_lead_only() -> None:
    assert Line().places((6, 4)) == ("",)
    assert (Line().left_end, Line().right_end, Line().tiles) == (None, None, ())


def test_a_lead_lies_with_its_higher_half_to_the_left() -> None:
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


def test_the_order_of_laying_is_kept() -> None:
    laid = Line().place((6, 4), "").place((6, 1), "left").place((4, 3), "right")
    assert [(placed.tile, placed.order) for placed in laid.tiles] == [((6, 1), 1), ((6, 4), 0), ((4, 3), 2)]


@pytest.mark.parametrize(
    ("text", "places"),
    [("6-1", ("left",)), ("3-0", ("right",)), ("6-3", ("left", "right")), ("5-5", ()), ("6-6", ("left",))],
)
def test_a_tile_may_lie_where_a_half_fits(text: str, places: tuple[str, ...]) -> None:
    assert line("6-4 4-3").places(tile(text)) == places


def test_equal_ends_are_two_places() -> None:
    assert line("6-4 4-6").places((6, 6)) == ("left", "right")


@pytest.mark.parametrize("text", ["6-4", "6-4 left", "4-4 right"])
def test_what_is_written_is_read(text: str) -> None:
    placement = Line().read(text)
    assert placement is not None
    assert Line().text(*placement) == text


def test_what_is_no_placement_is_not_read() -> None:
    for text in ["", "6", "6-4 up", "6-4left", "64", "6-4 left\n", "６-4"]:
        assert Line().read(text) is None
