"""The open slots of a square grid and what fits on each, in numbers: a tile changes only those at its lines' ends.

Cells are numbered in rows. A line through a cell is twice its number for its row, and 1 more for its column; a slot
has the number of the line that it lies along at its first cell. As lines only grow, what they allow on a slot can only
become less.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.runs import OPEN, UNTOUCHED, Run, across_between, along_between, run_of
from games.engine.layout.slots import Slot

MOST_ABREAST = 3
"""How many tiles of one orientation may lie exactly side by side."""
WIDTH = 128
"""More than the set reaches."""
REACH = WIDTH // 2 - 2
STEPS = (2, 2 * WIDTH)
"""From a line through a cell to the one through the next cell of its row, and of its column."""


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


class Openings:
    """``before`` and ``after`` are the runs that touch a free cell in a line.

    ``lying`` are the occupied slots; ``slots`` are the open ones, each with the set of the ordered pairs that fit, as
    bits (``rhythm.pair_bit``), never empty. ``allowed`` is what all lines through a slot allow there (``runs.OPEN``),
    0 where nothing can lie any more.
    """

    __slots__ = ("after", "allowed", "before", "lying", "slots")

    def __init__(self) -> None:
        self.before: dict[int, Run] = {}
        self.after: dict[int, Run] = {}
        self.lying: set[int] = set()
        self.slots: dict[int, int] = {}
        self.allowed: dict[int, int] = {}

    def copied(self) -> Openings:
        """Return the same, to be changed by itself."""
        other: Openings = object.__new__(Openings)
        other.before, other.after, other.lying = self.before.copy(), self.after.copy(), self.lying.copy()
        other.slots, other.allowed = self.slots.copy(), self.allowed.copy()
        return other

    def lay(self, slot: int, first: int, second: int) -> None:
        """Lay a tile with these halves. Whether it may lie there is not asked."""
        along, across = STEPS[slot & 1], slot ^ 1
        end, step = slot + along, STEPS[across & 1]
        self.close(slot, end, slot - along, across, across - step, across + along, across + along - step)
        self.stack(slot, step)
        self.join(slot, end, (first, second))
        self.join(across, across, (first,))
        self.join(across + along, across + along, (second,))

    def close(self, *slots: int) -> None:
        """Close slots for good."""
        for slot in slots:
            self.allowed[slot] = 0
            if slot in self.slots:
                del self.slots[slot]

    def stack(self, slot: int, step: int) -> None:
        """Lay a tile beside others, and close where it would be the fourth of its orientation exactly side by side."""
        lying = self.lying
        lying.add(slot)
        low, high = slot - step, slot + step
        while low in lying:
            low -= step
        while high in lying:
            high += step
        for beside, away in ((low, -step), (high, step)):
            far = beside + away
            while far in lying:
                far += away
            if high - low + abs(far - beside) > (MOST_ABREAST + 1) * step:
                self.close(beside)

    def join(self, first: int, last: int, numbers: tuple[int, ...]) -> None:
        """Put numbers on a line, from a free cell to another, and narrow what fits at the ends of the run."""
        before, after, step = self.before, self.after, STEPS[first & 1]
        low, high = first - step, last + step
        near = before.pop(first, None)
        if near:
            numbers = near.numbers + numbers
            low -= step * near.length
        near = after.pop(last, None)
        if near:
            numbers += near.numbers
            high += step * near.length
        after[low] = before[high] = run = run_of(numbers)
        gap, beyond = before.get(low), before.get(low - step)
        across = across_between(gap, run) if gap else run.behind
        self.narrow(low, low - step, across, along_between(beyond, run) if beyond else run.along_behind)
        gap, beyond = after.get(high), after.get(high + step)
        across = across_between(run, gap) if gap else run.ahead
        self.narrow(high, high, across, along_between(run, beyond) if beyond else run.along_ahead)

    def narrow(self, line: int, outward: int, across: tuple[int, int], along: int) -> None:
        """Leave on the slots at the end of a line only what the line allows: the two across, the one outward along."""
        allowed, slots, other = self.allowed, self.slots, line ^ 1
        first, second = across
        for slot, pairs in ((other, first), (other - STEPS[other & 1], second), (outward, along)):
            allowed[slot] = pairs = allowed.get(slot, UNTOUCHED) & pairs
            if pairs < OPEN:
                if pairs:
                    slots[slot] = pairs
                elif slot in slots:
                    del slots[slot]

    def lengths(self, slot: int) -> tuple[int, int, int]:
        """Return the new lengths of the lines through a slot: that along it, and those across its two cells."""
        end = slot + STEPS[slot & 1]
        across, end_across = slot ^ 1, end ^ 1
        return self.length(slot, end, 2), self.length(across, across, 1), self.length(end_across, end_across, 1)

    def length(self, first: int, last: int, length: int) -> int:
        """Return the new length of a line on which these free cells are filled."""
        before, after = self.before.get(first), self.after.get(last)
        if before:
            length += before.length
        return length + after.length if after else length
