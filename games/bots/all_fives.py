"""The player of All Fives: score, shed weight, and mind what the others may score next."""

from __future__ import annotations

from random import Random

from games.bots.player import Collector
from games.engine.moves import Move, Play
from games.engine.state import State
from games.engine.tiles import is_double, pips
from games.engine.variants.all_fives import RULES

SCORE = 3
DOUBLE = 3
NOISE = 3


class AllFives(Collector):
    """Plays a few turns ahead by points first and weight second; values the score, and fears what hands will cost."""

    horizon = 3
    burden = 0.3

    def preference(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Points at once before all; then heavy tiles and doubles."""
        if not isinstance(move, Play):
            return 0.0
        scored = RULES.move_points(state, move).total
        return SCORE * scored + pips(move.tile) + DOUBLE * is_double(move.tile) + NOISE * random.random()


PLAYER = AllFives()
