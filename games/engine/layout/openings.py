"""The open slots of a square grid and what fits on each, in numbers: a tile changes only those at its lines' ends.

Cells are numbered in rows. A line through a cell is twice its number for its row, and 1 more for its column; a slot
has the number of the line that it lies along at its first cell. As lines only grow, what they allow on a slot can only
become less.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from games.engine.layout.runs import OPEN, UNTOUCHED, Numbers, Run, allowed_between, run_of
from games.engine.layout.slots import Slot, spot

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


@lru_cache(maxsize=16384)
def numbered(place: str) -> tuple[int, int, int]:
    """Return the number of the slot and the halves of a placement. Raises ``ValueError`` as ``slot_number`` does."""
    slot, first, second = spot(place)
    return slot_number(slot), first, second


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

    def lay(self, slot: int, first: int, second: int) -> tuple[int, ...]:
        """Lay a tile with these halves. Whether it may lie there is not asked. Return what ``lengths`` would have."""
        step, across = STEPS[slot & 1], slot ^ 1
        end, aside = slot + step, STEPS[across & 1]
        self.close((slot, end, slot - step, across, across - aside, across + step, across + step - aside))
        self.stack(slot, aside)
        return (
            self.join(slot, end, (first, second)),
            self.join(across, across, (first,)),
            self.join(across + step, across + step, (second,)),
        )

    def close(self, closed: Iterable[int]) -> None:
        """Close slots for good."""
        allowed, slots = self.allowed, self.slots
        for slot in closed:
            allowed[slot] = 0
            if slot in slots:
                del slots[slot]

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
                self.close((beside,))

    def join(self, first: int, last: int, numbers: Numbers) -> int:
        """Put numbers on a line, from a free cell to another, and narrow what fits at the ends. Return its length."""
        before, after, step = self.before, self.after, STEPS[first & 1]
        low, high = first - step, last + step
        if first in before:
            near = before.pop(first)
            numbers = near.numbers + numbers
            low -= step * near.length
        if last in after:
            near = after.pop(last)
            numbers += near.numbers
            high += step * near.length
        after[low] = before[high] = run = run_of(numbers)
        outward, beyond, allowed = low - step, high + step, run.allowed
        if low in before or outward in before or high in after or beyond in after:
            allowed = allowed_between(before.get(low), before.get(outward), run, after.get(high), after.get(beyond))
        begin, end = low ^ 1, high ^ 1
        aside = STEPS[begin & 1]
        self.narrow((begin, begin - aside, outward, end, end - aside, high), allowed)
        return run.length

    def narrow(self, narrowed: Iterable[int], lines: Iterable[int]) -> None:
        """Leave on each of these slots only what the line allows there, too."""
        allowed, slots = self.allowed, self.slots
        for slot, pairs in zip(narrowed, lines, strict=True):
            before = allowed.get(slot, UNTOUCHED)
            if before:
                allowed[slot] = pairs = before & pairs
                if pairs < OPEN:
                    if pairs:
                        slots[slot] = pairs
                    elif slot in slots:
                        del slots[slot]

    def lengths(self, slot: int) -> tuple[int, ...]:
        """Return the new lengths of the lines through a slot: that along it, and those across its two cells."""
        before, after, lengths = self.before, self.after, list[int]()
        end = slot + STEPS[slot & 1]
        for first, last, length in ((slot, end, 2), (slot ^ 1, slot ^ 1, 1), (end ^ 1, end ^ 1, 1)):
            if first in before:
                length += before[first].length
            if last in after:
                length += after[last].length
            lengths.append(length)
        return tuple(lengths)
