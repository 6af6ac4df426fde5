"""The square grid in numbers: its slots, and what lies around a slot and around the ends of lines.

Cells are numbered in rows. A line through a cell is twice its number for its row, and 1 more for its column; a slot
has the number of the line that it lies along at its first cell.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.slots import Slot

WIDTH = 128
"""More than the set reaches."""
REACH = WIDTH // 2 - 4
"""What lies three cells farther away has a number, too."""
STEPS = (2, 2 * WIDTH)
"""From a line through a cell to the one through the next cell of its row, and of its column."""
LINES = tuple(range(2 * WIDTH * WIDTH))
"""All numbers, each one object: what is looked up by the same object again is found faster."""

Around = tuple[int, ...]
Through = tuple[tuple[Around, ...], int, int, int, int, int, int]
BELOW: list[Around | None] = [None] * len(LINES)
ABOVE: list[Around | None] = [None] * len(LINES)
THROUGH: list[Through | None] = [None] * len(LINES)
"""What ``below``, ``above`` and ``through`` return, worked out once each."""


def is_in_reach(slot: Slot) -> bool:
    """Return whether tiles can lie so far away."""
    return abs(slot.x) <= REACH and abs(slot.y) <= REACH


def slot_number(slot: Slot) -> int:
    """Return the number of a slot. Raises ``ValueError`` if it is farther away than tiles can lie.

    >>> slot_of(slot_number(Slot("V", -3, 2)))
    Slot(way='V', x=-3, y=2)
    """
    way, x, y = slot
    if not is_in_reach(slot):
        raise ValueError(slot)
    return 2 * (WIDTH * (y + WIDTH // 2) + x + WIDTH // 2) + (way == "V")


@lru_cache(maxsize=4096)
def slot_of(number: int) -> Slot:
    """Return the slot of a number."""
    y, x = divmod(number // 2, WIDTH)
    return Slot("HV"[number % 2], x - WIDTH // 2, y - WIDTH // 2)


def below(line: int) -> Around:
    """Return what lies around the free cell before the first one of a line.

    The line there; the slots across that begin and end there; the slots along outwards and back; the lines at the next
    cell aside, that of the same way and that across; that of the same way at the cell aside on the other side; that
    across one cell farther out.
    """
    step = STEPS[line & 1]
    BELOW[line] = found = _around(line, -step, line - step, line)
    return found


def above(line: int) -> Around:
    """Return the same for the free cell after the last one of a line."""
    step = STEPS[line & 1]
    ABOVE[line] = found = _around(line, step, line, line - step)
    return found


def _around(line: int, step: int, out: int, back: int) -> Around:
    across, aside = line ^ 1, STEPS[1 - (line & 1)]
    return _same(line, across, across - aside, out, back, line + aside, across + aside, line - aside, across + step)


def through(slot: int) -> Through:
    """Return the lines through a slot: at its first cell and its last, and at the free cells before and after.

    The other numbers are the slots exactly beside it, the next on both sides, and so on.
    """
    step, aside = STEPS[slot & 1], STEPS[1 - (slot & 1)]
    across, end = slot ^ 1, slot + step
    lines = (
        (*_same(slot, end, slot - step, end + step), step),
        (*_same(across, across, across - aside, across + aside), aside),
        (*_same(across + step, across + step, across + step - aside, across + step + aside), aside),
    )
    one, other, two, others, three, far = _same(*(slot + away * aside for away in (-1, 1, -2, 2, -3, 3)))
    THROUGH[slot] = found = lines, one, other, two, others, three, far
    return found


def _same(*numbers: int) -> Around:
    return tuple([LINES[number] for number in numbers])
