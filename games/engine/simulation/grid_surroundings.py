"""Slots of the square grid as numbers, with their surroundings and those of the ends of lines.

Cells are numbered by rows. The row through a cell has twice the number of the cell, the column 1 more. A slot has the
number of the line along it at its first cell.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.slots import Slot

WIDTH = 128  # cells in a row; more than the set can reach
REACH = WIDTH // 2 - 4  # cells up to three beyond this still have a number
STEPS = (2, 2 * WIDTH)  # from a line to the parallel line one cell further, for rows and for columns
LINES = tuple(range(2 * WIDTH * WIDTH))  # every number as one shared object: dictionary lookups compare identity first

Around = tuple[int, ...]
Through = tuple[tuple[Around, ...], int, int, int, int, int, int]
# Caches of ``below``, ``above`` and ``through``, by line or slot.
BELOW: list[Around | None] = [None] * len(LINES)
ABOVE: list[Around | None] = [None] * len(LINES)
THROUGH: list[Through | None] = [None] * len(LINES)


def slot_number(slot: Slot) -> int:
    """Return the number of a slot. Raises ``ValueError`` if tiles cannot reach it.

    >>> slot_of(slot_number(Slot("V", -3, 2)))
    Slot(way='V', x=-3, y=2)
    """
    way, x, y = slot
    if abs(x) > REACH or abs(y) > REACH:
        raise ValueError(slot)
    return 2 * (WIDTH * (y + WIDTH // 2) + x + WIDTH // 2) + (way == "V")


@lru_cache(maxsize=4096)
def slot_of(number: int) -> Slot:
    y, x = divmod(number // 2, WIDTH)
    return Slot("HV"[number % 2], x - WIDTH // 2, y - WIDTH // 2)


def below(line: int) -> Around:
    """Return the surroundings of the free cell before the first one of a line.

    In order: the line there; the slots across that begin and end there; the slots along it outwards and back; the
    parallel line and the line across at the next cell aside; the parallel line on the other side; the line across one
    cell farther out.
    """
    step = STEPS[line & 1]
    BELOW[line] = around = _around(line, -step, line - step, line)
    return around


def above(line: int) -> Around:
    """Return the same for the free cell after the last one of a line."""
    step = STEPS[line & 1]
    ABOVE[line] = around = _around(line, step, line, line - step)
    return around


def _around(line: int, step: int, out: int, back: int) -> Around:
    across, aside = line ^ 1, STEPS[1 - (line & 1)]
    return _same(line, across, across - aside, out, back, line + aside, across + aside, line - aside, across + step)


def through(slot: int) -> Through:
    """Return the three lines through a slot, and the parallel slots one, two and three steps before and after it.

    A line is its number at the slot's first and last cell and at the free cells before and after, and its step.
    """
    step, aside = STEPS[slot & 1], STEPS[1 - (slot & 1)]
    across, end = slot ^ 1, slot + step
    lines = (
        (*_same(slot, end, slot - step, end + step), step),
        (*_same(across, across, across - aside, across + aside), aside),
        (*_same(across + step, across + step, across + step - aside, across + step + aside), aside),
    )
    one, two, three, four, five, six = _same(*(slot + away * aside for away in (-1, 1, -2, 2, -3, 3)))
    THROUGH[slot] = result = lines, one, two, three, four, five, six
    return result


def _same(*numbers: int) -> Around:
    return tuple([LINES[number] for number in numbers])
