"""The square grid: two-sided tiles on two cells each; every run of cells in a row or column is a rhythm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from games.engine.layout.rhythm import (
    ALL_NUMBERS,
    VALUES,
    number_bit,
    number_pairs_fitting_between,
    numbers_fitting_between,
    pair_bit,
    pairs_from_sets,
)
from games.engine.layout.slots import (
    STEPS,
    Cell,
    Slot,
    cells_of,
    parallel_slot,
    parse_place,
    place_text,
    read_place,
    slots_containing,
)
from games.engine.moves import Play, cached_play
from games.engine.tiles import Tile

MIN_LINES = 2  # lines that a tile must extend
MAX_ABREAST = 3  # tiles of one orientation that may lie exactly side by side


class GridTile(NamedTuple):
    """A tile on the grid: its slot, the halves on the slot's cells, and its number in playing order from 0."""

    tile: Tile
    slot: Slot
    first: int
    second: int
    order: int


class GridLine(NamedTuple):
    """A maximal run of ``length`` occupied cells in a row (``H``) or column (``V``), beginning at (x, y)."""

    way: str
    x: int
    y: int
    length: int


@dataclass(frozen=True)
class Grid:
    """The tiles in playing order."""

    tiles: tuple[GridTile, ...] = ()

    @cached_property
    def values(self) -> Mapping[Cell, int]:
        """The number on each occupied cell."""
        halves = [zip(cells_of(slot), (first, second), strict=True) for _, slot, first, second, _ in self.tiles]
        return dict(chain(*halves))

    @cached_property
    def occupied(self) -> frozenset[Slot]:
        return frozenset([placed.slot for placed in self.tiles])

    @cached_property
    def slots(self) -> Mapping[Slot, int]:
        """The slots where a tile may be placed, in order, with the set of ordered pairs that fit."""
        near = {slot for cell in self.free_neighbours for slot in slots_containing(cell)}
        allowed = {slot: self.fitting_pairs(slot) for slot in sorted(near) if not self.objection_to_slot(slot)}
        return {slot: pairs for slot, pairs in allowed.items() if pairs}

    # Placements

    def fits(self, tiles: Iterable[Tile]) -> bool:
        """Return True if one of the tiles may be placed anywhere."""
        pairs_of_tiles = 0
        for high, low in tiles:
            pairs_of_tiles |= pair_bit(high, low) | pair_bit(low, high)
        return any(pairs & pairs_of_tiles for pairs in self.slots.values())

    def takes(self, slot: Slot, first: int, second: int) -> bool:
        """Return True if a tile with these halves may be placed on the slot."""
        return bool(self.slots.get(slot, 0) & pair_bit(first, second))

    def places(self, tile: Tile) -> tuple[str, ...]:
        ways = dict.fromkeys((tile, tile[::-1]))
        return tuple([place_text(slot, *way) for slot in self.slots for way in ways if self.takes(slot, *way)])

    def possible_plays(self, tiles: Iterable[Tile]) -> list[Play]:
        return [cached_play(tile, place) for tile in dict.fromkeys(tiles) for place in self.places(tile)]

    def admits(self, tile: Tile, place: str) -> bool:
        return self.read(place) == (tile, place) and set(tile) <= set(VALUES) and not self.objection(place)

    def place(self, tile: Tile, place: str) -> Grid:
        slot, first, second = parse_place(place)
        return Grid((*self.tiles, GridTile(tile, slot, first, second, len(self.tiles))))

    def text(self, tile: Tile, place: str) -> str:
        return place

    def read(self, text: str) -> tuple[Tile, str] | None:
        placement = read_place(text)
        return ((max(placement[1:]), min(placement[1:])), text) if placement else None

    # Rules

    def objection(self, place: str) -> str:
        """Return the rule that a placement breaks: ``free``, ``valid``, ``two``, ``stack`` or ``""``.

        >>> start = Grid().place((4, 2), "H(0,0)=2-4").place((3, 1), "H(0,1)=3-1")
        >>> [start.objection(place) for place in ("V(2,0)=5-2", "V(1,0)=5-2", "V(2,0)=4-2", "H(2,0)=5-1")]
        ['', 'free', 'valid', 'two']
        """
        slot, first, second = parse_place(place)
        if not self.is_free(slot):
            return "free"
        if not self.fitting_pairs(slot) & pair_bit(first, second):
            return "valid"
        return self.objection_to_slot(slot)

    def objection_to_slot(self, slot: Slot) -> str:
        """Return the rule that any tile on a slot breaks: ``free``, ``two``, ``stack`` or ``""``."""
        if not self.is_free(slot):
            return "free"
        if self.count_extended_lines(slot) < MIN_LINES:
            return "two"
        return "stack" if self.is_stacked(slot) else ""

    def fitting_pairs(self, slot: Slot) -> int:
        """Return the ordered pairs with which every line through a free slot is a rhythm."""
        start, end = cells_of(slot)
        cross_way = "V" if slot.way == "H" else "H"
        along = number_pairs_fitting_between(self.run(start, slot.way, -1)[::-1], self.run(end, slot.way, 1))
        return along & pairs_from_sets(
            self.numbers_allowed_by_line(start, cross_way), self.numbers_allowed_by_line(end, cross_way)
        )

    def is_free(self, slot: Slot) -> bool:
        start, end = cells_of(slot)
        return start not in self.values and end not in self.values

    def is_stacked(self, slot: Slot) -> bool:
        """Return True if a tile here would be the fourth of its orientation exactly side by side."""
        neighbours = 0
        for step in (-1, 1):
            away = step
            while parallel_slot(slot, away) in self.occupied:
                away += step
            neighbours += abs(away) - 1
        return neighbours >= MAX_ABREAST

    def extended(self, slot: Slot) -> tuple[GridLine, ...]:
        """Return the lines that a tile on a free slot extends, with their new lengths, in the order of ``lines``."""
        return tuple(line for line, new in zip(self.lines(slot), (2, 1, 1), strict=True) if line.length > new)

    def lines(self, slot: Slot) -> tuple[GridLine, GridLine, GridLine]:
        """Return the lines through a free slot with a tile on it: the one along it, then those across its cells."""
        start, end = cells_of(slot)
        cross_way = "V" if slot.way == "H" else "H"
        return self._line(start, end, slot.way), self._line(start, start, cross_way), self._line(end, end, cross_way)

    def count_extended_lines(self, slot: Slot) -> int:
        """Return how many lines a tile on a free slot extends, faster than ``extended``."""
        way, x, y = slot
        right, down = STEPS[way]
        end_x, end_y = x + right, y + down
        adjacent = (
            ((x - right, y - down), (end_x + right, end_y + down)),
            ((x - down, y - right), (x + down, y + right)),
            ((end_x - down, end_y - right), (end_x + down, end_y + right)),
        )
        values = self.values
        return sum(one in values or other in values for one, other in adjacent)

    def lengths(self, place: str) -> tuple[int, ...]:
        """Return the lengths of ``lines`` for a placement."""
        slot, _, _ = parse_place(place)
        return tuple([line.length for line in self.lines(slot)])

    # For viewers of the table

    def numbers_allowed_on_cell(self, cell: Cell) -> tuple[int, ...]:
        """Return the numbers that both lines through a free cell allow; () if it stays empty for good."""
        allowed = self.numbers_allowed_by_line(cell, "H") & self.numbers_allowed_by_line(cell, "V")
        return tuple(number for number in VALUES if allowed & number_bit(number))

    @property
    def free_neighbours(self) -> set[Cell]:
        cells = {(x + right, y + down) for x, y in self.values for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        return cells - self.values.keys()

    def border(self) -> dict[Cell, tuple[int, ...]]:
        """Return every free cell next to an occupied one with the numbers it allows, by rows."""
        return {
            cell: self.numbers_allowed_on_cell(cell) for cell in sorted(self.free_neighbours, key=itemgetter(1, 0))
        }

    def slots_closed_by_stack_rule(self) -> tuple[Slot, ...]:
        """Return the slots that only the stack rule closes."""
        slots = {parallel_slot(slot, step) for slot in self.occupied for step in (-1, 1)}
        return tuple(
            slot for slot in sorted(slots) if self.objection_to_slot(slot) == "stack" and self.fitting_pairs(slot)
        )

    # Lines

    def run(self, cell: Cell, way: str, step: int) -> tuple[int, ...]:
        """Return the numbers next to a cell in a row or column, outwards; ``step`` is 1 for forwards, -1 for back."""
        right, down = STEPS[way]
        right, down = right * step, down * step
        x, y = cell
        values, numbers = self.values, []
        while (number := values.get((x + right, y + down))) is not None:
            x, y = x + right, y + down
            numbers.append(number)
        return tuple(numbers)

    def numbers_allowed_by_line(self, cell: Cell, way: str) -> int:
        """Return the numbers that the row or column through a free cell allows."""
        before, after = self.run(cell, way, -1), self.run(cell, way, 1)
        return numbers_fitting_between(before[::-1], after) if before or after else ALL_NUMBERS

    def _line(self, start: Cell, end: Cell, way: str) -> GridLine:
        """Return the line that contains the cells from ``start`` to ``end`` once they are occupied."""
        right, down = STEPS[way]
        before, after = len(self.run(start, way, -1)), len(self.run(end, way, 1))
        length = before + 1 + (start != end) + after
        return GridLine(way, start[0] - right * before, start[1] - down * before, length)
