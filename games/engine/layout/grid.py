"""The square grid: two-sided tiles on any cells, with every run of touching cells in a row or column one rhythm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from games.engine.layout.openings import MOST_ABREAST, Openings, numbered
from games.engine.layout.rhythm import (
    ALL_NUMBERS,
    VALUES,
    number_bit,
    numbers_between,
    pair_bit,
    pairs_between,
    pairs_of,
)
from games.engine.layout.runs import PAIRS
from games.engine.layout.slots import STEPS, Cell, Slot, abreast, cells_of, place_text, read_place, spot
from games.engine.layout.surroundings import WIDTH, slot_number, slot_of
from games.engine.moves import Play
from games.engine.tiles import Tile

FEWEST_LINES = 2
"""How many lines a tile must extend."""


class GridTile(NamedTuple):
    """A tile on the grid: its slot, its halves as they lie, and when it was laid (0 for the first)."""

    tile: Tile
    slot: Slot
    first: int
    second: int
    order: int


class GridLine(NamedTuple):
    """A maximal run of occupied cells: ``H`` a row, ``V`` a column, from (x, y) on, ``length`` in halves."""

    way: str
    x: int
    y: int
    length: int


@dataclass(frozen=True)
class Grid:
    """The tiles in the order they were laid, and what fits where, which follows from them and is kept for speed."""

    tiles: tuple[GridTile, ...] = ()
    openings: Openings = field(default_factory=Openings, compare=False, repr=False)

    @cached_property
    def values(self) -> Mapping[Cell, int]:
        """The number on each occupied cell."""
        halves = [zip(cells_of(slot), (first, second), strict=True) for _, slot, first, second, _ in self.tiles]
        return dict(chain(*halves))

    @cached_property
    def lying(self) -> frozenset[Slot]:
        """Each occupied slot."""
        return frozenset([placed.slot for placed in self.tiles])

    @property
    def slots(self) -> Mapping[Slot, int]:
        """The slots where a tile may be laid, each with the set of ordered pairs that fit, as bits."""
        return {slot_of(number): pairs for number, pairs in self.openings.slots.items() if pairs}

    # Laying tiles

    def fits(self, tiles: Iterable[Tile]) -> bool:
        """Return whether one of the tiles may be laid anywhere."""
        held = pairs_of_tiles(tiles)
        for pairs in self.openings.slots.values():  # noqa: SIM110 (faster than any, and asked after every move)
            if pairs & held:
                return True
        return False

    def takes(self, slot: Slot, first: int, second: int) -> bool:
        """Return whether a tile may be laid on a slot with these halves."""
        return bool(self.openings.slots.get(slot_number(slot), 0) & pair_bit(first, second))

    def places(self, tile: Tile) -> tuple[str, ...]:
        """Return every placement of the tile."""
        return tuple([play.place for play in self.plays((tile,))])

    def plays(self, tiles: Iterable[Tile]) -> list[Play]:
        """Return every placement of these tiles, tile by tile. Two copies of a tile make one."""
        found: dict[Tile, list[Play]] = {tile: [] for tile in tiles}
        held = pairs_of_tiles(found)
        for slot, pairs in self.openings.slots.items():
            if fitting := pairs & held:
                here = plays_on(slot)
                for each in reversed(LOWER[fitting & LOW_PAIRS] + HIGHER[fitting >> PART]):
                    play = here[each]
                    found[play.tile].append(play)
        return list(chain.from_iterable(found.values()))

    def admits(self, tile: Tile, place: str) -> bool:
        """Return whether the place is one of the tile's places."""
        try:
            slot, pair = numbered(place)
        except ValueError:
            return False
        return LAID[pair] == tile and bool(self.openings.slots.get(slot, 0) & 1 << pair)

    def place(self, tile: Tile, place: str) -> Grid:
        """Return the grid with the tile laid."""
        openings = self.openings.copied()
        openings.lay(*numbered(place))
        slot, first, second = spot(place)
        return Grid((*self.tiles, GridTile(tile, slot, first, second, len(self.tiles))), openings)

    def text(self, tile: Tile, place: str) -> str:
        """Write a placement; the place already names the tile."""
        return place

    def read(self, text: str) -> tuple[Tile, str] | None:
        """Read a placement; None if it is not one. Whether the tile exists is not asked here."""
        found = read_place(text)
        return ((max(found[1:]), min(found[1:])), text) if found else None

    # What is allowed

    def objection(self, place: str) -> str:
        """Return what is wrong with a placement: ``free``, ``valid``, ``two``, ``stack`` or ``""``.

        >>> start = Grid().place((4, 2), "H(0,0)=2-4").place((3, 1), "H(0,1)=3-1")
        >>> [start.objection(place) for place in ("V(2,0)=5-2", "V(1,0)=5-2", "V(2,0)=4-2", "H(2,0)=5-1")]
        ['', 'free', 'valid', 'two']
        """
        slot, first, second = spot(place)
        if not self.is_free(slot):
            return "free"
        if not self.pairs(slot) & pair_bit(first, second):
            return "valid"
        return self.objection_to_slot(slot)

    def objection_to_slot(self, slot: Slot) -> str:
        """Return what is wrong with a slot whatever the tile: ``free``, ``two``, ``stack`` or ``""``."""
        if not self.is_free(slot):
            return "free"
        if self.lines_extended(slot) < FEWEST_LINES:
            return "two"
        return "stack" if self.is_stacked(slot) else ""

    def pairs(self, slot: Slot) -> int:
        """Return the ordered pairs with which every line through a free slot is one rhythm, as bits."""
        start, end = cells_of(slot)
        across = "V" if slot.way == "H" else "H"
        along = pairs_between(self.run(start, slot.way, -1)[::-1], self.run(end, slot.way, 1))
        return along & pairs_of(self.numbers_in_line(start, across), self.numbers_in_line(end, across))

    def is_free(self, slot: Slot) -> bool:
        """Return whether nothing lies on the slot."""
        start, end = cells_of(slot)
        return start not in self.values and end not in self.values

    def is_stacked(self, slot: Slot) -> bool:
        """Return whether a tile here would be the fourth of its orientation exactly side by side."""
        beside = 0
        for step in (-1, 1):
            away = step
            while abreast(slot, away) in self.lying:
                away += step
            beside += abs(away) - 1
        return beside >= MOST_ABREAST

    def extended(self, slot: Slot) -> tuple[GridLine, ...]:
        """Return the lines that a tile on a free slot extends, each with its new length: row first, then columns.

        (For a ``V`` the column first, then its rows.) A line that joins two former ones is one line.
        """
        start, end = cells_of(slot)
        across = "V" if slot.way == "H" else "H"
        lines = (self._line(start, end, slot.way), self._line(start, start, across), self._line(end, end, across))
        return tuple(line for line, new in zip(lines, (2, 1, 1), strict=True) if line.length > new)

    def lines_extended(self, slot: Slot) -> int:
        """Return how many lines a tile on a free slot extends, faster than by ``extended``."""
        way, x, y = slot
        right, down = STEPS[way]
        end_x, end_y = x + right, y + down
        near = (
            ((x - right, y - down), (end_x + right, end_y + down)),
            ((x - down, y - right), (x + down, y + right)),
            ((end_x - down, end_y - right), (end_x + down, end_y + right)),
        )
        values = self.values
        return sum(one in values or other in values for one, other in near)

    def lengths(self, place: str) -> tuple[int, ...]:
        """Return the new lengths of the lines through a placement: that along it, and those across its two cells."""
        return self.openings.lengths(numbered(place)[0])

    # What is still possible, for viewers of the table

    def numbers(self, cell: Cell) -> tuple[int, ...]:
        """Return the numbers that both lines through a free cell still allow; with none it stays empty for good."""
        found = self.numbers_in_line(cell, "H") & self.numbers_in_line(cell, "V")
        return tuple(number for number in VALUES if found & number_bit(number))

    def border(self) -> dict[Cell, tuple[int, ...]]:
        """Return every free cell beside an occupied one with the numbers it still allows, rows from above."""
        cells = {(x + right, y + down) for x, y in self.values for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        free = sorted(cells - self.values.keys(), key=lambda cell: (cell[1], cell[0]))
        return {cell: self.numbers(cell) for cell in free}

    def stacked(self) -> tuple[Slot, ...]:
        """Return the slots that only the stack rule closes, in order."""
        slots = {abreast(slot, step) for slot in self.lying for step in (-1, 1)}
        return tuple(slot for slot in sorted(slots) if self.objection_to_slot(slot) == "stack" and self.pairs(slot))

    # Lines

    def run(self, cell: Cell, way: str, step: int) -> tuple[int, ...]:
        """Return the numbers that touch a cell in a row or column, from the cell outwards, backwards for -1."""
        right, down = STEPS[way]
        right, down = right * step, down * step
        x, y = cell
        values, numbers = self.values, []
        while (number := values.get((x + right, y + down))) is not None:
            x, y = x + right, y + down
            numbers.append(number)
        return tuple(numbers)

    def numbers_in_line(self, cell: Cell, way: str) -> int:
        """Return the numbers that the row or column through a free cell allows, as bits."""
        before, after = self.run(cell, way, -1), self.run(cell, way, 1)
        return numbers_between(before[::-1], after) if before or after else ALL_NUMBERS

    def _line(self, start: Cell, end: Cell, way: str) -> GridLine:
        """Return the line in which the cells from ``start`` to ``end`` will lie."""
        right, down = STEPS[way]
        before, after = len(self.run(start, way, -1)), len(self.run(end, way, 1))
        length = before + 1 + (start != end) + after
        return GridLine(way, start[0] - right * before, start[1] - down * before, length)


LAID = [(max(pair), min(pair)) for pair in PAIRS]
"""The tile of each ordered pair."""


BOTH_WAYS: Mapping[Tile, int] = {(high, low): pair_bit(high, low) | pair_bit(low, high) for high, low in LAID}
"""The set of the ordered pairs that each tile can be laid as."""


def pairs_of_tiles(tiles: Iterable[Tile]) -> int:
    """Return the set of the ordered pairs that some tiles can be laid as."""
    found = 0
    for tile in tiles:
        found |= BOTH_WAYS[tile]
    return found


PAIR = 2 * WIDTH * WIDTH
"""A placement is the number of its slot and ``PAIR`` times that of its ordered pair."""
PART = 13
LOW_PAIRS = (1 << PART) - 1
LOWER, HIGHER = (
    [tuple([PAIR * pair for pair in pairs if subset >> pair - pairs[0] & 1]) for subset in range(1 << len(pairs))]
    for pairs in (range(PART), range(PART, len(PAIRS)))
)
"""The placements on slot 0 of all subsets of the lower and of the higher ordered pairs."""


@lru_cache(maxsize=4096)
def plays_on(slot: int) -> Mapping[int, Play]:
    """Return every placement on a slot, by the number that it has on slot 0."""
    texts = [place_text(slot_of(slot), *pair) for pair in PAIRS]
    return {PAIR * pair: Play(LAID[pair], text) for pair, text in enumerate(texts)}
