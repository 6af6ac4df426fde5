"""The line of play: tiles end to end, touching halves equal, two open ends."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from games.engine.moves import Play, play
from games.engine.tiles import Tile, tile_text

LEFT = "left"
RIGHT = "right"
MOVE = re.compile(r"([0-9])-([0-9])(?: (left|right))?")


class LineTile(NamedTuple):
    """A tile in the line: which half faces left, which right, and when it was laid (0 for the lead)."""

    tile: Tile
    left_half: int
    right_half: int
    order: int


@dataclass(frozen=True, slots=True)
class Line:
    """The tiles from left to right, and the values of the open ends (None while the table is empty)."""

    tiles: tuple[LineTile, ...] = ()
    left: int | None = None
    right: int | None = None

    def places(self, tile: Tile) -> tuple[str, ...]:
        """Return the ends the tile fits: both where it fits both, ``""`` for a lead.

        >>> line = Line().place((6, 4), "")
        >>> line.places((6, 4)), line.places((4, 0)), line.places((5, 5))
        (('left', 'right'), ('right',), ())
        """
        if self.left is None:
            return ("",)
        if self.left in tile:
            return (LEFT, RIGHT) if self.right in tile else (LEFT,)
        return (RIGHT,) if self.right in tile else ()

    def plays(self, tiles: Iterable[Tile]) -> list[Play]:
        """Return every placement of these tiles, tile by tile."""
        places = self.places
        return [play(tile, place) for tile in tiles for place in places(tile)]

    def admits(self, tile: Tile, place: str) -> bool:
        """Return whether the place is one of the tile's places."""
        return place in self.places(tile)

    def place(self, tile: Tile, place: str) -> Line:
        """Return the line with the tile laid; a lead has its higher half to the left.

        >>> line = Line().place((6, 4), "").place((4, 0), "right")
        >>> line.left, line.right
        (6, 0)
        """
        high, low = tile
        order = len(self.tiles)
        if self.left is None or self.right is None:
            return Line((LineTile(tile, high, low, order),), high, low)
        if place == LEFT:
            outer = low if high == self.left else high
            return Line((LineTile(tile, outer, self.left, order), *self.tiles), outer, self.right)
        outer = low if high == self.right else high
        return Line((*self.tiles, LineTile(tile, self.right, outer, order)), self.left, outer)

    def text(self, tile: Tile, place: str) -> str:
        """Write a placement: ``6-4`` for a lead, else ``6-4 left``."""
        return f"{tile_text(tile)} {place}" if place else tile_text(tile)

    def read(self, text: str) -> tuple[Tile, str] | None:
        """Read a placement, the halves in either order; None if it is not one.

        >>> Line().read("4-6 left")
        ((6, 4), 'left')
        """
        found = MOVE.fullmatch(text)
        if not found:
            return None
        one, other = int(found[1]), int(found[2])
        return (max(one, other), min(one, other)), found[3] or ""
