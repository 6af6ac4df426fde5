"""The player of Classic goat: plays heavy tiles and doubles early, and avoids the limit."""

from __future__ import annotations

from games.bots.player import TileShedder
from games.engine.events import Standing
from games.engine.simulation.line import GamezzSimulation

COST_OF_DEFEAT = 60  # points


class Gamezz(TileShedder):
    simulation = GamezzSimulation

    def standing_cost(self, standing: Standing, limit: int | None) -> float:
        return standing.points + COST_OF_DEFEAT * (limit is not None and standing.points >= limit)


PLAYER = Gamezz()
