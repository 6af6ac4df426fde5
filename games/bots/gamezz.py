"""The player of Classic goat: shed weight and doubles, keep suits open, fear the limit."""

from __future__ import annotations

from games.bots.player import Shedder
from games.engine.events import Standing
from games.engine.simulation.line import GamezzSimulation

DEFEAT = 60


class Gamezz(Shedder):
    """Values the score after the round, so going out and blocking count by themselves."""

    simulation = GamezzSimulation

    def burden(self, standing: Standing, limit: int | None) -> float:
        """Return the points, and what it is to lose by them."""
        return standing.points + DEFEAT * (limit is not None and standing.points >= limit)


PLAYER = Gamezz()
