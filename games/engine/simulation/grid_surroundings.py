"""Slots of the square grid as numbers, with their surroundings and those of the ends of lines.

Cells are numbered by rows. The row through a cell has twice the number of the cell, the column 1 more. A slot has the
number of the line along it at its first cell.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.slots import Slot

WIDTH = 128  # cells in a row; more than the set can reach
MAX_COORDINATE = WIDTH // 2 - 4  # cells up to three beyond this still have a number
STEPS = (2, 2 * WIDTH)  # from a line to the parallel line one cell further, for rows and for columns
# Every number as one shared object: dictionary lookups compare identity first.
LINE_NUMBERS = tuple(range(2 * WIDTH * WIDTH))

Surroundings = tuple[int, ...]
LinesThrough = tuple[tuple[Surroundings, ...], Surroundings]
# Caches of the functions of these names, by line or slot.
SURROUNDINGS_OF_PRECEDING_CELL: list[Surroundings | None] = [None] * len(LINE_NUMBERS)
SURROUNDINGS_OF_FOLLOWING_CELL: list[Surroundings | None] = [None] * len(LINE_NUMBERS)
LINES_THROUGH: list[LinesThrough | None] = [None] * len(LINE_NUMBERS)


def slot_number(slot: Slot) -> int:
    """Return the number of a slot. Raises ``ValueError`` if tiles cannot reach it.

    >>> slot_from_number(slot_number(Slot("V", -3, 2)))
    Slot(way='V', x=-3, y=2)
    """
    way, x, y = slot
    if abs(x) > MAX_COORDINATE or abs(y) > MAX_COORDINATE:
        raise ValueError(slot)
    return 2 * (WIDTH * (y + WIDTH // 2) + x + WIDTH // 2) + (way == "V")


@lru_cache(maxsize=4096)
def slot_from_number(number: int) -> Slot:
    y, x = divmod(number // 2, WIDTH)
    return Slot("HV"[number % 2], x - WIDTH // 2, y - WIDTH // 2)


def surroundings_of_preceding_cell(line: int) -> Surroundings:
    """Return the surroundings of the free cell before the first one of a line.

    In order: the line there; the slots across that begin and end there; the slots along it outwards and back; the
    parallel line and the line across at the next cell aside; the parallel line on the other side; the line across one
    cell farther out.
    """
    step = STEPS[line & 1]
    SURROUNDINGS_OF_PRECEDING_CELL[line] = surroundings = _surroundings(line, -step, line - step, line)
    return surroundings


def surroundings_of_following_cell(line: int) -> Surroundings:
    """Return the same for the free cell after the last one of a line."""
    step = STEPS[line & 1]
    SURROUNDINGS_OF_FOLLOWING_CELL[line] = surroundings = _surroundings(line, step, line, line - step)
    return surroundings


def _surroundings(line: int, step: int, out: int, back: int) -> Surroundings:
    across, aside = line ^ 1, STEPS[1 - (line & 1)]
    return _intern_numbers(
        line, across, across - aside, out, back, line + aside, across + aside, line - aside, across + step
    )


def lines_through(slot: int) -> LinesThrough:
    """Return the three lines through a slot, and the parallel slots one, two and three steps before and after it.

    A line is its number at the slot's first and last cell and at the free cells before and after, and its step.
    """
    step, aside = STEPS[slot & 1], STEPS[1 - (slot & 1)]
    across, end = slot ^ 1, slot + step
    lines = (
        (*_intern_numbers(slot, end, slot - step, end + step), step),
        (*_intern_numbers(across, across, across - aside, across + aside), aside),
        (*_intern_numbers(across + step, across + step, across + step - aside, across + step + aside), aside),
    )
    parallel_slots = _intern_numbers(*(slot + away * aside for away in (-1, 1, -2, 2, -3, 3)))
    LINES_THROUGH[slot] = result = lines, parallel_slots
    return result


def _intern_numbers(*numbers: int) -> Surroundings:
    return tuple([LINE_NUMBERS[number] for number in numbers])
