"""Geometry of the line with a spinner: claims that hold however lopsided it grows, and wherever the spinner lies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from random import Random

import pytest

from games.engine.layout.line import LineTile
from games.engine.layout.spinner import SpinnerLine
from games.engine.tiles import double_set, is_double
from games.geometry.spinner import arrange, spot_of_placement
from games.geometry.spots import HALF, ArrangedTile, Shape, Spot
from tests.games.geometry.halves import halves, overlap, touch

SEEDS = 90
PLACES = ("left", "right", "up", "down")


def grow_layout(seed: int) -> Iterator[SpinnerLine]:
    """Lay tiles until none fits: at one end as long as possible, then at another; often a double comes late."""
    random = Random(seed)
    rest = random.sample(double_set(6), 28)
    goal = [random.choice(PLACES) for _ in range(random.choice((1, 1, 2, 4, 28)))]
    singles = random.choice((0, 0, 3, 7, 12, 21))
    layout = SpinnerLine()
    while fitting := [(tile, place) for tile in rest for place in layout.places(tile)]:
        number = len(layout.tiles)
        if number < singles:
            fitting = [play for play in fitting if not is_double(play[0])] or fitting
        lean = goal[number * len(goal) // 28]
        tile, place = next((play for play in fitting if play[1] == lean), fitting[0])
        rest.remove(tile)
        layout = layout.place(tile, place)
        yield layout


@cache
def boards() -> tuple[tuple[SpinnerLine, ...], ...]:
    return tuple(tuple(grow_layout(seed)) for seed in range(SEEDS))


def line_and_arms(layout: SpinnerLine) -> list[tuple[LineTile, ...]]:
    """The line, and the arms from the spinner outward: in each, neighbours lie side by side."""
    if layout.spinner is None:
        return [layout.line]
    return [layout.line, (layout.spinner, *layout.up), (layout.spinner, *layout.down)]


def neighbours(layout: SpinnerLine) -> set[frozenset[int]]:
    return {frozenset((one.order, other.order)) for run in line_and_arms(layout) for one, other in pairwise(run)}


def by_order(layout: SpinnerLine, shape: Shape) -> dict[int, ArrangedTile]:
    return {laid.order: laid for laid in arrange(layout, shape).tiles}


in_every_shape = pytest.mark.parametrize("shape", Shape)


def test_there_are_boards_of_all_tiles_and_with_late_and_upright_spinners() -> None:
    last = [board[-1] for board in boards()]
    spinners = [layout.spinner for layout in last if layout.spinner]
    assert any(len(layout.tiles) == 28 for layout in last)
    assert any(len(arm) > 12 for layout in last for arm in (layout.up, layout.down))
    assert any(spinner.order > 12 for spinner in spinners)
    assert any(is_double(laid.tile) and laid.spot.angle == 0 for layout in last for laid in arrange(layout).tiles)


@in_every_shape
def test_no_two_tiles_overlap(shape: Shape) -> None:
    for board in boards():
        squares = [
            (laid.order, box) for laid in arrange(board[-1], shape).tiles for _, box in halves(laid.tile, laid.spot)
        ]
        for (tile, one), (other, two) in combinations(squares, 2):
            assert tile == other or not overlap(one, two), board[-1]


@in_every_shape
def test_only_neighbours_touch(shape: Shape) -> None:
    for board in boards():
        near = neighbours(board[-1])
        for one, other in combinations(arrange(board[-1], shape).tiles, 2):
            if frozenset((one.order, other.order)) not in near:
                pairs = [(a, b) for _, a in halves(one.tile, one.spot) for _, b in halves(other.tile, other.spot)]
                assert not any(touch(a, b) for a, b in pairs), board[-1]


@in_every_shape
def test_neighbours_touch_with_the_halves_that_match(shape: Shape) -> None:
    for board in boards():
        laid = by_order(board[-1], shape)
        for run in line_and_arms(board[-1]):
            for one, other in pairwise(run):
                assert any(
                    touch(first, second)
                    for value, first in halves(one.tile, laid[one.order].spot)
                    for matching, second in halves(other.tile, laid[other.order].spot)
                    if value == matching
                ), board[-1]


@in_every_shape
def test_a_tile_that_lies_never_moves_and_comes_to_lie_where_its_spot_was_shown(shape: Shape) -> None:
    for board in boards():
        for before, after in pairwise((SpinnerLine(), *board)):
            *laid, newest = arrange(after, shape).tiles
            assert list(arrange(before, shape).tiles) == laid
            places = [place for place in before.places(newest.tile) if before.place(newest.tile, place) == after]
            assert newest.spot in [spot_of_placement(before, newest.tile, place, shape) for place in places]


@in_every_shape
def test_every_tile_and_every_place_for_the_next_one_is_inside_the_window(shape: Shape) -> None:
    for board in boards():
        for layout in board:
            drawn = arrange(layout, shape)
            # A single tile and a double at each end: every other one lies like one of them.
            free = {(is_double(tile), place): tile for tile in double_set(6) for place in layout.places(tile)}
            spots = [spot_of_placement(layout, tile, place, shape) for (_, place), tile in free.items()]
            spots += [laid.spot for laid in drawn.tiles]
            x, y, width, height = drawn.window
            for spot in spots:
                for _, (x0, top, right, bottom) in halves((0, 1), spot):
                    assert x <= x0
                    assert y <= top
                    assert right <= x + width
                    assert bottom <= y + height


def test_the_arms_of_the_spinner_run_out_of_its_four_edges() -> None:
    layout = SpinnerLine()
    for tile, place in (((6, 6), ""), ((6, 3), "left"), ((6, 1), "right"), ((6, 4), "up"), ((6, 2), "down")):
        layout = layout.place(tile, place)
    assert [laid.spot for laid in arrange(layout).tiles] == [
        Spot(0, 0, 90),
        Spot(-3 * HALF // 2, 0, 180),
        Spot(3 * HALF // 2, 0, 0),
        Spot(0, -2 * HALF, 270),
        Spot(0, 2 * HALF, 90),
    ]


def test_later_doubles_lie_crosswise_and_go_on_from_their_side() -> None:
    layout = SpinnerLine()
    for tile, place in (((5, 5), ""), ((5, 3), "left"), ((3, 3), "left")):
        layout = layout.place(tile, place)
    assert arrange(layout).tiles[-1].spot == Spot(-3 * HALF, 0, 90)
    assert spot_of_placement(layout, (3, 0), "left") == Spot(-9 * HALF // 2, 0, 180)


# The table in windows of 360 x 740, 740 x 330 and 1366 x 650.
FELTS = {Shape.TALL: (344, 342), Shape.EVEN: (426, 198), Shape.WIDE: (998, 275)}


@pytest.mark.parametrize(("shape", "least"), [(Shape.TALL, 22), (Shape.EVEN, 16), (Shape.WIDE, 31)])
def test_even_of_a_whole_set_laid_at_one_end_tiles_are_no_shorter_than_that(shape: Shape, least: int) -> None:
    wide, high = FELTS[shape]
    for board in boards():
        _, _, width, height = arrange(board[-1], shape).window
        assert 2 * HALF * min(wide / width, high / height) >= least


@in_every_shape
@pytest.mark.parametrize(("number", "least"), [(4, 1), (8, 0.7), (10, 0.65), (16, 0.5), (28, 0.35)])
def test_tiles_stay_as_large_as_can_be(shape: Shape, number: int, least: float) -> None:
    assert min(arrange(layout, shape).scale for board in boards() for layout in board[:number]) >= least
