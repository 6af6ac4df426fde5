"""The player of Kozel: plays heavy tiles and doubles early, and avoids opening an account."""

from __future__ import annotations

from games.bots.player import TileShedder
from games.engine.events import Standing
from games.engine.simulation.line import KozelSimulation

REMEMBERED_WEIGHT = 0.5
COST_OF_OPEN_ACCOUNT = 10  # points
COST_OF_DEFEAT = 60  # points


class Kozel(TileShedder):
    simulation = KozelSimulation

    def standing_cost(self, standing: Standing, limit: int | None) -> float:
        """Weigh remembered points less: they may still be lost, unlike those of an account."""
        if not standing.opened:
            return REMEMBERED_WEIGHT * standing.points
        return (
            COST_OF_OPEN_ACCOUNT + standing.points + COST_OF_DEFEAT * (limit is not None and standing.points >= limit)
        )


PLAYER = Kozel()
