"""Positions of tiles in a drawing: types that all layout families share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from games.engine.tiles import Tile

HALF = 20  # length of half a two-sided tile; all coordinates are integers in this unit


class Shape(StrEnum):
    """Shapes of table that lines are wound for: upright, slightly wide, very wide. ``board.css`` chooses one."""

    TALL = "tall"
    EVEN = "even"
    WIDE = "wide"


SHAPES = tuple(Shape)


class Spot(NamedTuple):
    """The middle of a tile, and the clockwise rotation in degrees of its sprite, whose first value faces left."""

    x: int
    y: int
    angle: int


class ArrangedTile(NamedTuple):
    """A tile on the table with its position and its number in playing order (0 for the lead)."""

    tile: Tile
    spot: Spot
    order: int


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A layout in drawing units around the lead. The window (x, y, width, height) includes all possible next tiles.

    ``scale`` is the size of the tiles relative to the smallest window, at most 1.
    """

    tiles: tuple[ArrangedTile, ...]
    window: tuple[int, int, int, int]
    scale: float = 1
