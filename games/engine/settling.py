"""What counts when somebody leaves a match. ``since`` is the version of the rules from which it does."""

from __future__ import annotations

from games.engine.events import Standing
from games.engine.state import State


def settled(state: State, since: int) -> tuple[Standing, ...]:
    """Return the standing after the last finished round, or as it was set since then.

    What the round that is being played has scored counts for nobody.
    """
    if state.standing_set is None or state.setup.rules_version < since:
        return state.standing
    return state.standing_set.standing


def forfeited(state: State, since: int) -> tuple[int, ...]:
    """Return the seats that come last whatever they have scored."""
    return state.forfeited if state.setup.rules_version >= since else ()
