"""The player of All Fives: prefers points, then heavy tiles, and looks a few turns ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.bots.player import Collector
from games.engine.simulation.spinner import PIPS, TILES, AllFivesSimulation, pips_of_tiles
from games.engine.tiles import is_double

SCORE = 3
DOUBLE = 3
NOISE = 3
BURDEN = 0.3  # points that a pip in hand is expected to cost
# Preference for each tile when points are equal.
SHED = [pips + DOUBLE * is_double(tile) for pips, tile in zip(PIPS, TILES, strict=True)]


class AllFives(Collector[AllFivesSimulation]):
    simulation = AllFivesSimulation
    sheds = True
    horizon = 3

    def preferences(self, game: AllFivesSimulation, moves: Sequence[int], random: Random) -> list[float]:
        """Prefer points, then heavy tiles and doubles."""
        points, chance = game.points, random.random
        return [SCORE * points(move) + SHED[move >> 2] + NOISE * chance() for move in moves]

    def worth(self, game: AllFivesSimulation) -> list[float]:
        """Subtract the expected cost of the hands while the round continues."""
        values = super().worth(game)
        if not game.over:
            for side, hand in zip(game.sides, game.hands, strict=True):
                values[side] -= BURDEN * pips_of_tiles(hand)
        return values


PLAYER = AllFives()
