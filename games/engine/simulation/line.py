"""Simulations on the line of play. Only the values of the two open ends matter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from games.engine.layout.line import LEFT, RIGHT, Line
from games.engine.moves import Play, cached_play
from games.engine.simulation.simulation import DRAW_MOVE, PASS_MOVE, Simulation, require_layout
from games.engine.state import State
from games.engine.tiles import double_set, is_double

VALUES = range(7)
TILES = double_set(6)
# The two open ends are coded as one number, ``7 * left + right``, and EMPTY stands for the empty line. A placement is
# coded as ``2 * tile``, plus 1 at the right end. A lead counts as left.
EMPTY = 49


def ends_after(ends: int, tile: tuple[int, ...], side: int) -> int:
    """Return the open ends after a tile that fits at a side (0 left, 1 right)."""
    high, low = tile
    if ends == EMPTY:
        return 7 * high + low
    left_end, right_end = divmod(ends, 7)
    return 7 * left_end + high + low - right_end if side else 7 * (high + low - left_end) + right_end


def fitting_sides(ends: int, tile: tuple[int, ...]) -> list[int]:
    """Return the sides that a tile fits."""
    return [0] if ends == EMPTY else [side for side, value in enumerate(divmod(ends, 7)) if value in tile]


# Tables by pair of open ends. The tiles that fit:
FITTING = [sum(1 << index for index, tile in enumerate(TILES) if fitting_sides(ends, tile)) for ends in range(50)]
# The placements of a tile, by its bit:
PLACEMENTS = [
    {1 << index: [2 * index + side for side in fitting_sides(ends, tile)] for index, tile in enumerate(TILES)}
    for ends in range(50)
]
# The ends after a placement:
ENDS_AFTER = [
    {move: ends_after(ends, TILES[move >> 1], move & 1) for moves in PLACEMENTS[ends].values() for move in moves}
    for ends in range(50)
]
# The six non-doubles of each value.
NON_DOUBLES = [
    sum(1 << index for index, tile in enumerate(TILES) if value in tile and not is_double(tile)) for value in VALUES
]
NO_SUCH_TILE = 1 << len(TILES)  # a tile that does not exist


@lru_cache(maxsize=16384)
def fitting_placements(ends: int, fitting: int) -> tuple[int, ...]:
    """Return the placements of tiles that fit."""
    moves: list[int] = []
    while fitting:
        bit = fitting & -fitting
        moves += PLACEMENTS[ends][bit]
        fitting ^= bit
    return tuple(moves)


class LineSimulation(Simulation):
    """``ends`` are the open ends as one number, ``laid`` is the set of tiles in the line."""

    closing: ClassVar[Sequence[int]]  # For each pair of ends: once these tiles are all laid, the round is over.

    def load_layout(self, state: State) -> None:
        line = require_layout(state, Line)
        self.ends = EMPTY if line.left_end is None or line.right_end is None else 7 * line.left_end + line.right_end
        self.laid = self.set_of(placed.tile for placed in line.tiles)

    def moves(self) -> Sequence[int]:
        fitting = (self.must_lead or self.hands[self.to_move]) & FITTING[self.ends]
        if not fitting:
            return (DRAW_MOVE,) if self.boneyard else (PASS_MOVE,)
        return fitting_placements(self.ends, fitting)

    def play(self, seat: int, move: int) -> bool:
        bit = 1 << (move >> 1)
        self.ends = ENDS_AFTER[self.ends][move]
        self.laid |= bit
        self.must_lead = 0
        self.hands[seat] ^= bit
        return not self.hands[seat] or not self.closing[self.ends] & ~self.laid

    def placement(self, move: int) -> Play:
        return cached_play(TILES[move >> 1], "" if self.ends == EMPTY else RIGHT if move & 1 else LEFT)

    def number(self, play: Play) -> int:
        return 2 * TILES.index(play.tile) + (play.place == RIGHT)


class KozelSimulation(LineSimulation):
    """A round of Kozel ends by a fish: both ends show one value, and its six non-doubles are in the line."""

    closing = [NON_DOUBLES[ends % 7] if ends % 8 == 0 else NO_SUCH_TILE for ends in range(EMPTY)]


class GamezzSimulation(LineSimulation):
    """A round of Classic goat is blocked when all tiles that fit are in the line."""

    closing = FITTING
