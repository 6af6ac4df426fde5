"""Drawing the square grid: a cell is a HALF wide, and the middle of the starting pair is the origin."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.layout.grid import Grid, GridTile
from games.engine.layout.slots import Cell, Slot, parse_place
from games.engine.tiles import Tile
from games.geometry.spots import HALF, ArrangedTile, Arrangement, Spot

# The smallest window. Its cells are as wide as a finger on a phone; tables are wider than high.
MIN_COLUMNS, MIN_ROWS = 7, 6
MARGIN = 7  # room around the squares for the numbers of rows and columns
ANGLES = {"H": 0, "V": 90}


class CellBounds(NamedTuple):
    """A rectangle of cells from (x0, y0) to (x1 - 1, y1 - 1)."""

    x0: int
    y0: int
    x1: int
    y1: int


@lru_cache(maxsize=256)
def arrange(grid: Grid) -> Arrangement:
    """Return the positions of all tiles. The window includes the free cells that the next tile may cover."""
    tiles = tuple([_arranged_tile(placed) for placed in grid.tiles])
    x0, y0, x1, y1 = (round(edge * HALF) for edge in window_in_cells(grid))
    window = (x0 - HALF - MARGIN, y0 - HALF - MARGIN, x1 - x0 + 2 * MARGIN, y1 - y0 + 2 * MARGIN)
    return Arrangement(tiles, window, cell_scale(grid))


@lru_cache(maxsize=8192)
def _arranged_tile(placed: GridTile) -> ArrangedTile:
    return ArrangedTile(placed.tile, spot_in_slot(placed.slot, placed.tile, placed.first), placed.order)


def spot_of_placement(tile: Tile, place: str) -> Spot:
    """Return the position of a tile at ``place``."""
    slot, first, _ = parse_place(place)
    return spot_in_slot(slot, tile, first)


def spot_in_slot(slot: Slot, tile: Tile, first: int) -> Spot:
    """Return the position of a tile in a slot; ``first`` is its left or upper half."""
    x, y = cell_corner((slot.x, slot.y))
    turned = ANGLES[slot.way] + (0 if tile[0] == first else 180)
    return Spot(x + HALF, y + HALF // 2, turned) if slot.way == "H" else Spot(x + HALF // 2, y + HALF, turned)


def cell_corner(cell: Cell) -> tuple[int, int]:
    """Return the upper left corner of a cell."""
    return (cell[0] - 1) * HALF, (cell[1] - 1) * HALF


@lru_cache(maxsize=256)
def bounds_with_free_cells(grid: Grid) -> CellBounds:
    """Return the smallest rectangle with all tiles and the cells next to them."""
    columns, rows = zip(*(grid.values or {(0, 0): 0, (1, 1): 0}), strict=True)
    return CellBounds(min(columns) - 1, min(rows) - 1, max(columns) + 2, max(rows) + 2)


def cell_scale(grid: Grid) -> float:
    """Return the size of the cells relative to the smallest window, at most 1."""
    x0, y0, x1, y1 = bounds_with_free_cells(grid)
    return min(1, MIN_COLUMNS / (x1 - x0), MIN_ROWS / (y1 - y0))


def window_in_cells(grid: Grid) -> tuple[float, float, float, float]:
    """Return the rectangle that the window shows, in cells: (x0, y0, x1, y1)."""
    x0, y0, x1, y1 = bounds_with_free_cells(grid)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    wide, high = max(MIN_COLUMNS, x1 - x0) / 2, max(MIN_ROWS, y1 - y0) / 2
    return x - wide, y - high, x + wide, y + high
