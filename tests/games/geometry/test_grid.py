"""Geometry of the square grid: claims that hold for every table of Rytmino there can be."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.layout.grid import Grid
from games.engine.layout.slots import cells_of, parse_place, place_text
from games.engine.tiles import double_set
from games.geometry.grid import arrange, cell_corner, spot_of_placement, window_in_cells
from games.geometry.spots import HALF, ArrangedTile, Spot
from tests.engine.positions import board

FEW = settings(max_examples=15)  # examples; a table of 30 tiles covers many cases
START = ("H(0,0)=2-4", "H(0,1)=3-1")
R_16 = "H(0,0)=1-5 H(0,1)=1-4 V(-1,0)=2-4 H(0,2)=1-2 V(-2,0)=3-1"
Box = tuple[float, float, float, float]


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Tables as they grow in play, both copies of a tile at any of their places, some always outwards."""
    random = draw(st.randoms(use_true_random=False))
    layout, rest = board(Grid(), " ".join(START)), [tile for tile in double_set(5, lowest=1) for _ in range(2)]
    random.shuffle(rest)
    outwards = draw(st.booleans())
    for _ in range(draw(st.integers(0, 28))):
        plays = [(tile, place) for tile in rest for place in layout.places(tile)]
        if not plays:
            break
        tile, place = max(plays, key=lambda play: sum(map(abs, parse_place(play[1])[0][1:]))) if outwards else plays[0]
        rest.remove(tile)
        layout = layout.place(tile, place)
    return layout


def halves(laid: ArrangedTile) -> dict[tuple[float, float], int]:
    """The middles of the two squares of a tile, with the number that each shows."""
    x, y, angle = laid.spot
    dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[angle]
    high, low = laid.tile
    return {
        (x - dx * HALF / 2, y - dy * HALF / 2): high,
        (x + dx * HALF / 2, y + dy * HALF / 2): low,
    }


@FEW
@given(grids())
def test_every_cell_shows_its_number_and_no_two_tiles_overlap(layout: Grid) -> None:
    cells = [half for laid in arrange(layout).tiles for half in halves(laid).items()]
    expected = {}
    for cell, number in layout.values.items():
        x, y = cell_corner(cell)
        expected[x + HALF / 2, y + HALF / 2] = number
    assert len(cells) == len(expected) == 2 * len(layout.tiles)
    assert dict(cells) == expected


@FEW
@given(grids())
def test_the_tiles_and_every_placement_are_inside_the_window(layout: Grid) -> None:
    drawn = arrange(layout)
    x0, top, width, height = drawn.window
    cells = {*layout.values, *layout.border(), *(cell for slot in layout.slots for cell in cells_of(slot))}
    for cell in cells:
        for x, y in (cell_corner(cell), cell_corner((cell[0] + 1, cell[1] + 1))):
            assert x0 <= x <= x0 + width
            assert top <= y <= top + height


@FEW
@given(grids())
def test_a_tile_that_lies_never_moves_and_the_next_one_lies_where_it_was_shown(layout: Grid) -> None:
    before = [(laid.spot, laid.order) for laid in arrange(layout).tiles]
    for slot, _ in list(layout.slots.items())[:3]:
        tile, place = next(
            (t, p) for t in double_set(5, lowest=1) for p in layout.places(t) if parse_place(p)[0] == slot
        )
        after = arrange(layout.place(tile, place)).tiles
        assert [(laid.spot, laid.order) for laid in after[:-1]] == before
        assert after[-1].spot == spot_of_placement(tile, place)


@FEW
@given(grids())
def test_the_middles_of_placements_are_all_different(layout: Grid) -> None:
    middles = {slot: spot_of_placement((5, 5), place_text(slot, 5, 5))[:2] for slot in layout.slots}
    assert all(one != other for one, other in combinations(middles.values(), 2))


def test_the_starting_pair_lies_in_the_middle_and_as_large_as_can_be() -> None:
    drawn = arrange(board(Grid(), " ".join(START)))
    assert [laid.spot for laid in drawn.tiles] == [Spot(0, -10, 180), Spot(0, 10, 0)]
    assert (drawn.window, drawn.scale) == ((-77, -67, 154, 134), 1)


def test_an_upright_tile_shows_its_first_half_above() -> None:
    assert spot_of_placement((5, 2), "V(2,0)=5-2") == Spot(30, 0, 90)
    assert spot_of_placement((5, 2), "V(2,0)=2-5") == Spot(30, 0, 270)


def test_the_tiles_of_r_16_are_moved_to_the_middle() -> None:
    # Cells -2 to 1 across and 0 to 2 down; with the free ones around them 6 by 5, so 7 by 6 are seen.
    layout = board(Grid(), R_16)
    assert window_in_cells(layout) == (-3.5, -1.5, 3.5, 4.5)
    assert (arrange(layout).window, arrange(layout).scale) == ((-97, -57, 154, 134), 1)
    longer = layout.place((4, 3), "H(-2,2)=4-3").place((5, 5), "V(2,0)=5-5")
    assert (window_in_cells(longer), arrange(longer).scale) == ((-3, -1.5, 4, 4.5), 1)
    assert arrange(longer.place((5, 5), "V(3,0)=5-5")).scale == 7 / 8
