"""The player of Kozel: plays heavy tiles and doubles early, and avoids opening an account."""

from __future__ import annotations

from games.bots.player import Shedder
from games.engine.events import Standing
from games.engine.simulation.line import KozelSimulation

REMEMBERED = 0.5
OPENED = 10
DEFEAT = 60


class Kozel(Shedder):
    simulation = KozelSimulation

    def burden(self, standing: Standing, limit: int | None) -> float:
        """Weigh remembered points less: they may still be lost, unlike those of an account."""
        if not standing.opened:
            return REMEMBERED * standing.points
        return OPENED + standing.points + DEFEAT * (limit is not None and standing.points >= limit)


PLAYER = Kozel()
