"""Simulations on the square grid, with the open slots and the pairs that fit on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Self

from games.engine.events import Played
from games.engine.layout.grid import Grid
from games.engine.layout.rhythm import pair_bit
from games.engine.layout.slots import place_text
from games.engine.moves import Play
from games.engine.simulation.grid_open_slots import open_slots_of, slot_and_pair
from games.engine.simulation.grid_runs import NUMBER_PAIRS
from games.engine.simulation.grid_surroundings import WIDTH, slot_from_number
from games.engine.simulation.simulation import PASS_MOVE, Simulation, require_layout, tile_bits
from games.engine.state import MoveMade, Round, State, replace_fields
from games.engine.tiles import Tile
from games.engine.variants.rytmino import RULES

# The tile of each ordered pair.
TILE_OF_PAIR = [(max(pair), min(pair)) for pair in NUMBER_PAIRS]
# The set of the ordered pairs that each tile can be laid as.
PAIRS_OF_TILE: Mapping[Tile, int] = {
    (high, low): pair_bit(high, low) | pair_bit(low, high) for high, low in TILE_OF_PAIR
}
PAIR_STEP = 2 * WIDTH * WIDTH  # a placement is the number of its slot and ``PAIR_STEP`` times that of its ordered pair
LOWER_PAIR_COUNT = 13  # ordered pairs in the lower of two sets that index the tables below
LOW_PAIRS = (1 << LOWER_PAIR_COUNT) - 1
# The placements on slot 0 of all subsets of the lower and of the higher ordered pairs.
PLACEMENTS_OF_LOWER_PAIRS, PLACEMENTS_OF_HIGHER_PAIRS = (
    [tuple([PAIR_STEP * pair for pair in pairs if subset >> pair - pairs[0] & 1]) for subset in range(1 << len(pairs))]
    for pairs in (range(LOWER_PAIR_COUNT), range(LOWER_PAIR_COUNT, len(NUMBER_PAIRS)))
)

TILES = RULES.tile_set
TILE_BITS = tuple([tile_bits(TILES)[tile] for tile in TILE_OF_PAIR])  # bit of the first copy of each pair's tile
POINTS_FACTOR = tuple([1 + (first == second) for first, second in NUMBER_PAIRS])  # factor of the points of each pair


def number_pairs_by_tile_subset(tiles: Sequence[Tile]) -> list[int]:
    """Return the set of ordered pairs of every subset of some tiles, indexed by the bits of the subset.

    >>> [pairs.bit_count() for pairs in number_pairs_by_tile_subset([(2, 1), (2, 2)])]
    [0, 2, 1, 3]
    """
    by_subset = [0]
    for tile in tiles:
        by_subset += [pairs | PAIRS_OF_TILE[tile] for pairs in by_subset]
    return by_subset


# Ordered pairs of all subsets of a third of the set.
LOW, MIDDLE, HIGH = (number_pairs_by_tile_subset(TILES[first : first + 10]) for first in range(0, len(TILES), 10))


def pairs_in_hand(hand: int) -> int:
    """Return the ordered pairs of the tiles in a hand, both ways round."""
    return LOW[hand & 1023] | MIDDLE[hand >> 10 & 1023] | HIGH[hand >> 20]


@lru_cache(maxsize=4096)
def placements_on_slot(slot: int) -> Mapping[int, Play]:
    """Return the placements on a slot by their numbers on slot 0."""
    texts = [place_text(slot_from_number(slot), *pair) for pair in NUMBER_PAIRS]
    return {PAIR_STEP * pair: Play(TILE_OF_PAIR[pair], text) for pair, text in enumerate(texts)}


class RytminoSimulation(Simulation):
    """``open_slots`` are the open slots; ``last`` is the seat that placed last, None after the deal.

    ``fitting`` caches the placements of the seat to move.
    """

    def load_layout(self, state: State) -> None:
        self.open_slots = open_slots_of(require_layout(state, Grid).tiles).copy()
        self.leader = state.round.moves[0].seat if state.round.moves else self.to_move
        self.last = state.round.plays[-1].seat if state.round.plays else None
        self.is_counted = state.option("leftover") != "none"

    def load_hands(self, state: State) -> None:
        super().load_hands(state)
        self.fitting: Sequence[int] | None = None

    def copy(self) -> Self:
        other = super().copy()
        other.open_slots = self.open_slots.copy()
        return other

    def moves(self) -> Sequence[int]:
        if self.fitting is None:
            self.fitting = self.placements(self.to_move)
        return self.fitting or (PASS_MOVE,)

    def placements(self, seat: int) -> list[int]:
        """Return every placement of a seat."""
        hand = pairs_in_hand(self.hands[seat])
        return [
            slot + placement
            for slot, pairs in self.open_slots.slots.items()
            if (fitting := pairs & hand)
            for placement in PLACEMENTS_OF_LOWER_PAIRS[fitting & LOW_PAIRS]
            + PLACEMENTS_OF_HIGHER_PAIRS[fitting >> LOWER_PAIR_COUNT]
        ]

    def points(self, move: int) -> int:
        """Return the product of the lengths of the lines that a placement extends, doubled for a double."""
        return self.open_slots.product(move % PAIR_STEP) * POINTS_FACTOR[move // PAIR_STEP] if move >= 0 else 0

    def play(self, seat: int, move: int) -> bool:
        pair = move // PAIR_STEP
        self.add_points(seat, self.open_slots.place(move % PAIR_STEP, pair) * POINTS_FACTOR[pair])
        hand, tile = self.hands[seat], TILE_BITS[pair]
        self.hands[seat] = hand ^ tile << 1 if hand & tile << 1 else hand ^ tile
        self.last = seat
        return self.is_over(seat)

    def pass_turn(self, seat: int) -> bool:
        return self.is_over(seat)

    def is_over(self, seat: int) -> bool:
        """Return True if a seat went out and the others had their last turns, or if nobody can place a tile."""
        following = self.following[seat]
        if 0 in self.hands and (not self.is_counted or following == self.leader):
            return True
        self.fitting = self.placements(following)
        if self.fitting:
            return False
        return not pairs_in_hand(reduce(or_, self.hands)) & reduce(or_, self.open_slots.slots.values(), 0)

    def placement(self, move: int) -> Play:
        slot = move % PAIR_STEP
        return placements_on_slot(slot)[move - slot]

    def number(self, play: Play) -> int:
        slot, pair = slot_and_pair(play.place)
        return slot + PAIR_STEP * pair

    def round(self) -> Round:
        plays = () if self.last is None else (Played(self.last, TILES[0], "", None),)
        return replace_fields(super().round(), plays=plays, moves=(MoveMade(self.leader, "play"),))
