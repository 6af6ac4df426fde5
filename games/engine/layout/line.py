"""The line of play: tiles end to end with equal touching halves, and two open ends."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from games.engine.moves import Play, cached_play
from games.engine.tiles import Tile, tile_text

LEFT = "left"
RIGHT = "right"


class LineTile(NamedTuple):
    """A tile in the line: the halves that face left and right, and its number in playing order (0 for the lead)."""

    tile: Tile
    left_half: int
    right_half: int
    order: int


class EndToEnd(ABC):
    """The common part of layouts whose places are named ends. ``PLACEMENT_PATTERN`` matches a placement's text."""

    __slots__ = ()
    PLACEMENT_PATTERN: ClassVar[re.Pattern[str]]

    @abstractmethod
    def places(self, tile: Tile) -> tuple[str, ...]: ...

    def possible_plays(self, tiles: Iterable[Tile]) -> list[Play]:
        places = self.places
        return [cached_play(tile, place) for tile in tiles for place in places(tile)]

    def admits(self, tile: Tile, place: str) -> bool:
        return place in self.places(tile)

    def text(self, tile: Tile, place: str) -> str:
        """Return the notation of a placement: ``6-4`` for a lead, else ``6-4 left``."""
        return f"{tile_text(tile)} {place}" if place else tile_text(tile)

    def read(self, text: str) -> tuple[Tile, str] | None:
        """Read a placement, with the halves in either order; None for other texts.

        >>> Line().read("4-6 left")
        ((6, 4), 'left')
        """
        match = self.PLACEMENT_PATTERN.fullmatch(text)
        if not match:
            return None
        halves = int(match[1]), int(match[2])
        return (max(halves), min(halves)), match[3] or ""


@dataclass(frozen=True, slots=True)
class Line(EndToEnd):
    """The tiles from left to right, and the values of the open ends (None on an empty table)."""

    PLACEMENT_PATTERN: ClassVar = re.compile(r"([0-9])-([0-9])(?: (left|right))?")
    tiles: tuple[LineTile, ...] = ()
    left_end: int | None = None
    right_end: int | None = None

    def places(self, tile: Tile) -> tuple[str, ...]:
        """Return the ends that the tile fits; ``""`` for a lead.

        >>> line = Line().place((6, 4), "")
        >>> line.places((6, 4)), line.places((4, 0)), line.places((5, 5))
        (('left', 'right'), ('right',), ())
        """
        if self.left_end is None:
            return ("",)
        if self.left_end in tile:
            return (LEFT, RIGHT) if self.right_end in tile else (LEFT,)
        return (RIGHT,) if self.right_end in tile else ()

    def place(self, tile: Tile, place: str) -> Line:
        """Return the line with the tile added. The higher half of a lead faces left.

        >>> line = Line().place((6, 4), "").place((4, 0), "right")
        >>> line.left_end, line.right_end
        (6, 0)
        """
        high, low = tile
        order = len(self.tiles)
        if self.left_end is None or self.right_end is None:
            return Line((LineTile(tile, high, low, order),), high, low)
        if place == LEFT:
            outer = low if high == self.left_end else high
            return Line((LineTile(tile, outer, self.left_end, order), *self.tiles), outer, self.right_end)
        outer = low if high == self.right_end else high
        return Line((*self.tiles, LineTile(tile, self.right_end, outer, order)), self.left_end, outer)
