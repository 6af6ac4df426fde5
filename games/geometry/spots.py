"""Where tiles lie, in the units of the drawing: the types that all layout families share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from games.engine.tiles import Tile

HALF = 20
"""Length of half a two-sided tile in the drawing; all coordinates are whole numbers of these units."""


class Shape(StrEnum):
    """The shapes of felt that a line is wound for: higher than wide, somewhat wider than high, and wide.

    Which one fits a felt, ``board.css`` says.
    """

    TALL = "tall"
    EVEN = "even"
    WIDE = "wide"


SHAPES = tuple(Shape)
"""All of them, for layouts that have them."""


class Spot(NamedTuple):
    """The middle of a tile, and how far its sprite (first value to the left) is turned clockwise, in degrees."""

    x: int
    y: int
    angle: int


class Laid(NamedTuple):
    """A tile on the table, where it lies, and when it was laid (0 for the lead)."""

    tile: Tile
    spot: Spot
    order: int


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A layout as it is drawn: its tiles in units around the lead, and the window (x, y, width, height) that shows all
    of them and all that may be laid next.

    ``scale`` is how much smaller than at its closest the window shows them, 1 at most.
    """

    tiles: tuple[Laid, ...]
    window: tuple[int, int, int, int]
    scale: float = 1
