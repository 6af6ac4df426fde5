"""The square grid as it is drawn: a cell is a HALF wide, and the middle of the starting pair is the origin."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.layout.grid import Grid, GridTile
from games.engine.layout.slots import Cell, Slot, spot
from games.engine.tiles import Tile
from games.geometry.spots import HALF, Arrangement, Laid, Spot

FEWEST_COLUMNS, FEWEST_ROWS = 7, 6
"""The window shows at least these cells, each as wide as a finger on a telephone. The table is wider than high."""
MARGIN = 7
"""Room around the squares for the numbers of rows and columns."""
TURNS = {"H": 0, "V": 90}


class Bounds(NamedTuple):
    """The edges of a rectangle of cells: the first of them is (left, top), the last (right - 1, bottom - 1)."""

    left: int
    top: int
    right: int
    bottom: int


@lru_cache(maxsize=1024)
def arrange(grid: Grid) -> Arrangement:
    """Return where every tile lies; the window holds them and the free cells that the next tile may cover."""
    tiles = tuple([_laid(placed) for placed in grid.tiles])
    left, top, right, bottom = (round(edge * HALF) for edge in seen(grid))
    window = (left - HALF - MARGIN, top - HALF - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)
    return Arrangement(tiles, window, scale(grid))


@lru_cache(maxsize=8192)
def _laid(placed: GridTile) -> Laid:
    return Laid(placed.tile, spot_in(placed.slot, placed.tile, placed.first), placed.order)


def spot_of(tile: Tile, place: str) -> Spot:
    """Return where the tile would lie at ``place``."""
    slot, first, _ = spot(place)
    return spot_in(slot, tile, first)


def spot_in(slot: Slot, tile: Tile, first: int) -> Spot:
    """Return where a tile lies in a slot, ``first`` being its left or upper half."""
    x, y = corner((slot.x, slot.y))
    turned = TURNS[slot.way] + (0 if tile[0] == first else 180)
    return Spot(x + HALF, y + HALF // 2, turned) if slot.way == "H" else Spot(x + HALF // 2, y + HALF, turned)


def corner(cell: Cell) -> tuple[int, int]:
    """Return the upper left corner of a cell."""
    return (cell[0] - 1) * HALF, (cell[1] - 1) * HALF


@lru_cache(maxsize=1024)
def bounds(grid: Grid) -> Bounds:
    """Return the smallest rectangle with all that lies and all that may be laid next."""
    columns, rows = zip(*(grid.values or {(0, 0): 0, (1, 1): 0}), strict=True)
    return Bounds(min(columns) - 1, min(rows) - 1, max(columns) + 2, max(rows) + 2)


def scale(grid: Grid) -> float:
    """Return how much smaller than at its closest the window shows the cells, 1 at most."""
    left, top, right, bottom = bounds(grid)
    return min(1, FEWEST_COLUMNS / (right - left), FEWEST_ROWS / (bottom - top))


def seen(grid: Grid) -> tuple[float, float, float, float]:
    """Return the rectangle that the window shows, in cells: left, top, right and bottom edge."""
    left, top, right, bottom = bounds(grid)
    x, y = (left + right) / 2, (top + bottom) / 2
    wide, high = max(FEWEST_COLUMNS, right - left) / 2, max(FEWEST_ROWS, bottom - top) / 2
    return x - wide, y - high, x + wide, y + high
