"""Simulations on the square grid: what each free cell at the end of a line touches, and the slots still open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Self

from games.engine.events import Played
from games.engine.layout.grid import FEWEST_LINES, MOST_ABREAST, Grid
from games.engine.layout.rhythm import numbers_between, pair_bit, pairs_between, pairs_of
from games.engine.layout.slots import Slot, place_text, spot
from games.engine.moves import Play, play
from games.engine.simulation.simulation import TO_PASS, Simulation, layout_of
from games.engine.state import MoveMade, Round, State, changed
from games.engine.variants.rytmino import RULES

TILES = RULES.tile_set
WIDTH = 128
"""More than the set reaches. Cells are numbered in rows of so many; a slot is twice its first cell, a ``V`` 1 more."""
STEPS = (1, WIDTH)
"""From a cell to the next one of its row, and of its column."""
PAIRS = 25
"""A placement is ``PAIRS * slot`` and the place of its ordered pair in ``rhythm.pair_bit``."""
LAID = [(max(halves), min(halves)) for halves in product(range(1, 6), repeat=2)]
"""The tile of each pair."""
ASIDE = range(-MOST_ABREAST, MOST_ABREAST + 1)
"""How far away a slot beside a tile may become stacked by it."""
Numbers = tuple[int, ...]
NONE: Numbers = ()


def cell_number(cell: tuple[int, int]) -> int:
    """Return the number of a cell."""
    x, y = cell
    return WIDTH * (y + WIDTH // 2) + x + WIDTH // 2


def slot_number(slot: Slot) -> int:
    """Return the number of a slot."""
    return 2 * cell_number((slot.x, slot.y)) + (slot.way == "V")


def slot_of(number: int) -> Slot:
    """Return the slot of a number."""
    y, x = divmod(number // 2, WIDTH)
    return Slot("HV"[number % 2], x - WIDTH // 2, y - WIDTH // 2)


@lru_cache(maxsize=65536)
def pairs_held(hand: int) -> int:
    """Return the ordered pairs of the tiles of a hand, both ways round."""
    held = [tile for index, tile in enumerate(TILES) if hand >> index & 1]
    found = 0
    for high, low in held:
        found |= pair_bit(high, low) | pair_bit(low, high)
    return found


class RytminoSimulation(Simulation):
    """``before`` and ``after`` are the numbers that touch a free cell in its row (``2 * cell``) or column (1 more).

    ``lying`` are the occupied slots; ``slots`` are the open ones, each with the ordered pairs that fit, as bits, but
    for the ``stale`` ones, which are to be looked at again. ``laid`` are seats with the pairs that they laid.
    """

    __slots__ = ("after", "before", "is_counted", "laid", "leader", "lying", "occupied", "slots", "stale")

    def lay(self, state: State) -> None:
        """Take over the layout."""
        layout = layout_of(state, Grid)
        self.occupied = bytearray(WIDTH * WIDTH)
        self.before: dict[int, Numbers] = {}
        self.after: dict[int, Numbers] = {}
        for cell, number in layout.values.items():
            self.put(cell_number(cell), number)
        self.lying = set(map(slot_number, layout.lying))
        self.slots = {slot_number(slot): pairs for slot, pairs in layout.slots.items()}
        self.stale: set[int] = set()
        self.leader = state.round.moves[0].seat if state.round.moves else self.to_move
        self.laid = tuple(
            [(play.seat, self.number(Play(play.tile, play.place)) % PAIRS) for play in state.round.plays]
        )
        self.is_counted = state.option("leftover") != "none"

    def copied(self) -> Self:
        """Return the same position, to be played on by itself."""
        other = super().copied()
        other.occupied, other.lying = self.occupied[:], self.lying.copy()
        other.before, other.after = self.before.copy(), self.after.copy()
        other.slots, other.stale = self.slots.copy(), self.stale.copy()
        return other

    def moves(self) -> Sequence[int]:
        """Return every legal move: a seat that can place a tile must; else it passes."""
        self.open_stale()
        held, found = pairs_held(self.hands[self.to_move]), list[int]()
        for slot, pairs in self.slots.items():
            fitting = held & pairs
            while fitting:
                bit = fitting & -fitting
                found.append(PAIRS * slot + bit.bit_length() - 1)
                fitting ^= bit
        return found or (TO_PASS,)

    def points(self, move: int) -> int:
        """Return the product of the lengths of the lines that a placement extends, doubled by a double."""
        if move < 0:
            return 0
        slot, pair = divmod(move, PAIRS)
        found = self.product(slot)
        return found if pair % 6 else 2 * found

    def product(self, slot: int) -> int:
        """Return the product of the lengths of the lines that a tile on the slot extends."""
        end = slot + 2 * STEPS[slot & 1]
        before, after = self.before.get, self.after.get
        along = len(before(slot, NONE)) + len(after(end, NONE))
        first = len(before(slot ^ 1, NONE)) + len(after(slot ^ 1, NONE))
        second = len(before(end ^ 1, NONE)) + len(after(end ^ 1, NONE))
        return (along + 2 if along else 1) * (first + 1) * (second + 1)

    def play(self, seat: int, move: int) -> bool:
        """Place a tile, and score it."""
        self.gain(seat, self.points(move))
        slot, pair = divmod(move, PAIRS)
        cell = slot >> 1
        end = cell + STEPS[slot & 1]
        self.lying.add(slot)
        for each in (*self.put(cell, pair // 5 + 1), *self.put(end, pair % 5 + 1)):
            self.stale.update((2 * each, 2 * each - 2, 2 * each + 1, 2 * each + 1 - 2 * WIDTH))
        self.stale.update(slot + away * 2 * STEPS[1 - (slot & 1)] for away in ASIDE)
        for each in self.stale & self.slots.keys():
            del self.slots[each]
        tile = self.bits[LAID[pair]]
        self.hands[seat] ^= tile << 1 if self.hands[seat] & tile << 1 else tile
        self.laid = (*self.laid, (seat, pair))
        return self.is_over(seat)

    def put(self, cell: int, number: int) -> tuple[int, ...]:
        """Put a number on a cell. Return the cells at the four ends of its lines."""
        self.occupied[cell] = 1
        ends: tuple[int, ...] = ()
        for way, step in enumerate(STEPS):
            before = self.before.pop(2 * cell + way, NONE)
            after = self.after.pop(2 * cell + way, NONE)
            first, last = cell - step * (len(before) + 1), cell + step * (len(after) + 1)
            self.after[2 * first + way] = self.before[2 * last + way] = (*before, number, *after)
            ends += first, last
        return ends

    def open_stale(self) -> None:
        """Work out again what fits on the slots that the last tiles have changed."""
        before, after, occupied = self.before.get, self.after.get, self.occupied
        for slot in self.stale:
            cell, step = slot >> 1, STEPS[slot & 1]
            if occupied[cell] or occupied[cell + step]:
                continue
            end = slot + 2 * step
            first, last = before(slot, NONE), after(end, NONE)
            above, below = before(slot ^ 1, NONE), after(slot ^ 1, NONE)
            left, right = before(end ^ 1, NONE), after(end ^ 1, NONE)
            if bool(first or last) + bool(above or below) + bool(left or right) < FEWEST_LINES:
                continue
            pairs = pairs_of(numbers_between(above, below), numbers_between(left, right)) & pairs_between(first, last)
            if pairs and not self.is_stacked(slot):
                self.slots[slot] = pairs
        self.stale.clear()

    def is_stacked(self, slot: int) -> bool:
        """Return whether a tile here would be the fourth of its orientation exactly side by side."""
        step = 2 * STEPS[1 - (slot & 1)]
        first = last = slot
        while first - step in self.lying:
            first -= step
        while last + step in self.lying:
            last += step
        return last - first >= MOST_ABREAST * step

    def passed(self, seat: int) -> bool:
        """Pass: it may have been the last turn after somebody went out."""
        return self.is_over(seat)

    def is_over(self, seat: int) -> bool:
        """Return whether somebody went out and all who may move after that have, or nobody can place any more."""
        if not all(self.hands) and (not self.is_counted or (seat + 1) % self.seats == self.leader):
            return True
        held = 0
        for hand in self.hands:
            held |= pairs_held(hand)
        if any(held & pairs for pairs in self.slots.values()):  # mostly; the rest may be worked out later
            return False
        self.open_stale()
        return not any(held & pairs for pairs in self.slots.values())

    def placement(self, move: int) -> Play:
        """Return a placement as the rules know it."""
        slot, pair = divmod(move, PAIRS)
        return play(LAID[pair], place_text(slot_of(slot), pair // 5 + 1, pair % 5 + 1))

    def number(self, play: Play) -> int:
        """Return the number of a placement."""
        slot, first, second = spot(play.place)
        return PAIRS * slot_number(slot) + 5 * first + second - 6

    def round(self) -> Round:
        """Return what the rules have to know of the round to score it."""
        moves = self.start.round.moves or (MoveMade(self.leader, "play"),)
        plays = tuple([Played(seat, LAID[pair], "", None) for seat, pair in self.laid])
        return changed(super().round(), plays=plays, moves=moves)
