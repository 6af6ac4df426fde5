"""Where tiles lie, in the units of the drawing: the types that all layout families share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.engine.tiles import Tile

HALF = 20
"""Length of half a two-sided tile in the drawing; all coordinates are whole numbers of these units."""


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
    """A layout as it is drawn: its tiles in units around the lead, in a window that never changes its size.

    ``window`` is (x, y, width, height). ``shift`` (right, down) and then ``scale`` bring what would stick out back
    into it.
    """

    tiles: tuple[Laid, ...]
    window: tuple[int, int, int, int]
    shift: tuple[int, int] = (0, 0)
    scale: float = 1
