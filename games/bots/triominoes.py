"""The player of Triominoes: bridges, hexagons and heavy tiles, and no draw while something fits."""

from __future__ import annotations

from random import Random

from games.bots.player import Collector
from games.engine.moves import Move, Play
from games.engine.state import State
from games.engine.variants.triominoes import RULES

WHIM = 3


class Triominoes(Collector):
    """Plays a few moves ahead by points; values the score then."""

    breadth = 6
    horizon = 5

    def liking(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Points at once: a placement always has more of them than a draw or a pass."""
        if not isinstance(move, Play):
            return -1.0
        return RULES.play_points(state.layout, move).total + WHIM * random.random()


PLAYER = Triominoes()
