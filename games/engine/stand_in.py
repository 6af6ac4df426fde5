"""Legal, careful moves for a player who has run out of time."""

from __future__ import annotations

from functools import reduce

from games.engine.decide import decide
from games.engine.events import CLOCK, Drew, Event
from games.engine.evolve import evolve
from games.engine.moves import Move, Play
from games.engine.rules import Rules
from games.engine.state import State


def play_turn(rules: Rules, state: State) -> tuple[Event, ...]:
    """Return the events of a whole turn of the seat to move, draws included. Raises ``Refusal``."""
    turn_events: tuple[Event, ...] = ()
    while True:
        events = decide(rules, state, state.round.to_move or 0, careful_move(rules, state), by=CLOCK)
        turn_events, state = turn_events + events, reduce(evolve, events, state)
        if not isinstance(events[0], Drew):
            return turn_events


def careful_move(rules: Rules, state: State) -> Move:
    """Return the placement that scores most, or the cheapest draw or pass if nothing fits.

    The heaviest tile breaks ties. Hidden tiles are ignored.
    """
    return max(
        rules.legal_moves(state),
        key=lambda move: (
            isinstance(move, Play),
            rules.move_points(state, move).total,
            sum(move.tile) if isinstance(move, Play) else 0,
        ),
    )
