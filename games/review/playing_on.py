"""Playing a position on by bots. A worker process does it, so nothing here knows Django or the record."""

from __future__ import annotations

from collections.abc import Collection

from games import bots
from games.engine.decide import make_move
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for


def play_on(position: State, people: Collection[int], level: str, seed: int) -> tuple[str, ...]:
    """Return the moves, in notation, that bots make until it is the turn of one of ``people`` or the round is over.

    Each bot gets the view of its seat and nothing else. The same question always has the same answer.
    """
    rules, moves = rules_for(position.setup.variant), list[str]()
    while (seat := position.round.to_move) is not None and seat not in people:
        moves.append(bots.choose(view_for(rules, position, seat), level, seed + len(moves)))
        position = make_move(rules, position, seat, rules.parse_move(position, moves[-1]))[1]
    return tuple(moves)
