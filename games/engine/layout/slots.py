"""The square grid: cells, slots of two cells, and the notation of placements.

``H(x,y)=a-b``: a on (x, y), b on (x+1, y). ``V(x,y)=a-b``: a on (x, y), b on (x, y+1).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

Cell = tuple[int, int]  # (x, y), y downwards

STEPS = {"H": (1, 0), "V": (0, 1)}  # from a cell to the next one of its row or column
NUMBER = r"(0|-?[1-9][0-9]{0,5})"
PLACE_PATTERN = re.compile(rf"([HV])\({NUMBER},{NUMBER}\)=([0-9])-([0-9])")


class Slot(NamedTuple):
    """A place for one tile: its first half on (x, y), its second to the right (``H``) or below (``V``)."""

    way: str
    x: int
    y: int


def place_text(slot: Slot, first: int, second: int) -> str:
    """Return the notation of a placement.

    >>> place_text(Slot("H", 2, 0), 5, 1)
    'H(2,0)=5-1'
    """
    return f"{slot.way}({slot.x},{slot.y})={first}-{second}"


@lru_cache(maxsize=16384)
def read_place(text: str) -> tuple[Slot, int, int] | None:
    """Read the result of ``place_text``; None for other texts."""
    match = PLACE_PATTERN.fullmatch(text)
    return (Slot(match[1], int(match[2]), int(match[3])), int(match[4]), int(match[5])) if match else None


def parse_place(place: str) -> tuple[Slot, int, int]:
    """Return the slot and the halves of a placement. Raises ``ValueError``."""
    placement = read_place(place)
    if placement is None:
        raise ValueError(place)
    return placement


@lru_cache(maxsize=4096)
def cells_of(slot: Slot) -> tuple[Cell, Cell]:
    """Return the cells of the first and of the second half.

    >>> cells_of(Slot("V", 2, 0))
    ((2, 0), (2, 1))
    """
    right, down = STEPS[slot.way]
    return (slot.x, slot.y), (slot.x + right, slot.y + down)


@lru_cache(maxsize=4096)
def slots_containing(cell: Cell) -> tuple[Slot, ...]:
    """Return the four slots that contain a cell."""
    x, y = cell
    return Slot("H", x, y), Slot("H", x - 1, y), Slot("V", x, y), Slot("V", x, y - 1)


def parallel_slot(slot: Slot, away: int) -> Slot:
    """Return the parallel slot that is ``away`` cells below (``H``) or to the right (``V``)."""
    way, x, y = slot
    return Slot(way, x, y + away) if way == "H" else Slot(way, x + away, y)
