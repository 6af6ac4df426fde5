"""The player of All Fives: score, shed weight, and leave the others little to score on."""

from __future__ import annotations

from random import Random

from games.bots.player import Collector
from games.engine.moves import Move, Play
from games.engine.state import State
from games.engine.tiles import is_double, pips
from games.engine.variants.all_fives import RULES

SCORE = 3
FOLLOWER = 2
DOUBLE = 3
WHIM = 3


class AllFives(Collector):
    """Plays out by points first and weight second; values the score after the hand and the match won."""

    def liking(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Points at once before all; then heavy tiles, doubles, and ends for which the hand holds more tiles."""
        if not isinstance(move, Play):
            return 0.0
        after = state.layout.place(move.tile, move.place)
        followers = sum(1 for tile in state.hands[seat] if after.places(tile))
        scored = RULES.play_points(state.layout, move).total
        weight = pips(move.tile) + DOUBLE * is_double(move.tile)
        return SCORE * scored + weight + FOLLOWER * followers + WHIM * random.random()


PLAYER = AllFives()
