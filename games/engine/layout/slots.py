"""The places of the square grid: cells, slots of two cells, and how a placement is written.

``H(x,y)=a-b``: a on (x, y), b on (x+1, y); ``V(x,y)=a-b``: a on (x, y), b on (x, y+1).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

Cell = tuple[int, int]
"""(x, y), y downwards."""

STEPS = {"H": (1, 0), "V": (0, 1)}
"""The way along a row, and down a column."""
NUMBER = r"(0|-?[1-9][0-9]{0,5})"
PLACE = re.compile(rf"([HV])\({NUMBER},{NUMBER}\)=([0-9])-([0-9])")


class Slot(NamedTuple):
    """A place for one tile: its first half on (x, y), its second to the right (``H``) or below (``V``)."""

    way: str
    x: int
    y: int


def place_text(slot: Slot, first: int, second: int) -> str:
    """Write a placement: ``H(2,0)=5-1``.

    >>> place_text(Slot("H", 2, 0), 5, 1)
    'H(2,0)=5-1'
    """
    return f"{slot.way}({slot.x},{slot.y})={first}-{second}"


@lru_cache(maxsize=16384)
def read_place(text: str) -> tuple[Slot, int, int] | None:
    """Read what ``place_text`` writes; None if it is no placement."""
    found = PLACE.fullmatch(text)
    return (Slot(found[1], int(found[2]), int(found[3])), int(found[4]), int(found[5])) if found else None


def spot(place: str) -> tuple[Slot, int, int]:
    """Return the slot and the halves of a placement. Raises ``ValueError`` if it is none."""
    found = read_place(place)
    if found is None:
        raise ValueError(place)
    return found


@lru_cache(maxsize=4096)
def cells_of(slot: Slot) -> tuple[Cell, Cell]:
    """Return the two cells of the slot, first half first.

    >>> cells_of(Slot("V", 2, 0))
    ((2, 0), (2, 1))
    """
    right, down = STEPS[slot.way]
    return (slot.x, slot.y), (slot.x + right, slot.y + down)


@lru_cache(maxsize=4096)
def slots_on(cell: Cell) -> tuple[Slot, ...]:
    """Return the four slots that a cell is part of."""
    x, y = cell
    return Slot("H", x, y), Slot("H", x - 1, y), Slot("V", x, y), Slot("V", x, y - 1)


def abreast(slot: Slot, away: int) -> Slot:
    """Return the slot exactly beside this one, ``away`` cells below (``H``) or to the right (``V``)."""
    way, x, y = slot
    return Slot(way, x, y + away) if way == "H" else Slot(way, x + away, y)
