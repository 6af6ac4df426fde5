"""The player of All Fives: prefers points, then heavy tiles, and looks a few turns ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.bots.player import PointsCollector
from games.engine.simulation.spinner import PIPS, TILES, AllFivesSimulation, pips_of_tiles
from games.engine.tiles import is_double

POINT_WEIGHT = 3
DOUBLE_BONUS = 3
NOISE = 3  # range of the random part of a preference
COST_OF_PIP = 0.3  # points that a pip in hand is expected to cost
# Preference for each tile when points are equal.
TILE_PREFERENCES = [pips + DOUBLE_BONUS * is_double(tile) for pips, tile in zip(PIPS, TILES, strict=True)]


class AllFives(PointsCollector[AllFivesSimulation]):
    simulation = AllFivesSimulation
    plays_heavy_tiles_early = True
    horizon = 3
    report_playouts = 5000
    luck_error = 0.2

    def preferences(self, game: AllFivesSimulation, moves: Sequence[int], random: Random) -> list[float]:
        """Prefer points, then heavy tiles and doubles."""
        points, chance = game.points, random.random
        return [POINT_WEIGHT * points(move) + TILE_PREFERENCES[move >> 2] + NOISE * chance() for move in moves]

    def side_values(self, game: AllFivesSimulation) -> list[float]:
        """Subtract the expected cost of the hands while the round continues."""
        values = super().side_values(game)
        if not game.over:
            for side, hand in zip(game.sides, game.hands, strict=True):
                values[side] -= COST_OF_PIP * pips_of_tiles(hand)
        return values


PLAYER = AllFives()
