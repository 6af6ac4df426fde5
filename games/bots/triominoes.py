"""The player of Triominoes: prefers points, and never draws while a tile fits.

Drawing for a better tile does not pay: bridges earn no more than the draw and the longer hand cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.bots.player import PointsCollector
from games.engine.simulation.lattice import TriominoesSimulation

NOISE = 3


class Triominoes(PointsCollector[TriominoesSimulation]):
    simulation = TriominoesSimulation
    max_candidates = 4
    playouts = 12
    horizon = 3
    judged_moves = 4
    report_playouts = 1200
    check_playouts = 1400
    chance_playouts = 300
    luck_error = 0.2

    def preferences(self, game: TriominoesSimulation, moves: Sequence[int], random: Random) -> list[float]:
        points, chance = game.points, random.random
        return [points(move) + NOISE * chance() if move >= 0 else -1.0 for move in moves]


PLAYER = Triominoes()
