"""Drawing the triangular lattice.

A spot is the middle of the box around a cell with angle 0: there are sprites for cells pointing up and down.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.lattice import START_CELL, Cell, Lattice, Vertex, parse_place, vertices
from games.geometry.spots import Arrangement, Laid, Spot

SIDE, ROW = 30, 26  # side and height of a triangle; 30 to 26 is equilateral to a thousandth
FEWEST = (180, 130)  # smallest width and height of the window; enough for about ten tiles


@lru_cache(maxsize=1024)
def arrange(layout: Lattice) -> Arrangement:
    """Return the positions of all tiles. The window includes the free cells around them."""
    tiles = tuple([Laid(placed.tile, cell_spot(placed.cell), placed.order) for placed in layout.tiles])
    x0, y0, x1, y1 = _bounds(layout)
    wide, high = max(FEWEST[0], x1 - x0), max(FEWEST[1], y1 - y0)
    window = ((x0 + x1 - wide) // 2, (y0 + y1 - high) // 2, wide, high)
    return Arrangement(tiles, window, min(FEWEST[0] / wide, FEWEST[1] / high))


def spot_of(place: str) -> Spot:
    return cell_spot(parse_place(place)[0])


@lru_cache(maxsize=4096)
def cell_spot(cell: Cell) -> Spot:
    """Return the middle of the box around a cell."""
    _, i, j = cell
    return Spot(SIDE * i + SIDE * (j + 1) // 2 + (SIDE // 2 if cell.way == "D" else 0), -ROW * j - ROW // 2, 0)


def point(vertex: Vertex) -> tuple[int, int]:
    """Return the position of a vertex; ``y`` points up in the lattice and down in the drawing."""
    i, j = vertex
    return SIDE * i + SIDE * j // 2, -ROW * j


def _bounds(layout: Lattice) -> tuple[int, int, int, int]:
    """Return the box around the free cells, which surround the tiles."""
    x0s, y0s, x1s, y1s = zip(*map(_box, layout.free or (START_CELL,)), strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)


@lru_cache(maxsize=4096)
def _box(cell: Cell) -> tuple[int, int, int, int]:
    xs, ys = zip(*map(point, vertices(cell)), strict=True)
    return min(xs), min(ys), max(xs), max(ys)
