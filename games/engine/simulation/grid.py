"""Simulations on the square grid: the open slots with what fits on each, updated by each tile."""

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
from games.engine.simulation.grid_openings import numbered, openings_of
from games.engine.simulation.grid_runs import PAIRS
from games.engine.simulation.grid_surroundings import WIDTH, slot_of
from games.engine.simulation.simulation import TO_PASS, Simulation, layout_of, tile_bits
from games.engine.state import MoveMade, Round, State, changed
from games.engine.tiles import Tile
from games.engine.variants.rytmino import RULES

# The tile of each ordered pair.
LAID = [(max(pair), min(pair)) for pair in PAIRS]
# The set of the ordered pairs that each tile can be laid as.
BOTH_WAYS: Mapping[Tile, int] = {(high, low): pair_bit(high, low) | pair_bit(low, high) for high, low in LAID}
PAIR = 2 * WIDTH * WIDTH  # a placement is the number of its slot and ``PAIR`` times that of its ordered pair
PART = 13  # ordered pairs in the lower of two sets that index the tables below
LOW_PAIRS = (1 << PART) - 1
# The placements on slot 0 of all subsets of the lower and of the higher ordered pairs.
LOWER, HIGHER = (
    [tuple([PAIR * pair for pair in pairs if subset >> pair - pairs[0] & 1]) for subset in range(1 << len(pairs))]
    for pairs in (range(PART), range(PART, len(PAIRS)))
)

TILES = RULES.tile_set
BITS = tuple([tile_bits(TILES)[tile] for tile in LAID])
"""The first copy of the tile of each pair."""
DOUBLED = tuple([1 + (first == second) for first, second in PAIRS])
"""What a tile laid as each pair multiplies its points by."""


def pairs_of_all(tiles: Sequence[Tile]) -> list[int]:
    """Return the ordered pairs of all subsets of some tiles, for each subset as bits.

    >>> [pairs.bit_count() for pairs in pairs_of_all([(2, 1), (2, 2)])]
    [0, 2, 1, 3]
    """
    found = [0]
    for tile in tiles:
        found += [pairs | BOTH_WAYS[tile] for pairs in found]
    return found


LOW, MIDDLE, HIGH = (pairs_of_all(TILES[first : first + 10]) for first in range(0, len(TILES), 10))
"""The ordered pairs of all subsets of a third of the set."""


def pairs_held(hand: int) -> int:
    """Return the ordered pairs of the tiles of a hand, both ways round."""
    return LOW[hand & 1023] | MIDDLE[hand >> 10 & 1023] | HIGH[hand >> 20]


@lru_cache(maxsize=4096)
def plays_on(slot: int) -> Mapping[int, Play]:
    """Return every placement on a slot, by the number that it has on slot 0."""
    texts = [place_text(slot_of(slot), *pair) for pair in PAIRS]
    return {PAIR * pair: Play(LAID[pair], text) for pair, text in enumerate(texts)}


class RytminoSimulation(Simulation):
    """``openings`` are those of the layout, ``last`` is who placed last, None while only the starting pair lies.

    ``found`` are the placements of the seat to move, None before somebody has asked for them.
    """

    def lay(self, state: State) -> None:
        """Take over the layout."""
        self.openings = openings_of(layout_of(state, Grid).tiles).copied()
        self.leader = state.round.moves[0].seat if state.round.moves else self.to_move
        self.last = state.round.plays[-1].seat if state.round.plays else None
        self.is_counted = state.option("leftover") != "none"

    def hold(self, state: State) -> None:
        """Take over the hands."""
        super().hold(state)
        self.found: Sequence[int] | None = None

    def copied(self) -> Self:
        """Return the same position, to be played on by itself."""
        other = super().copied()
        other.openings = self.openings.copied()
        return other

    def moves(self) -> Sequence[int]:
        """Return every legal move: a seat that can place a tile must; else it passes."""
        if self.found is None:
            self.found = self.placements(self.to_move)
        return self.found or (TO_PASS,)

    def placements(self, seat: int) -> list[int]:
        """Return every placement of a seat."""
        held = pairs_held(self.hands[seat])
        return [
            slot + each
            for slot, pairs in self.openings.slots.items()
            if (fitting := pairs & held)
            for each in LOWER[fitting & LOW_PAIRS] + HIGHER[fitting >> PART]
        ]

    def points(self, move: int) -> int:
        """Return the product of the lengths of the lines that a placement extends, doubled by a double."""
        return self.openings.product(move % PAIR) * DOUBLED[move // PAIR] if move >= 0 else 0

    def play(self, seat: int, move: int) -> bool:
        """Place a tile, and score it."""
        pair = move // PAIR
        self.gain(seat, self.openings.lay(move % PAIR, pair) * DOUBLED[pair])
        hand, tile = self.hands[seat], BITS[pair]
        self.hands[seat] = hand ^ tile << 1 if hand & tile << 1 else hand ^ tile
        self.last = seat
        return self.is_over(seat)

    def passed(self, seat: int) -> bool:
        """Pass: it may have been the last turn after somebody went out."""
        return self.is_over(seat)

    def is_over(self, seat: int) -> bool:
        """Return whether somebody went out and all who may move after that have, or nobody can place any more."""
        following = self.following[seat]
        if 0 in self.hands and (not self.is_counted or following == self.leader):
            return True
        self.found = self.placements(following)
        if self.found:
            return False
        return not pairs_held(reduce(or_, self.hands)) & reduce(or_, self.openings.slots.values(), 0)

    def placement(self, move: int) -> Play:
        """Return a placement as the rules know it."""
        slot = move % PAIR
        return plays_on(slot)[move - slot]

    def number(self, play: Play) -> int:
        """Return the number of a placement."""
        slot, pair = numbered(play.place)
        return slot + PAIR * pair

    def round(self) -> Round:
        """Return what the rules have to know of the round to score it."""
        plays = () if self.last is None else (Played(self.last, TILES[0], "", None),)
        return changed(super().round(), plays=plays, moves=(MoveMade(self.leader, "play"),))
