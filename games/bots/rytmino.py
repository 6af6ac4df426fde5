"""The player of Rytmino: the greatest product now, and none so great for the next seat."""

from __future__ import annotations

from random import Random

from games.bots.player import Collector
from games.engine.moves import Move, Play
from games.engine.state import State
from games.engine.variants.rytmino import RULES

NOISE = 1


class Rytmino(Collector):
    """Plays a few turns ahead by points; values the score then."""

    breadth = 4
    playouts = 8
    horizon = 2

    def preference(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Points at once."""
        if not isinstance(move, Play):
            return 0.0
        return RULES.move_points(state, move).total + NOISE * random.random()


PLAYER = Rytmino()
