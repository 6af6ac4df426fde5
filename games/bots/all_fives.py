"""The player of All Fives: score, shed weight, and mind what the others may score next."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.bots.player import Collector
from games.engine.simulation.spinner import PIPS, TILES, AllFivesSimulation
from games.engine.tiles import is_double

SCORE = 3
DOUBLE = 3
NOISE = 3
SHED = [pips + DOUBLE * is_double(tile) for pips, tile in zip(PIPS, TILES, strict=True)]
"""How much it prefers each tile for itself."""


class AllFives(Collector[AllFivesSimulation]):
    """Plays a few turns ahead by points first and weight second; values the score, and fears what hands will cost."""

    simulation = AllFivesSimulation
    horizon = 3
    burden = 0.3

    def preferences(self, game: AllFivesSimulation, moves: Sequence[int], random: Random) -> list[float]:
        """Points at once before all; then heavy tiles and doubles."""
        points, chance = game.points, random.random
        return [SCORE * points(move) + SHED[move >> 2] + NOISE * chance() for move in moves]


PLAYER = AllFives()
