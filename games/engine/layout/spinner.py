"""The line of play with a spinner: the ends of the first double open once both its sides are occupied."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

from games.engine.layout.line import LEFT, RIGHT, EndToEnd, LineTile
from games.engine.tiles import Tile, is_double

UP = "up"
DOWN = "down"
Arm = tuple[LineTile, ...]
Ends = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class SpinnerLine(EndToEnd):
    """``line`` runs from left to right, through the sides of the spinner if there is one.

    ``up`` and ``down`` run outwards from the spinner, left halves first. ``ends`` are the open ends with their values,
    cached here because they are needed for every move.

    >>> layout = SpinnerLine().place((6, 6), "")
    >>> layout.ends
    (('left', 6), ('right', 6))
    >>> layout.place((6, 5), "left").place((6, 4), "right").ends
    (('left', 5), ('right', 4), ('up', 6), ('down', 6))
    """

    PLACEMENT_PATTERN: ClassVar = re.compile(r"([0-9])-([0-9])(?: (left|right|up|down))?")
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
        """Return the open ends that the tile fits; ``""`` for a lead."""
        return tuple([place for place, value in self.ends if value in tile]) if self.line else ("",)

    def place(self, tile: Tile, place: str) -> SpinnerLine:
        """Return the layout with the tile added. The higher half of a lead faces left."""
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


def open_ends(line: Arm, up: Arm, down: Arm, spinner: LineTile | None) -> Ends:
    """Return the open ends of a layout that is not empty."""
    first, last = line[0], line[-1]
    ends = ((LEFT, first.left_half), (RIGHT, last.right_half))
    if spinner is None or spinner in (first, last):
        return ends
    return (*ends, (UP, (up or (spinner,))[-1].right_half), (DOWN, (down or (spinner,))[-1].right_half))
