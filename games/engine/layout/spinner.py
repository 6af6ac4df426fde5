"""The line of play with a spinner: once both sides of the first double are occupied, its ends are open too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from games.engine.layout.line import LEFT, RIGHT, LineTile
from games.engine.moves import Play, play
from games.engine.tiles import Tile, is_double, tile_text

UP = "up"
DOWN = "down"
Arm = tuple[LineTile, ...]
Ends = tuple[tuple[str, int], ...]
MOVE = re.compile(r"([0-9])-([0-9])(?: (left|right|up|down))?")


@dataclass(frozen=True, slots=True)
class SpinnerLine:
    """``line`` runs from left to right, through the sides of the spinner once there is one.

    ``up`` and ``down`` run outward from the ends of the spinner, the left half of each tile facing it. ``ends`` are
    the open ends, the place of each and the value it shows; they follow from the tiles and are kept for speed.

    >>> layout = SpinnerLine().place((6, 6), "")
    >>> layout.ends
    (('left', 6), ('right', 6))
    >>> layout.place((6, 5), "left").place((6, 4), "right").ends
    (('left', 5), ('right', 4), ('up', 6), ('down', 6))
    """

    line: tuple[LineTile, ...] = ()
    up: tuple[LineTile, ...] = ()
    down: tuple[LineTile, ...] = ()
    spinner: LineTile | None = None
    ends: Ends = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        ends = open_ends(self.line, self.up, self.down, self.spinner) if self.line else ()
        object.__setattr__(self, "ends", ends)

    @property
    def tiles(self) -> tuple[LineTile, ...]:
        """All tiles, arm by arm."""
        return (*self.line, *self.up, *self.down)

    def places(self, tile: Tile) -> tuple[str, ...]:
        """Return the open ends that the tile fits, ``""`` for a lead."""
        return tuple([place for place, value in self.ends if value in tile]) if self.line else ("",)

    def plays(self, tiles: Iterable[Tile]) -> list[Play]:
        """Return every placement of these tiles, tile by tile."""
        places = self.places
        return [play(tile, place) for tile in tiles for place in places(tile)]

    def admits(self, tile: Tile, place: str) -> bool:
        """Return whether the place is one of the tile's places."""
        return place in self.places(tile)

    def place(self, tile: Tile, place: str) -> SpinnerLine:
        """Return the layout with the tile laid; a lead has its higher half to the left."""
        inner = dict(self.ends).get(place, tile[0])
        outer = sum(tile) - inner
        halves = (outer, inner) if place == LEFT else (inner, outer)
        placed = LineTile(tile, *halves, len(self.line) + len(self.up) + len(self.down))
        line, up, down = self.line, self.up, self.down
        if place == UP:
            up = (*up, placed)
        elif place == DOWN:
            down = (*down, placed)
        else:
            line = (placed, *line) if place == LEFT else (*line, placed)
        return SpinnerLine(line, up, down, self.spinner or (placed if is_double(tile) else None))

    def text(self, tile: Tile, place: str) -> str:
        """Write a placement: ``6-4`` for a lead, else ``6-4 up``."""
        return f"{tile_text(tile)} {place}" if place else tile_text(tile)

    def read(self, text: str) -> tuple[Tile, str] | None:
        """Read a placement, the halves in either order; None if it is not one."""
        found = MOVE.fullmatch(text)
        if not found:
            return None
        one, other = int(found[1]), int(found[2])
        return (max(one, other), min(one, other)), found[3] or ""


def open_ends(line: Arm, up: Arm, down: Arm, spinner: LineTile | None) -> Ends:
    """Return the open ends of a layout with tiles on it."""
    first, last = line[0], line[-1]
    ends = ((LEFT, first.left_half), (RIGHT, last.right_half))
    if spinner is None or spinner in (first, last):
        return ends
    return (*ends, (UP, (up or (spinner,))[-1].right_half), (DOWN, (down or (spinner,))[-1].right_half))
