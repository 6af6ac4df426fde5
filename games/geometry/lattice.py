"""Drawing the triangular lattice.

A spot is the middle of the box around a cell with angle 0: there are sprites for cells pointing up and down.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.lattice import START_CELL, Cell, Lattice, Vertex, parse_place, vertices
from games.geometry.spots import ArrangedTile, Arrangement, Spot

TRIANGLE_SIDE, TRIANGLE_HEIGHT = 30, 26  # side and height of a triangle; 30 to 26 is equilateral to a thousandth
MIN_WINDOW = (180, 130)  # smallest width and height of the window; enough for about ten tiles


@lru_cache(maxsize=256)
def arrange(layout: Lattice) -> Arrangement:
    """Return the positions of all tiles. The window includes the free cells around them."""
    tiles = tuple([ArrangedTile(placed.tile, spot_in_cell(placed.cell), placed.order) for placed in layout.tiles])
    x0, y0, x1, y1 = _bounds_of_free_cells(layout)
    wide, high = max(MIN_WINDOW[0], x1 - x0), max(MIN_WINDOW[1], y1 - y0)
    window = ((x0 + x1 - wide) // 2, (y0 + y1 - high) // 2, wide, high)
    return Arrangement(tiles, window, min(MIN_WINDOW[0] / wide, MIN_WINDOW[1] / high))


def spot_of_placement(place: str) -> Spot:
    return spot_in_cell(parse_place(place)[0])


@lru_cache(maxsize=4096)
def spot_in_cell(cell: Cell) -> Spot:
    """Return the middle of the box around a cell."""
    _, i, j = cell
    return Spot(
        TRIANGLE_SIDE * i + TRIANGLE_SIDE * (j + 1) // 2 + (TRIANGLE_SIDE // 2 if cell.way == "D" else 0),
        -TRIANGLE_HEIGHT * j - TRIANGLE_HEIGHT // 2,
        0,
    )


def vertex_position(vertex: Vertex) -> tuple[int, int]:
    """Return the position of a vertex; ``y`` points up in the lattice and down in the drawing."""
    i, j = vertex
    return TRIANGLE_SIDE * i + TRIANGLE_SIDE * j // 2, -TRIANGLE_HEIGHT * j


def _bounds_of_free_cells(layout: Lattice) -> tuple[int, int, int, int]:
    """Return the box around the free cells, which surround the tiles."""
    x0s, y0s, x1s, y1s = zip(*map(_cell_bounds, layout.free or (START_CELL,)), strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)


@lru_cache(maxsize=4096)
def _cell_bounds(cell: Cell) -> tuple[int, int, int, int]:
    xs, ys = zip(*map(vertex_position, vertices(cell)), strict=True)
    return min(xs), min(ys), max(xs), max(ys)
