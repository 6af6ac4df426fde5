"""Simulations on the square grid: the open slots with what fits on each, which the layout itself keeps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
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
HALVES = list(product(range(1, 6), repeat=2))
LAID = [(max(halves), min(halves)) for halves in HALVES]
"""The halves and the tile of each pair."""


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


class RytminoSimulation(Simulation):
    """``openings`` are those of the layout, ``last`` is who placed last, None while only the starting pair lies.

    ``found`` are the placements of the seat to move, None before somebody has asked for them.
    """

    def lay(self, state: State) -> None:
        """Take over the layout."""
        self.openings = layout_of(state, Grid).openings.copied()
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
        held, found = pairs_held(self.hands[seat]), list[int]()
        for slot, pairs in self.openings.slots.items():
            pairs &= held
            while pairs:
                bit = pairs & -pairs
                found.append(PAIRS * slot + bit.bit_length() - 1)
                pairs ^= bit
        return found

    def points(self, move: int) -> int:
        """Return the product of the lengths of the lines that a placement extends, doubled by a double."""
        return score(self.openings.lengths(move // PAIRS), move) if move >= 0 else 0

    def play(self, seat: int, move: int) -> bool:
        """Place a tile, and score it."""
        slot, pair = divmod(move, PAIRS)
        self.gain(seat, score(self.openings.lay(slot, *HALVES[pair]), move))
        tile = self.bits[LAID[pair]]
        self.hands[seat] ^= tile << 1 if self.hands[seat] & tile << 1 else tile
        self.last = seat
        return self.is_over(seat)

    def passed(self, seat: int) -> bool:
        """Pass: it may have been the last turn after somebody went out."""
        return self.is_over(seat)

    def is_over(self, seat: int) -> bool:
        """Return whether somebody went out and all who may move after that have, or nobody can place any more."""
        following = self.following[seat]
        if not all(self.hands) and (not self.is_counted or following == self.leader):
            return True
        self.found = self.placements(following)
        if self.found:
            return False
        held = pairs_held(reduce(or_, self.hands))
        return not any(map(held.__and__, self.openings.slots.values()))

    def placement(self, move: int) -> Play:
        """Return a placement as the rules know it."""
        slot, pair = divmod(move, PAIRS)
        return play(LAID[pair], place_text(slot_of(slot), *HALVES[pair]))

    def number(self, play: Play) -> int:
        """Return the number of a placement."""
        slot, first, second = spot(play.place)
        return PAIRS * slot_number(slot) + 5 * first + second - 6

    def round(self) -> Round:
        """Return what the rules have to know of the round to score it."""
        plays = () if self.last is None else (Played(self.last, TILES[0], "", None),)
        return changed(super().round(), plays=plays, moves=(MoveMade(self.leader, "play"),))


def score(lengths: tuple[int, ...], move: int) -> int:
    """Return what a placement scores that gives the lines through it these lengths."""
    along, first, second = lengths
    product = first * second if move % PAIRS % 6 else 2 * first * second
    return product * along if along > 2 else product
