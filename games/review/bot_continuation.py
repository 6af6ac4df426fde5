"""Lets bots continue a position. It runs in a worker process, so it imports neither Django nor the record."""

from __future__ import annotations

from collections.abc import Collection

from games import bots
from games.engine.decide import apply_move
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for


def continue_with_bots(position: State, human_seats: Collection[int], level: str, seed: int) -> tuple[str, ...]:
    """Return the bots' moves, in notation, until it is the turn of one of ``human_seats`` or the round is over.

    Every bot gets only the view of its seat. The same arguments always give the same moves.
    """
    rules, moves = rules_for(position.setup.variant), list[str]()
    while (seat := position.round.to_move) is not None and seat not in human_seats:
        moves.append(bots.choose_move(view_for(rules, position, seat), level, seed + len(moves)))
        position = apply_move(rules, position, seat, rules.parse_move(position, moves[-1]))[1]
    return tuple(moves)
