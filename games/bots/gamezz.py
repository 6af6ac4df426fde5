"""The player of Classic goat: plays heavy tiles and doubles early, and avoids the limit."""

from __future__ import annotations

from games.bots.player import Shedder
from games.engine.events import Standing
from games.engine.simulation.line import GamezzSimulation

DEFEAT = 60


class Gamezz(Shedder):
    simulation = GamezzSimulation

    def burden(self, standing: Standing, limit: int | None) -> float:
        return standing.points + DEFEAT * (limit is not None and standing.points >= limit)


PLAYER = Gamezz()
