"""The player of All Fives: score, shed weight, and mind what the others may score next."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.bots.player import Collector
from games.engine.simulation.spinner import PIPS, TILES, AllFivesSimulation, weight
from games.engine.tiles import is_double

SCORE = 3
DOUBLE = 3
NOISE = 3
BURDEN = 0.3
"""What a pip in hand is feared to cost, in points."""
SHED = [pips + DOUBLE * is_double(tile) for pips, tile in zip(PIPS, TILES, strict=True)]
"""How much it prefers each tile for itself."""


class AllFives(Collector[AllFivesSimulation]):
    """Plays a few turns ahead by points first and weight second; values the score, and fears what hands will cost."""

    simulation = AllFivesSimulation
    sheds = True
    horizon = 3

    def preferences(self, game: AllFivesSimulation, moves: Sequence[int], random: Random) -> list[float]:
        """Points at once before all; then heavy tiles and doubles."""
        points, chance = game.points, random.random
        return [SCORE * points(move) + SHED[move >> 2] + NOISE * chance() for move in moves]

    def worth(self, game: AllFivesSimulation) -> list[float]:
        """Take off what the hands are feared to cost while the round goes on."""
        values = super().worth(game)
        if not game.over:
            for side, hand in zip(game.sides, game.hands, strict=True):
                values[side] -= BURDEN * weight(hand)
        return values


PLAYER = AllFives()
