"""The simulation of each variant."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from games.engine.simulation.grid import RytminoSimulation
from games.engine.simulation.lattice import TriominoesSimulation
from games.engine.simulation.line import GamezzSimulation, KozelSimulation
from games.engine.simulation.simulation import Simulation
from games.engine.simulation.spinner import AllFivesSimulation
from games.engine.state import State

SIMULATIONS: Mapping[str, type[Simulation]] = MappingProxyType(
    {
        "all_fives": AllFivesSimulation,
        "gamezz": GamezzSimulation,
        "kozel": KozelSimulation,
        "rytmino": RytminoSimulation,
        "triominoes": TriominoesSimulation,
    }
)


def simulate(state: State) -> Simulation:
    """Return a simulation that starts from a state. Raises ``KeyError`` if the variant has none."""
    return SIMULATIONS[state.setup.variant](state)
