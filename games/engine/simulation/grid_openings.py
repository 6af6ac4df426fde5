"""The open slots of a square grid and what fits on each: a tile changes only those at its lines' ends.

Slots and lines are numbers (``surroundings``). As lines only grow, what they allow on a slot can only become less.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.grid import MAX_ABREAST, GridTile
from games.engine.layout.slots import spot
from games.engine.simulation.grid_runs import PAIRS, UNTOUCHED, Gap, pairs_joining, run_of
from games.engine.simulation.grid_surroundings import (
    ABOVE,
    BELOW,
    STEPS,
    THROUGH,
    Around,
    above,
    below,
    slot_number,
    through,
)

PARTS = tuple([(pair, len(PAIRS) + first - 1, len(PAIRS) + second - 1) for pair, (first, second) in enumerate(PAIRS)])
"""The piece that each pair puts on the line along its slot, and those that it puts on the two across."""


@lru_cache(maxsize=16384)
def numbered(place: str) -> tuple[int, int]:
    """Return the numbers of the slot and of the pair of a placement. Raises ``ValueError`` as ``slot_number`` does."""
    slot, first, second = spot(place)
    return slot_number(slot), PAIRS.index((first, second))


class Openings:
    """``gaps`` are the free cells that a run touches, by line.

    ``lying`` are the occupied slots, ``stacked`` those that the stack rule closes; ``slots`` are the open ones, each
    with the set of the ordered pairs that fit, as bits (``rhythm.pair_bit``), perhaps none any more.
    """

    __slots__ = ("gaps", "lying", "slots", "stacked")

    def __init__(self) -> None:
        self.gaps: dict[int, Gap] = {}
        self.lying: set[int] = set()
        self.slots: dict[int, int] = {}
        self.stacked: frozenset[int] = frozenset()

    def copied(self) -> Openings:
        """Return the same, to be changed by itself."""
        other: Openings = object.__new__(Openings)
        other.gaps, other.lying = self.gaps.copy(), self.lying.copy()
        other.slots, other.stacked = self.slots.copy(), self.stacked
        return other

    def lay(self, slot: int, pair: int) -> int:
        """Lay a tile, whether it may lie there or not. Return the product of the lengths of the lines it extends."""
        gaps, slots, lying, get, product = self.gaps, self.slots, self.lying, self.gaps.get, 1
        lines, one, other, two, others, three, far = THROUGH[slot] or through(slot)
        slots.pop(slot, None)
        for (first, last, low, high, step), piece in zip(lines, PARTS[pair]):  # noqa: B905 (three of each)
            before, after = get(first, UNTOUCHED).before, get(last, UNTOUCHED).after
            if after.length:
                run = after.led[piece] or after.with_before(piece)
                high += step * after.length
                if before.length:
                    run = run_of(before.numbers + run.numbers)
                    low -= step * before.length
                product *= run.length
            else:
                run = before.then[piece] or before.with_after(piece)
                if before.length:
                    low -= step * before.length
                    product *= run.length
            if low in gaps:
                self.narrow(BELOW[low] or below(low), run.behind)
            else:
                self.touch(BELOW[low] or below(low), run.behind)
            if high in gaps:
                self.narrow(ABOVE[high] or above(high), run.ahead)
            else:
                self.touch(ABOVE[high] or above(high), run.ahead)
        lying.add(slot)
        if one in lying or other in lying or (two in lying and three in lying) or (others in lying and far in lying):
            self.stack(slot, other - slot)
        return product

    def narrow(self, rim: Around, gap: Gap) -> None:
        """Let a line end at a gap where one of its way ended before: less fits on the slots there that are open."""
        gaps, slots = self.gaps, self.slots
        line, across, ending, out, back, _, _, _, _ = rim
        beyond = gaps[line].before if gap.after.length else gaps[line].after
        if beyond.length:
            gap = Gap(beyond, gap.after) if gap.after.length else Gap(gap.before, beyond)
            if back in slots:
                del slots[back]
        gaps[line] = gap
        if across in slots:
            if pairs := slots[across] & gap.first:
                slots[across] = pairs
            else:
                del slots[across]
        if ending in slots:
            if pairs := slots[ending] & gap.second:
                slots[ending] = pairs
            else:
                del slots[ending]
        if out in slots:
            self.open(out)

    def touch(self, rim: Around, gap: Gap) -> None:
        """Let a line end at a gap where none did: the slot back to its tile closes, and those of two lines open."""
        gaps, slots = self.gaps, self.slots
        line, across, ending, out, back, aside, aside_across, behind, out_across = rim
        gaps[line] = gap
        if back in slots:
            del slots[back]
        if across in gaps:
            if not gaps[across].after.length:
                self.open(across)
            if not gaps[across].before.length:
                self.open(ending)
            if out not in self.stacked:
                self.open(out)
            return
        if aside in gaps:
            slots[across] = gap.first & gaps[aside].second
            if aside_across in gaps:
                slots[across] &= gaps[aside_across].back
        elif aside_across in gaps:
            slots[across] = gap.first & gaps[aside_across].back
        if behind in gaps:
            slots[ending] = gap.second & gaps[behind].first
            if ending in gaps:
                slots[ending] &= gaps[ending].forth
        elif ending in gaps:
            slots[ending] = gap.second & gaps[ending].forth
        if out_across in gaps:
            self.open(out)

    def open(self, slot: int) -> None:
        """Work out what all lines through a free slot allow there."""
        get, end = self.gaps.get, slot + STEPS[slot & 1]
        start_gap, end_gap = get(slot, UNTOUCHED), get(end, UNTOUCHED)
        if start_gap.before.length and end_gap.after.length:
            along = pairs_joining(start_gap.before, end_gap.after)
        else:
            along = start_gap.forth & end_gap.back
        pairs = along & get(slot ^ 1, UNTOUCHED).first & get(end ^ 1, UNTOUCHED).second
        if pairs:
            self.slots[slot] = pairs
        elif slot in self.slots:
            del self.slots[slot]

    def stack(self, slot: int, step: int) -> None:
        """Close where a tile would be the fourth of its orientation exactly side by side, now that one lies here."""
        lying = self.lying
        low, high = slot - step, slot + step
        while low in lying:
            low -= step
        while high in lying:
            high += step
        for beside, away in ((low, -step), (high, step)):
            far = beside + away
            while far in lying:
                far += away
            if high - low + abs(far - beside) > (MAX_ABREAST + 1) * step:
                self.stacked |= {beside}
                self.slots.pop(beside, None)

    def product(self, slot: int) -> int:
        """Return the product of the new lengths of the lines that a tile on a slot extends."""
        get, end = self.gaps.get, slot + STEPS[slot & 1]
        along = get(slot, UNTOUCHED).before.length + 2 + get(end, UNTOUCHED).after.length
        first, second = get(slot ^ 1, UNTOUCHED).length, get(end ^ 1, UNTOUCHED).length
        return first * second * along if along > 2 else first * second


@lru_cache(maxsize=256)
def openings_of(tiles: tuple[GridTile, ...]) -> Openings:
    """Return the openings between the tiles of a layout, from those before the last tile. Copy them to change them."""
    if not tiles:
        return Openings()
    *before, (_, slot, first, second, _) = tiles
    openings = openings_of(tuple(before)).copied()
    openings.lay(slot_number(slot), PAIRS.index((first, second)))
    return openings
