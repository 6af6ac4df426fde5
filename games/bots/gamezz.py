"""The player of Classic goat: shed weight and doubles, keep suits open, fear the hundred."""

from __future__ import annotations

from random import Random
from statistics import fmean

from games.bots.player import Player
from games.engine.events import Standing
from games.engine.moves import Move, Play
from games.engine.state import State
from games.engine.tiles import is_double, pips
from games.engine.variants.gamezz import GOAT

FOLLOWER = 2
DOUBLE = 3
WHIM = 3
DEFEAT = 60


class Gamezz(Player):
    """Plays out by weight; values the score after the round, so going out and blocking count by themselves."""

    low_wins = True

    def liking(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Heavy tiles and doubles first, and ends for which the hand holds more tiles."""
        if not isinstance(move, Play):
            return 0.0
        after = state.layout.place(move.tile, move.place)
        followers = sum(1 for tile in state.hands[seat] if after.places(tile))
        return pips(move.tile) + DOUBLE * is_double(move.tile) + FOLLOWER * followers + WHIM * random.random()

    def worth(self, state: State, seat: int) -> float:
        """What the others carry on average, less what ``seat`` carries."""
        burdens = [burden(standing) for standing in state.standing]
        own = burdens.pop(seat)
        return fmean(burdens) - own


def burden(standing: Standing) -> int:
    """Return how bad a score is."""
    return standing.points + DEFEAT * (standing.points >= GOAT)


PLAYER = Gamezz()
