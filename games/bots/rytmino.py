"""The player of Rytmino: prefers points and looks two turns ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.bots.player import PointsCollector
from games.engine.simulation.grid import RytminoSimulation

NOISE = 1


class Rytmino(PointsCollector[RytminoSimulation]):
    simulation = RytminoSimulation
    max_candidates = 4
    playouts = 8
    horizon = 2
    report_playouts = 1200
    check_playouts = 2700
    chance_playouts = 300
    luck_error = 0.2

    def preferences(self, game: RytminoSimulation, moves: Sequence[int], random: Random) -> list[float]:
        points, chance = game.points, random.random
        return [points(move) + NOISE * chance() for move in moves]


PLAYER = Rytmino()
