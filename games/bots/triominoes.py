"""The player of Triominoes: bridges, hexagons and heavy tiles, and no draw while something fits.

Drawing for a better tile was tried: what it wins by bridges it loses by its price and the longer hand.
"""

from __future__ import annotations

from random import Random

from games.bots.player import Collector
from games.engine.moves import Move, Play
from games.engine.state import State
from games.engine.variants.triominoes import RULES

NOISE = 3


class Triominoes(Collector):
    """Plays a few turns ahead by points; values the score then."""

    breadth = 4
    playouts = 12
    horizon = 3

    def preference(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Points at once; a draw or a pass never in place of them."""
        if not isinstance(move, Play):
            return -1.0
        return RULES.move_points(state, move).total + NOISE * random.random()


PLAYER = Triominoes()
