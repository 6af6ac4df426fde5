"""The open slots of a square grid and the pairs that fit on them. A tile changes only the slots at its lines' ends.

Slots and lines are numbers (``grid_surroundings``). Lines only grow, so a slot never allows more than before.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.grid import MAX_ABREAST, GridTile
from games.engine.layout.slots import parse_place
from games.engine.simulation.grid_runs import NUMBER_PAIRS, UNTOUCHED_GAP, Gap, pairs_joining, run_of
from games.engine.simulation.grid_surroundings import (
    LINES_THROUGH,
    STEPS,
    SURROUNDINGS_OF_FOLLOWING_CELL,
    SURROUNDINGS_OF_PRECEDING_CELL,
    Surroundings,
    lines_through,
    slot_number,
    surroundings_of_following_cell,
    surroundings_of_preceding_cell,
)

# The piece that each pair adds to the line along its slot, and the pieces it adds to the two lines across.
PIECES_BY_NUMBER_PAIR = tuple(
    [
        (pair, len(NUMBER_PAIRS) + first - 1, len(NUMBER_PAIRS) + second - 1)
        for pair, (first, second) in enumerate(NUMBER_PAIRS)
    ]
)


@lru_cache(maxsize=16384)
def slot_and_pair(place: str) -> tuple[int, int]:
    """Return the numbers of a placement's slot and pair. Raises ``ValueError`` for slots out of reach."""
    slot, first, second = parse_place(place)
    return slot_number(slot), NUMBER_PAIRS.index((first, second))


class OpenSlots:
    """``slots`` are the open slots with the set of ordered pairs that fit, which may be empty.

    ``occupied`` are the slots with a tile, ``stacked`` those closed by the stack rule; ``gaps`` are the free cells
    next to runs, by line.
    """

    __slots__ = ("gaps", "occupied", "slots", "stacked")

    def __init__(self) -> None:
        self.gaps: dict[int, Gap] = {}
        self.occupied: set[int] = set()
        self.slots: dict[int, int] = {}
        self.stacked: frozenset[int] = frozenset()

    def copy(self) -> OpenSlots:
        other: OpenSlots = object.__new__(OpenSlots)
        other.gaps, other.occupied = self.gaps.copy(), self.occupied.copy()
        other.slots, other.stacked = self.slots.copy(), self.stacked
        return other

    def place(self, slot: int, pair: int) -> int:
        """Place a tile without checking it. Return the product of the lengths of the lines it extends."""
        gaps, slots, occupied, get, product = self.gaps, self.slots, self.occupied, self.gaps.get, 1
        lines, parallel_slots = LINES_THROUGH[slot] or lines_through(slot)
        slots.pop(slot, None)
        for (first_line, last_line, low, high, step), piece in zip(lines, PIECES_BY_NUMBER_PAIR[pair]):  # noqa: B905 (three of each)
            run_before = get(first_line, UNTOUCHED_GAP).before
            run_after = get(last_line, UNTOUCHED_GAP).after
            if run_after.length:
                run = run_after.runs_before[piece] or run_after.with_piece_prepended(piece)
                high += step * run_after.length
                if run_before.length:
                    run = run_of(run_before.numbers + run.numbers)
                    low -= step * run_before.length
                product *= run.length
            else:
                run = run_before.runs_after[piece] or run_before.with_piece_appended(piece)
                if run_before.length:
                    low -= step * run_before.length
                    product *= run.length
            limit = self.narrow_gap if low in gaps else self.open_gap_of_line
            limit(SURROUNDINGS_OF_PRECEDING_CELL[low] or surroundings_of_preceding_cell(low), run.behind)
            limit = self.narrow_gap if high in gaps else self.open_gap_of_line
            limit(SURROUNDINGS_OF_FOLLOWING_CELL[high] or surroundings_of_following_cell(high), run.ahead)
        occupied.add(slot)
        slot_before1, slot_after1, slot_before2, slot_after2, slot_before3, slot_after3 = parallel_slots
        near = slot_before1 in occupied or slot_after1 in occupied
        far_before = slot_before2 in occupied and slot_before3 in occupied
        if near or far_before or (slot_after2 in occupied and slot_after3 in occupied):
            self.close_stacked(slot, slot_after1 - slot)
        return product

    def narrow_gap(self, surroundings: Surroundings, gap: Gap) -> None:
        """Replace a gap of the line by one that allows less, and update the open slots at it."""
        gaps, slots = self.gaps, self.slots
        line, across, ending, out, back, _, _, _, _ = surroundings
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
            self.open_slot(out)

    def open_gap_of_line(self, surroundings: Surroundings, gap: Gap) -> None:
        """Add a gap to a line that had none there. The slot back to the tile closes; slots of two lines open."""
        gaps, slots = self.gaps, self.slots
        line, across, ending, out, back, aside, aside_across, behind, out_across = surroundings
        gaps[line] = gap
        if back in slots:
            del slots[back]
        if across in gaps:
            if not gaps[across].after.length:
                self.open_slot(across)
            if not gaps[across].before.length:
                self.open_slot(ending)
            if out not in self.stacked:
                self.open_slot(out)
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
            self.open_slot(out)

    def open_slot(self, slot: int) -> None:
        """Compute the pairs that all lines through a free slot allow."""
        get, end = self.gaps.get, slot + STEPS[slot & 1]
        first_cell_gap, second_cell_gap = get(slot, UNTOUCHED_GAP), get(end, UNTOUCHED_GAP)
        if first_cell_gap.before.length and second_cell_gap.after.length:
            along = pairs_joining(first_cell_gap.before, second_cell_gap.after)
        else:
            along = first_cell_gap.forth & second_cell_gap.back
        pairs = along & get(slot ^ 1, UNTOUCHED_GAP).first & get(end ^ 1, UNTOUCHED_GAP).second
        if pairs:
            self.slots[slot] = pairs
        elif slot in self.slots:
            del self.slots[slot]

    def close_stacked(self, slot: int, step: int) -> None:
        """Close the slots where a tile would now be the fourth of its orientation exactly side by side."""
        occupied = self.occupied
        low, high = slot - step, slot + step
        while low in occupied:
            low -= step
        while high in occupied:
            high += step
        for beside, away in ((low, -step), (high, step)):
            far = beside + away
            while far in occupied:
                far += away
            if high - low + abs(far - beside) > (MAX_ABREAST + 1) * step:
                self.stacked |= {beside}
                self.slots.pop(beside, None)

    def product(self, slot: int) -> int:
        """Return the product of the lengths of the lines that a tile on a slot would extend."""
        get, end = self.gaps.get, slot + STEPS[slot & 1]
        along = get(slot, UNTOUCHED_GAP).before.length + 2 + get(end, UNTOUCHED_GAP).after.length
        first, second = get(slot ^ 1, UNTOUCHED_GAP).length, get(end ^ 1, UNTOUCHED_GAP).length
        return first * second * along if along > 2 else first * second


@lru_cache(maxsize=256)
def open_slots_of(tiles: tuple[GridTile, ...]) -> OpenSlots:
    """Return the open slots of a layout, derived from those before its last tile. Callers must copy before changes."""
    if not tiles:
        return OpenSlots()
    *earlier, (_, slot, first, second, _) = tiles
    open_slots = open_slots_of(tuple(earlier)).copy()
    open_slots.place(slot_number(slot), NUMBER_PAIRS.index((first, second)))
    return open_slots
