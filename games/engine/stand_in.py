"""The moves that the clock makes for somebody whose time is up: legal, and of low risk."""

from __future__ import annotations

from functools import reduce

from games.engine.decide import CLOCK, decide
from games.engine.events import Drew, Event
from games.engine.evolve import evolve
from games.engine.moves import Move, Play
from games.engine.rules import Rules
from games.engine.state import State


def turn(rules: Rules, state: State) -> tuple[Event, ...]:
    """Return the facts of a whole turn of the seat to move: it draws as often as it must. Raises ``Refusal``."""
    facts: tuple[Event, ...] = ()
    while True:
        made = decide(rules, state, state.round.to_move or 0, careful_move(rules, state), by=CLOCK)
        facts, state = facts + made, reduce(evolve, made, state)
        if not isinstance(made[0], Drew):
            return facts


def careful_move(rules: Rules, state: State) -> Move:
    """Return the placement that scores most, of several the heaviest tile; the cheapest other move if none is legal.

    It looks at nothing but the hand of the seat to move and what lies open.
    """
    return max(
        rules.legal_moves(state),
        key=lambda move: (
            isinstance(move, Play),
            rules.move_points(state, move).total,
            sum(move.tile) if isinstance(move, Play) else 0,
        ),
    )
