"""Geometry of the triangular lattice: claims that hold for every table of Triominoes there can be."""

from __future__ import annotations

from itertools import combinations
from math import hypot

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.layout.lattice import Cell, Lattice, vertices
from games.engine.tiles import triple_set
from games.geometry.lattice import arrange, spot_in_cell, spot_of_placement, vertex_position
from games.geometry.spots import Spot

Point = tuple[float, float]
FEW = settings(max_examples=15)  # examples; a table of 56 tiles covers many cases
EDGE_TO_EDGE = 17  # least distance of the middles of two triangles that do not overlap: 30 / sqrt(3)


@st.composite
def lattices(draw: st.DrawFn) -> Lattice:
    """Tables as they grow in play, any tile at any of its places."""
    random = draw(st.randoms(use_true_random=False))
    layout, rest = Lattice(), list(triple_set(5))
    random.shuffle(rest)
    for _ in range(draw(st.integers(0, len(rest)))):
        fitting = next(((tile, places) for tile in rest if (places := layout.places(tile))), None)
        if fitting is None:
            break
        tile, places = fitting
        rest.remove(tile)
        layout = layout.place(tile, random.choice(places))
    return layout


def tips(cell: Cell) -> list[Point]:
    """The corners of a cell on the screen, corner 0 first: the box around its spot is 30 wide and 26 high."""
    x, y, _ = spot_in_cell(cell)
    if cell.way == "U":
        return [(x, y - 13), (x + 15, y + 13), (x - 15, y + 13)]
    return [(x, y + 13), (x - 15, y - 13), (x + 15, y - 13)]


def middle(cell: Cell) -> Point:
    xs, ys = zip(*tips(cell), strict=True)
    return sum(xs) / 3, sum(ys) / 3


@FEW
@given(lattices())
def test_no_two_tiles_overlap(layout: Lattice) -> None:
    middles = [middle(placed.cell) for placed in layout.tiles]
    for one, other in combinations(middles, 2):
        assert hypot(one[0] - other[0], one[1] - other[1]) > EDGE_TO_EDGE


@FEW
@given(lattices())
def test_at_every_point_of_the_screen_all_tiles_show_the_same_number(layout: Lattice) -> None:
    points: dict[Point, set[int]] = {}
    for placed in layout.tiles:
        for tip, number in zip(tips(placed.cell), placed.corners, strict=True):
            points.setdefault(tip, set()).add(number)
    assert all(len(numbers) == 1 for numbers in points.values())


@FEW
@given(lattices())
def test_no_tile_lies_as_its_mirror_image(layout: Lattice) -> None:
    for placed in layout.tiles:
        (ax, ay), (bx, by), (cx, cy) = tips(placed.cell)
        assert (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0  # clockwise where y points down
        at = placed.corners.index(min(placed.corners))
        turned = [placed.corners[at:] + placed.corners[:at], placed.corners[at - 1 :] + placed.corners[: at - 1]]
        assert placed.tile in turned


@FEW
@given(lattices())
def test_the_tiles_and_the_free_cells_around_them_are_inside_the_window(layout: Lattice) -> None:
    drawn = arrange(layout)
    x0, top, width, height = drawn.window
    for cell in {*layout.cells, *layout.free}:
        for x, y in tips(cell):
            assert x0 <= x <= x0 + width
            assert top <= y <= top + height


@FEW
@given(lattices())
def test_a_tile_that_lies_never_moves(layout: Lattice) -> None:
    before = {laid.tile: laid.spot for laid in arrange(layout).tiles}
    for tile in set(triple_set(5)) - set(before):
        for place in layout.places(tile)[:2]:
            after = {laid.tile: laid.spot for laid in arrange(layout.place(tile, place)).tiles}
            assert before.items() <= after.items()
            assert after[tile] == spot_of_placement(place)


def test_a_new_table_is_drawn_in_full_size_and_a_long_one_smaller() -> None:
    # A row of n tiles and the free cells at its ends are (n + 3) * 15 units long; the window has 180 for them.
    layout = Lattice()
    for way, i in [(way, i) for i in range(12) for way in "UD"]:
        layout = layout.place((0, 0, 0), f"{way}({i},0)=0/0/0")
        assert (arrange(layout).scale == 1) == (len(layout.tiles) <= 9)


def test_cells_lie_where_the_rule_file_says() -> None:
    # Vertices at x = i + j/2, y = j * sqrt(3)/2 upwards; in units of 30, drawn downwards.
    assert spot_in_cell(Cell("U", 0, 0)) == Spot(15, -13, 0)
    assert spot_in_cell(Cell("D", -1, 0)) == Spot(0, -13, 0)
    assert spot_in_cell(Cell("U", 1, -1)) == Spot(30, 13, 0)
    assert [vertex_position(vertex) for vertex in vertices(Cell("U", 0, 0))] == [(15, -26), (30, 0), (0, 0)]


def test_the_corners_of_a_cell_are_its_vertices() -> None:
    for cell in (Cell("U", 2, -1), Cell("D", -3, 4)):
        assert tips(cell) == [vertex_position(vertex) for vertex in vertices(cell)]


def test_the_first_tile_lies_in_the_middle() -> None:
    drawn = arrange(Lattice().place((3, 3, 3), "U(0,0)=3/3/3"))
    (laid,) = drawn.tiles
    x0, top, width, height = drawn.window
    assert abs(laid.spot.x - x0 - width / 2) <= 1
    assert abs(laid.spot.y - top - height / 2) <= 13
