"""The player of Triominoes: bridges, hexagons and heavy tiles, and no draw while something fits.

Drawing for a better tile was tried: what it wins by bridges it loses by its price and the longer hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.bots.player import Collector
from games.engine.simulation.lattice import TriominoesSimulation

NOISE = 3


class Triominoes(Collector[TriominoesSimulation]):
    """Plays a few turns ahead by points; values the score then."""

    simulation = TriominoesSimulation
    breadth = 4
    playouts = 12
    horizon = 3

    def preferences(self, game: TriominoesSimulation, moves: Sequence[int], random: Random) -> list[float]:
        """Points at once; a draw or a pass never in place of them."""
        points, chance = game.points, random.random
        return [points(move) + NOISE * chance() if move >= 0 else -1.0 for move in moves]


PLAYER = Triominoes()
