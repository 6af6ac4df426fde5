"""The open slots of a square grid and what fits on each, in numbers: a tile changes only those at its lines' ends.

Cells are numbered in rows. A line through a cell is twice its number for its row, and 1 more for its column; a slot
has the number of the line that it lies along at its first cell. As lines only grow, what fits on a slot that is once
open can only become less.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from games.engine.layout.rhythm import FIRST, SECOND, numbers_between, pairs_between
from games.engine.layout.slots import Slot

MOST_ABREAST = 3
"""How many tiles of one orientation may lie exactly side by side."""
WIDTH = 128
"""More than the set reaches."""
REACH = WIDTH // 2 - 2
STEPS = (2, 2 * WIDTH)
"""From a line through a cell to the one through the next cell of its row, and of its column."""
Numbers = tuple[int, ...]
NONE: Numbers = ()


def slot_number(slot: Slot) -> int:
    """Return the number of a slot. Raises ``ValueError`` if it is farther away than tiles can lie.

    >>> slot_of(slot_number(Slot("V", -3, 2)))
    Slot(way='V', x=-3, y=2)
    """
    way, x, y = slot
    if abs(x) > REACH or abs(y) > REACH:
        raise ValueError(slot)
    return 2 * (WIDTH * (y + WIDTH // 2) + x + WIDTH // 2) + (way == "V")


@lru_cache(maxsize=4096)
def slot_of(number: int) -> Slot:
    """Return the slot of a number."""
    y, x = divmod(number // 2, WIDTH)
    return Slot("HV"[number % 2], x - WIDTH // 2, y - WIDTH // 2)


class Openings:
    """``before`` and ``after`` are the numbers that touch a free cell in a line, as they lie.

    ``lying`` are the occupied slots; ``slots`` are the open ones, each with the set of the ordered pairs that fit, as
    bits (``rhythm.pair_bit``), never empty. ``waiting`` are those on which a tile would extend only one line, each
    with that line and the pairs that it allows; ``closed`` are those on which nothing can lie any more.
    """

    __slots__ = ("after", "before", "closed", "lying", "slots", "waiting")

    def __init__(self) -> None:
        self.before: dict[int, Numbers] = {}
        self.after: dict[int, Numbers] = {}
        self.lying: set[int] = set()
        self.slots: dict[int, int] = {}
        self.waiting: dict[int, tuple[int, int]] = {}
        self.closed: set[int] = set()

    def copied(self) -> Openings:
        """Return the same, to be changed by itself."""
        other: Openings = object.__new__(Openings)
        other.before, other.after = self.before.copy(), self.after.copy()
        other.lying, other.closed = self.lying.copy(), self.closed.copy()
        other.slots, other.waiting = self.slots.copy(), self.waiting.copy()
        return other

    def lay(self, slot: int, first: int, second: int) -> None:
        """Lay a tile with these halves. Whether it may lie there is not asked."""
        end = slot + STEPS[slot & 1]
        self.lying.add(slot)
        for cell in (slot & -2, end & -2):
            self.close((cell, cell - STEPS[0], cell + 1, cell + 1 - STEPS[1]))
        ends = (
            *self.joined(slot, end, (first, second)),
            *self.joined(slot ^ 1, slot ^ 1, (first,)),
            *self.joined(end ^ 1, end ^ 1, (second,)),
        )
        self.close(filter(self.is_stacked, self.beside(slot)))
        for number, line in enumerate(ends):
            self.narrow(line, line if number & 1 else line - STEPS[line & 1])

    def joined(self, first: int, last: int, numbers: Numbers) -> tuple[int, int]:
        """Put numbers on a line, from a first free cell to a last. Return the line at the free cells at its ends."""
        step = STEPS[first & 1]
        before, after = self.before.pop(first, NONE), self.after.pop(last, NONE)
        low, high = first - step * (len(before) + 1), last + step * (len(after) + 1)
        self.after[low] = self.before[high] = before + numbers + after
        return low, high

    def close(self, slots: Iterable[int]) -> None:
        """Close slots for good."""
        for slot in slots:
            self.closed.add(slot)
            self.slots.pop(slot, None)

    def narrow(self, line: int, outward: int) -> None:
        """Look again at the slots on the free cell at the end of a line: the two across, and the one outward along."""
        before, after = self.before.get, self.after.get
        numbers, across = numbers_between(before(line, NONE), after(line, NONE)), line ^ 1
        along = pairs_between(before(outward, NONE), after(outward + STEPS[line & 1], NONE))
        self.allow(across, FIRST[numbers], line)
        self.allow(across - STEPS[across & 1], SECOND[numbers], line)
        self.allow(outward, along, outward)

    def allow(self, slot: int, pairs: int, line: int) -> None:
        """Leave on a slot no other pairs than these, which a line through it allows. A second line opens it."""
        if slot in self.slots:
            pairs &= self.slots[slot]
        elif slot in self.closed:
            return
        else:
            first, allowed = self.waiting.get(slot, (line, pairs))
            if first == line:
                self.waiting[slot] = line, pairs
                return
            pairs &= 0 if self.is_stacked(slot) else allowed
        if pairs:
            self.slots[slot] = pairs
        else:
            self.close((slot,))

    def beside(self, slot: int) -> tuple[int, int]:
        """Return the first slots without a tile beside a slot, exactly side by side with what lies there."""
        step = STEPS[~slot & 1]
        low = high = slot
        while low in self.lying or low == slot:
            low -= step
        while high in self.lying or high == slot:
            high += step
        return low, high

    def is_stacked(self, slot: int) -> bool:
        """Return whether a tile here would be the fourth of its orientation exactly side by side."""
        low, high = self.beside(slot)
        return high - low > (MOST_ABREAST + 1) * STEPS[~slot & 1]

    def lengths(self, slot: int) -> tuple[int, int, int]:
        """Return the new lengths of the lines through a slot: that along it, and those across its two cells."""
        before, after, end = self.before.get, self.after.get, slot + STEPS[slot & 1]
        return (
            2 + len(before(slot, NONE)) + len(after(end, NONE)),
            1 + len(before(slot ^ 1, NONE)) + len(after(slot ^ 1, NONE)),
            1 + len(before(end ^ 1, NONE)) + len(after(end ^ 1, NONE)),
        )
