"""The player of Classic goat: shed weight and doubles, keep suits open, fear the hundred."""

from __future__ import annotations

from games.bots.player import Shedder
from games.engine.events import Standing
from games.engine.variants.gamezz import GOAT

DEFEAT = 60


class Gamezz(Shedder):
    """Values the score after the round, so going out and blocking count by themselves."""

    def burden(self, standing: Standing) -> float:
        """Return the points, and what it is to lose by them."""
        return standing.points + DEFEAT * (standing.points >= GOAT)


PLAYER = Gamezz()
