"""Two-sided tiles as the two squares they cover."""

from __future__ import annotations

from games.engine.tiles import Tile
from games.geometry.spots import HALF, Spot

Box = tuple[float, float, float, float]  # left, top, right and bottom of a square


def halves(tile: Tile, spot: Spot) -> list[tuple[int, Box]]:
    """The two squares of a tile with the value each shows."""
    dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[spot.angle]
    angles = []
    for value, side in zip(tile, (-1, 1), strict=True):
        x, y = spot.x + side * dx * HALF / 2, spot.y + side * dy * HALF / 2
        angles.append((value, (x - HALF / 2, y - HALF / 2, x + HALF / 2, y + HALF / 2)))
    return angles


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def touch(one: Box, other: Box) -> bool:
    """Whether two squares share more than a corner of their edges."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return (wide == 0 and high > 0) or (high == 0 and wide > 0)
