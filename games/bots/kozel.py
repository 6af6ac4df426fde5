"""The player of Kozel: shed weight and doubles, keep suits open, fear the threshold and the fish."""

from __future__ import annotations

from random import Random
from statistics import fmean

from games.bots.player import Player
from games.engine.events import Standing
from games.engine.moves import Move, Play
from games.engine.state import State
from games.engine.tiles import is_double, pips

FOLLOWER = 2
DOUBLE = 3
WHIM = 3
REMEMBERED = 0.5
OPENED = 10
GOAT = 60
LIMIT = 101


class Kozel(Player):
    """Plays out by weight; values the score after the round, so pot, threshold and fish count by themselves."""

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


def burden(standing: Standing) -> float:
    """Return how bad a score is: remembered points may still be forgotten, an open account never is."""
    if not standing.opened:
        return REMEMBERED * standing.points
    return OPENED + standing.points + GOAT * (standing.points >= LIMIT)


PLAYER = Kozel()
