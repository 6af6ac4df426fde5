"""Simulations on the line of play: two open ends, of which only the values count."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from games.engine.layout.line import LEFT, RIGHT, Line
from games.engine.moves import Play, play
from games.engine.simulation.simulation import TO_DRAW, TO_PASS, Simulation, layout_of
from games.engine.state import State
from games.engine.tiles import double_set, is_double

VALUES = range(7)
TILES = double_set(6)
EMPTY = 49
"""Two open ends are one number, ``7 * left + right``, and this one before the lead.

A placement is ``2 * tile``, and 1 more at the right end; the lead is laid as at the left end.
"""


def ends_after(ends: int, tile: tuple[int, ...], side: int) -> int:
    """Return the open ends after a tile that fits."""
    high, low = tile
    if ends == EMPTY:
        return 7 * high + low
    left, right = divmod(ends, 7)
    return 7 * left + high + low - right if side else 7 * (high + low - left) + right


def sides_of(ends: int, tile: tuple[int, ...]) -> list[int]:
    """Return the ends that a tile fits: 0 left, 1 right."""
    return [0] if ends == EMPTY else [side for side, value in enumerate(divmod(ends, 7)) if value in tile]


FITTING = [sum(1 << index for index, tile in enumerate(TILES) if sides_of(ends, tile)) for ends in range(50)]
"""The tiles that fit, for each pair of ends."""
PLACED = [
    {1 << index: [2 * index + side for side in sides_of(ends, tile)] for index, tile in enumerate(TILES)}
    for ends in range(50)
]
"""The placements of each tile, by its bit, for each pair of ends."""
AFTER = [
    {move: ends_after(ends, TILES[move >> 1], move & 1) for moves in PLACED[ends].values() for move in moves}
    for ends in range(50)
]
"""The ends after each placement, for each pair of ends."""
SINGLES = [
    sum(1 << index for index, tile in enumerate(TILES) if value in tile and not is_double(tile)) for value in VALUES
]
"""The six tiles of each value that are no doubles."""


NEVER = 1 << len(TILES)
"""No tile."""


@lru_cache(maxsize=16384)
def placed(ends: int, fitting: int) -> tuple[int, ...]:
    """Return the placements of some tiles that fit."""
    found: list[int] = []
    while fitting:
        bit = fitting & -fitting
        found += PLACED[ends][bit]
        fitting ^= bit
    return tuple(found)


class LineSimulation(Simulation):
    """``ends`` are the two open ends as one number, ``laid`` are the tiles in the line."""

    closing: ClassVar[Sequence[int]]
    """For each pair of ends the tiles with which the round is over, once they are all laid."""

    def lay(self, state: State) -> None:
        """Take over the line."""
        line = layout_of(state, Line)
        self.ends = EMPTY if line.left is None or line.right is None else 7 * line.left + line.right
        self.laid = self.set_of(placed.tile for placed in line.tiles)

    def moves(self) -> Sequence[int]:
        """Return every legal move: a seat that can play must; else it draws or passes."""
        fitting = (self.must_lead or self.hands[self.to_move]) & FITTING[self.ends]
        if not fitting:
            return (TO_DRAW,) if self.boneyard else (TO_PASS,)
        return placed(self.ends, fitting)

    def play(self, seat: int, move: int) -> bool:
        """Lay a tile at one of the ends."""
        bit = 1 << (move >> 1)
        self.ends = AFTER[self.ends][move]
        self.laid |= bit
        self.must_lead = 0
        self.hands[seat] ^= bit
        return not self.hands[seat] or not self.closing[self.ends] & ~self.laid

    def placement(self, move: int) -> Play:
        """Return a placement as the rules know it."""
        place = "" if self.ends == EMPTY else RIGHT if move & 1 else LEFT
        return play(TILES[move >> 1], place)

    def number(self, play: Play) -> int:
        """Return the number of a placement."""
        return 2 * TILES.index(play.tile) + (play.place == RIGHT)


class KozelSimulation(LineSimulation):
    """A round of Kozel ends by a fish: both ends show one value, and its other tiles all lie in the line."""

    closing = [SINGLES[ends % 7] if ends % 8 == 0 else NEVER for ends in range(EMPTY)]


class GamezzSimulation(LineSimulation):
    """A round of Classic goat ends when no tile fits that is not laid."""

    closing = FITTING
