"""The triangular lattice as it is drawn, moved and scaled to fit the window.

A spot is the middle of the box around a cell, its angle is 0: sprites are drawn for both ways a cell can point.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.lattice import START, Cell, Lattice, Vertex, spot, vertices
from games.geometry.spots import Arrangement, Laid, Spot

SIDE, ROW = 30, 26
"""Side and height of a triangle, both whole numbers: 30 to 26 is equilateral to a thousandth."""
FEWEST = (180, 130)
"""How wide and high the window is at least; from some ten tiles on it shows more."""


@lru_cache(maxsize=1024)
def arrange(layout: Lattice) -> Arrangement:
    """Return where every tile lies. The window ends with the free cells around them."""
    tiles = tuple([Laid(placed.tile, cell_spot(placed.cell), placed.order) for placed in layout.tiles])
    left, top, right, bottom = _bounds(layout)
    wide, high = max(FEWEST[0], right - left), max(FEWEST[1], bottom - top)
    window = ((left + right - wide) // 2, (top + bottom - high) // 2, wide, high)
    return Arrangement(tiles, window, min(FEWEST[0] / wide, FEWEST[1] / high))


def spot_of(place: str) -> Spot:
    """Return where a placement lies."""
    cell, _ = spot(place)
    return cell_spot(cell)


@lru_cache(maxsize=4096)
def cell_spot(cell: Cell) -> Spot:
    """Return the middle of the box around a cell."""
    _, i, j = cell
    return Spot(SIDE * i + SIDE * (j + 1) // 2 + (SIDE // 2 if cell.way == "D" else 0), -ROW * j - ROW // 2, 0)


def point(vertex: Vertex) -> tuple[int, int]:
    """Return where a vertex lies: ``y`` goes upwards in the lattice and downwards here."""
    i, j = vertex
    return SIDE * i + SIDE * j // 2, -ROW * j


def _bounds(layout: Lattice) -> tuple[int, int, int, int]:
    """Return the box around the free cells: they lie all around the tiles."""
    lefts, tops, rights, bottoms = zip(*map(_box, layout.free or (START,)), strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


@lru_cache(maxsize=4096)
def _box(cell: Cell) -> tuple[int, int, int, int]:
    xs, ys = zip(*map(point, vertices(cell)), strict=True)
    return min(xs), min(ys), max(xs), max(ys)
