"""The player of Kozel: shed weight and doubles, keep suits open, fear the threshold and the fish."""

from __future__ import annotations

from games.bots.player import Shedder
from games.engine.events import Standing
from games.engine.simulation.line import KozelSimulation

REMEMBERED = 0.5
OPENED = 10
DEFEAT = 60


class Kozel(Shedder):
    """Values the score after the round, so pot, threshold and fish count by themselves."""

    simulation = KozelSimulation

    def burden(self, standing: Standing, limit: int | None) -> float:
        """Remembered points may still be forgotten, an open account never is."""
        if not standing.opened:
            return REMEMBERED * standing.points
        return OPENED + standing.points + DEFEAT * (limit is not None and standing.points >= limit)


PLAYER = Kozel()
