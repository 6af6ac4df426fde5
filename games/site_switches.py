"""The switches of the operators, as this process last read them.

The heartbeat reads them once a second, so neither a page nor a move needs a query for them.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.errors import Refused
from games.models import SiteSwitches
from infrastructure.runtime import PerProcess


@dataclass(frozen=True, slots=True)
class Switches:
    banner: str = ""
    matches_paused: bool = False
    clocks_stopped: bool = False


class LastRead:
    switches = Switches()


_last_read = PerProcess(LastRead)


def current_switches() -> Switches:
    return _last_read().switches


def read_switches() -> Switches:
    """Read the switches from the database."""
    row = SiteSwitches.objects.values_list("banner", "matches_paused", "clocks_stopped").first()
    _last_read().switches = switches = Switches() if row is None else Switches(*row)
    return switches


def require_new_matches() -> None:
    """Raise Refused ``matches_paused`` while no match may start."""
    if current_switches().matches_paused:
        raise Refused("matches_paused")
