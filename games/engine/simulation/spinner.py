"""Simulations on the line with a spinner: up to four open ends and their part of the count."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Self

from games.engine.layout.line import LEFT, RIGHT
from games.engine.layout.spinner import DOWN, UP, SpinnerLine
from games.engine.moves import Play, cached_play
from games.engine.simulation.simulation import DRAW_MOVE, PASS_MOVE, Simulation, require_layout
from games.engine.state import Round, State, replace_fields
from games.engine.tiles import double_set, is_double
from games.engine.variants.all_fives import FIVE, RULES

TILES = double_set(6)
PIPS = [sum(tile) for tile in TILES]
COUNT_FACTOR = [1 + is_double(tile) for tile in TILES]  # how many times the outer value of each tile counts
PLACES = (LEFT, RIGHT, UP, DOWN)  # a placement is ``4 * tile`` plus the index of its end; a lead counts as left
CLOSED_END = 7  # value of an end that is not open
EMPTY_TABLE_ENDS = (8,)  # the ends of an empty table
# Tiles that show each value; CLOSED fits nothing, ANYTHING everything.
FITTING = [*(sum(1 << index for index, tile in enumerate(TILES) if value in tile) for value in range(8)), -1]


@lru_cache(maxsize=16384)
def pips_of_tiles(tiles: int) -> int:
    """Return the pips of a set of tiles."""
    total = 0
    while tiles:
        bit = tiles & -tiles
        total += PIPS[bit.bit_length() - 1]
        tiles ^= bit
    return total


class AllFivesSimulation(Simulation):
    """``ends`` are the values at the four places, ``counts`` their parts of the count.

    ``spinner`` is the value of the spinner, ``free_sides`` its free sides as bits (1 left, 2 right).
    """

    def load_layout(self, state: State) -> None:
        layout = require_layout(state, SpinnerLine)
        self.laid = self.set_of(placed.tile for placed in layout.tiles)
        self.scored = 0
        self.winning = RULES.target(state)
        self.ends, self.counts = [CLOSED_END] * 4, [0] * 4
        self.spinner, self.free_sides = CLOSED_END, 0
        if layout.spinner:
            self.spinner = layout.spinner.left_half
            self.free_sides = (layout.spinner == layout.line[0]) + 2 * (layout.spinner == layout.line[-1])
        for end, value in layout.ends:
            self.ends[PLACES.index(end)] = value
        outer = (layout.line[:1], layout.line[-1:], layout.up[-1:], layout.down[-1:])
        for place, placed in enumerate(outer):
            if placed:
                self.counts[place] = self.ends[place] * (1 + is_double(placed[0].tile))

    def copy(self) -> Self:
        other = super().copy()
        other.ends, other.counts = self.ends[:], self.counts[:]
        return other

    def moves(self) -> Sequence[int]:
        hand, moves = self.hands[self.to_move], list[int]()
        for place, value in enumerate(self.ends if self.laid else EMPTY_TABLE_ENDS):
            fitting = hand & FITTING[value]
            while fitting:
                bit = fitting & -fitting
                moves.append(4 * bit.bit_length() - 4 + place)
                fitting ^= bit
        return moves or ((DRAW_MOVE,) if self.boneyard else (PASS_MOVE,))

    def points(self, move: int) -> int:
        """Return the count after a placement, if it is a multiple of five."""
        if move < 0:
            return 0
        tile, place = move >> 2, move & 3
        if self.laid:
            outer = (PIPS[tile] - self.ends[place]) * COUNT_FACTOR[tile]
            count = sum(self.counts) - self.counts[place] + outer
        else:
            count = PIPS[tile]
        return 0 if count % FIVE else count

    def play(self, seat: int, move: int) -> bool:
        self.scored = points = self.points(move)
        tile, place = move >> 2, move & 3
        self.update_ends(tile, place)
        bit = 1 << tile
        self.laid |= bit
        self.hands[seat] ^= bit
        if points:
            self.add_points(seat, points)
            if self.standing[self.sides[seat]].points >= self.winning:
                return True
        return not self.hands[seat] or self.is_blocked()

    def update_ends(self, tile: int, place: int) -> None:
        """Update the ends. Those of the spinner open when its second side is occupied."""
        high, low = TILES[tile]
        if not self.laid:
            self.ends[:2] = high, low
            self.counts[:2] = high * COUNT_FACTOR[tile], low * COUNT_FACTOR[tile]
            self.spinner, self.free_sides = (high, 3) if high == low else (CLOSED_END, 0)
            return
        self.ends[place] = outer = high + low - self.ends[place]
        self.counts[place] = outer * COUNT_FACTOR[tile]
        if self.free_sides:
            self.free_sides &= ~(1 << place)
            if not self.free_sides:
                self.ends[2:] = self.spinner, self.spinner
        elif high == low and self.spinner == CLOSED_END:
            self.spinner, self.free_sides = high, 1 << place

    def is_blocked(self) -> bool:
        """Return True if all tiles that fit are on the table."""
        one, two, three, four = self.ends
        return not (FITTING[one] | FITTING[two] | FITTING[three] | FITTING[four]) & ~self.laid

    def placement(self, move: int) -> Play:
        return cached_play(TILES[move >> 2], PLACES[move & 3] if self.laid else "")

    def number(self, play: Play) -> int:
        return 4 * TILES.index(play.tile) + (PLACES.index(play.place) if play.place else 0)

    def round(self) -> Round:
        return replace_fields(super().round(), scored=self.scored)
