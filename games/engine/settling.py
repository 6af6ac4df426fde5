"""Results of matches that somebody left. ``since`` is the version of the rules from which this applies."""

from __future__ import annotations

from games.engine.events import Standing
from games.engine.state import State


def settled_standing(state: State, since: int) -> tuple[Standing, ...]:
    """Return the standing without the points of the running round.

    That is the standing after the last finished round, or as it was set since then.
    """
    if state.standing_set is None or state.setup.rules_version < since:
        return state.standing
    return state.standing_set.standing


def forfeited_seats(state: State, since: int) -> tuple[int, ...]:
    """Return the seats that rank last whatever they scored."""
    return state.forfeited if state.setup.rules_version >= since else ()
