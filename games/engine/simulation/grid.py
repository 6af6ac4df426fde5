"""Simulations on the square grid: the open slots with what fits on each, which the layout itself keeps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import product
from operator import or_
from typing import Self

from games.engine.events import Played
from games.engine.layout.grid import Grid
from games.engine.layout.openings import slot_number, slot_of
from games.engine.layout.rhythm import pair_bit
from games.engine.layout.slots import place_text, spot
from games.engine.moves import Play, play
from games.engine.simulation.simulation import TO_PASS, Simulation, layout_of
from games.engine.state import MoveMade, Round, State, changed
from games.engine.tiles import Tile
from games.engine.variants.rytmino import RULES

TILES = RULES.tile_set
PAIRS = 25
"""A placement is ``PAIRS * slot`` and the place of its ordered pair in ``rhythm.pair_bit``."""
LAID = [(max(halves), min(halves)) for halves in product(range(1, 6), repeat=2)]
"""The tile of each pair."""


def pairs_of(tile: Tile) -> int:
    """Return the two ordered pairs of a tile."""
    high, low = tile
    return pair_bit(high, low) | pair_bit(low, high)


def pairs_of_all(tiles: Sequence[Tile]) -> list[int]:
    """Return the ordered pairs of all subsets of some tiles, for each subset as bits.

    >>> [pairs.bit_count() for pairs in pairs_of_all([(2, 1), (2, 2)])]
    [0, 2, 1, 3]
    """
    found = [0]
    for tile in tiles:
        found += [pairs | pairs_of(tile) for pairs in found]
    return found


PART = 10
LOW, MIDDLE, HIGH = (pairs_of_all(TILES[first : first + PART]) for first in range(0, len(TILES), PART))
"""The ordered pairs of all subsets of a third of the set."""


def pairs_held(hand: int) -> int:
    """Return the ordered pairs of the tiles of a hand, both ways round."""
    return LOW[hand & 1023] | MIDDLE[hand >> PART & 1023] | HIGH[hand >> 2 * PART]


@lru_cache(maxsize=65536)
def pairs_in(pairs: int) -> tuple[int, ...]:
    """Return the place of each pair of a set."""
    return tuple([pair for pair in range(PAIRS) if pairs >> pair & 1])


class RytminoSimulation(Simulation):
    """``openings`` are those of the layout; ``laid`` are seats with the pairs that they laid."""

    def lay(self, state: State) -> None:
        """Take over the layout."""
        self.openings = layout_of(state, Grid).openings.copied()
        self.leader = state.round.moves[0].seat if state.round.moves else self.to_move
        self.laid = tuple(
            [(play.seat, self.number(Play(play.tile, play.place)) % PAIRS) for play in state.round.plays]
        )
        self.is_counted = state.option("leftover") != "none"

    def copied(self) -> Self:
        """Return the same position, to be played on by itself."""
        other = super().copied()
        other.openings = self.openings.copied()
        return other

    def moves(self) -> Sequence[int]:
        """Return every legal move: a seat that can place a tile must; else it passes."""
        held = pairs_held(self.hands[self.to_move])
        found = [
            PAIRS * slot + pair
            for slot, pairs in self.openings.slots.items()
            if held & pairs
            for pair in pairs_in(held & pairs)
        ]
        return found or (TO_PASS,)

    def points(self, move: int) -> int:
        """Return the product of the lengths of the lines that a placement extends, doubled by a double."""
        if move < 0:
            return 0
        slot, pair = divmod(move, PAIRS)
        product = 1 if pair % 6 else 2
        along, first, second = self.openings.lengths(slot)
        return product * first * second * (along if along > 2 else 1)

    def play(self, seat: int, move: int) -> bool:
        """Place a tile, and score it."""
        self.gain(seat, self.points(move))
        slot, pair = divmod(move, PAIRS)
        self.openings.lay(slot, pair // 5 + 1, pair % 5 + 1)
        tile = self.bits[LAID[pair]]
        self.hands[seat] ^= tile << 1 if self.hands[seat] & tile << 1 else tile
        self.laid = (*self.laid, (seat, pair))
        return self.is_over(seat)

    def passed(self, seat: int) -> bool:
        """Pass: it may have been the last turn after somebody went out."""
        return self.is_over(seat)

    def is_over(self, seat: int) -> bool:
        """Return whether somebody went out and all who may move after that have, or nobody can place any more."""
        if not all(self.hands) and (not self.is_counted or (seat + 1) % self.seats == self.leader):
            return True
        held = pairs_held(reduce(or_, self.hands))
        return not any(map(held.__and__, self.openings.slots.values()))

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
        moves = (MoveMade(self.leader, "play"),)
        plays = tuple([Played(seat, LAID[pair], "", None) for seat, pair in self.laid])
        return changed(super().round(), plays=plays, moves=moves)
