"""Geometry of the line: claims that hold for every line there can be."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.layout.line import Line
from games.engine.tiles import double_set, is_double
from games.geometry.line import arrange, spot_of_placement
from games.geometry.spots import HALF, ArrangedTile, Shape, Spot
from tests.games.geometry.halves import halves, overlap, touch


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """Lines as they grow in play, lopsided ones as likely as even ones."""
    rest = list(draw(st.permutations(double_set(6))))
    leaning = draw(st.sampled_from(["left", "right", "both"]))
    line = Line()
    for _ in range(draw(st.integers(0, 28))):
        fitting = [(tile, place) for tile in rest for place in line.places(tile)]
        preferred = [play for play in fitting if leaning == "both" or play[1] == leaning] or fitting
        if not preferred:
            break
        tile, place = preferred[0]
        rest.remove(tile)
        line = line.place(tile, place)
    return line


shapes = st.sampled_from(Shape)


def laid_in_order(line: Line, shape: Shape) -> list[ArrangedTile]:
    by_order = {laid.order: laid for laid in arrange(line, shape).tiles}
    return [by_order[placed.order] for placed in line.tiles]


@given(lines(), shapes)
def test_no_two_tiles_overlap(line: Line, shape: Shape) -> None:
    squares = [(laid.order, box) for laid in arrange(line, shape).tiles for _, box in halves(laid.tile, laid.spot)]
    for (tile, one), (other_tile, other) in combinations(squares, 2):
        assert tile == other_tile or not overlap(one, other)


@given(lines(), shapes)
def test_every_tile_is_inside_the_window(line: Line, shape: Shape) -> None:
    drawn = arrange(line, shape)
    x, y, width, height = drawn.window
    for laid in drawn.tiles:
        for _, box in halves(laid.tile, laid.spot):
            x0, top, right, bottom = box
            assert x <= x0
            assert right <= x + width
            assert y <= top
            assert bottom <= y + height


@given(lines(), shapes)
def test_neighbours_touch_with_the_halves_that_match(line: Line, shape: Shape) -> None:
    for one, other in pairwise(laid_in_order(line, shape)):
        assert any(
            touch(first, second)
            for value, first in halves(one.tile, one.spot)
            for matching, second in halves(other.tile, other.spot)
            if value == matching
        )


@given(lines(), shapes)
def test_a_tile_that_lies_never_moves(line: Line, shape: Shape) -> None:
    before = {laid.tile: laid.spot for laid in arrange(line, shape).tiles}
    for tile in set(double_set(6)) - set(before):
        for place in line.places(tile):
            after = {laid.tile: laid.spot for laid in arrange(line.place(tile, place), shape).tiles}
            assert before.items() <= after.items()


@given(lines(), shapes)
def test_a_tile_comes_to_lie_where_its_spot_was_shown(line: Line, shape: Shape) -> None:
    for tile in set(double_set(6)) - {placed.tile for placed in line.tiles}:
        for place in line.places(tile):
            after = {laid.tile: laid.spot for laid in arrange(line.place(tile, place), shape).tiles}
            assert after[tile] == spot_of_placement(line, tile, place, shape)


@given(lines(), shapes)
def test_both_halves_of_a_double_touch_the_tile_it_was_laid_to(line: Line, shape: Shape) -> None:
    for one, other in pairwise(laid_in_order(line, shape)):
        later, earlier = (one, other) if one.order > other.order else (other, one)
        if is_double(later.tile):
            across, end = halves(later.tile, later.spot), halves(earlier.tile, earlier.spot)
            assert all(any(touch(box, square) for _, square in end) for _, box in across)


@given(lines(), shapes)
def test_the_window_grows_by_whole_rows_and_never_sideways(line: Line, shape: Shape) -> None:
    x, _, width, height = arrange(line, shape).window
    empty = arrange(Line(), shape).window
    assert (x, width) == (empty[0], empty[2])
    assert height >= empty[3]
    assert (height - empty[3]) % (3 * HALF) in (
        0,
        HALF,
        2 * HALF,
    )  # a row more, or less an end that has not left its own


@pytest.mark.parametrize(("shape", "tiles"), [(Shape.TALL, 5), (Shape.EVEN, 8), (Shape.WIDE, 11)])
def test_rows_are_as_long_as_the_felt_suggests(shape: Shape, tiles: int) -> None:
    values = [*range(7), *range(0, 7, 2), 1, 3, 5, 0, 3, 6, 2, 5, 1, 4]
    line = Line()
    for number, (x0, right) in enumerate(pairwise(values)):
        tile = (max(x0, right), min(x0, right))
        line = line.place(tile, "right" if number else "")
    spots = [laid.spot for laid in laid_in_order(line, shape)]
    rows = [sum(spot.y == y and spot.angle % 180 == 0 for spot in spots) for y in {spot.y for spot in spots}]
    assert max(rows) in (tiles - 1, tiles)  # the corners take a half at each end


def test_tiles_are_large_on_a_phone_until_the_line_is_long() -> None:
    _, _, width, height = arrange(Line(), Shape.TALL).window
    assert 2 * HALF * min(344 / width, 342 / height) >= 60  # the felt in a window of 360 x 740


def test_a_lead_lies_in_the_middle_doubles_upright() -> None:
    assert arrange(Line().place((6, 4), "")).tiles[0].spot == Spot(0, 0, 0)
    assert arrange(Line().place((6, 6), "")).tiles[0].spot == Spot(0, 0, 90)


def test_the_matching_half_is_turned_to_the_line() -> None:
    line = Line().place((6, 4), "")
    assert spot_of_placement(line, (4, 1), "right") == Spot(2 * HALF, 0, 0)
    assert spot_of_placement(line, (6, 1), "left") == Spot(-2 * HALF, 0, 180)
    assert spot_of_placement(line, (4, 4), "right") == Spot(3 * HALF // 2, 0, 90)


def test_a_full_row_turns_down_to_the_right_and_up_to_the_left() -> None:
    line = Line().place((5, 5), "")
    for tile in ((5, 4), (4, 3), (3, 2)):
        line = line.place(tile, "right")
    assert spot_of_placement(line, (2, 1), "right").y > 0
    for tile in ((6, 5), (6, 0), (1, 0)):
        line = line.place(tile, "left")
    assert spot_of_placement(line, (2, 1), "left").y < 0
