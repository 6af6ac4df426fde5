"""Options: what can be chosen when a match is opened."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.state import State


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a match is opened: its name, the choices, and the default.

    ``seats`` are the seat counts that have the choice (empty: all); elsewhere only the default is allowed.
    ``implied``: records leave the default out.
    """

    name: str
    choices: tuple[str, ...]
    default: str
    seats: tuple[int, ...] = ()
    implied: bool = False


FULL, QUICK = "full", "quick"
LENGTH = Option("length", (FULL, QUICK), FULL, implied=True)
"""Whether a match goes on as long as the rulebook says, or is over in five to ten minutes."""


def is_quick(state: State) -> bool:
    """Return whether the match is a quick one."""
    return state.option(LENGTH.name) == QUICK
