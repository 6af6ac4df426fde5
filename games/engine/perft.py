"""Performance test: count move sequences, as a checksum of the rules."""

from __future__ import annotations

from games.engine.decide import advance
from games.engine.rules import Rules
from games.engine.state import State


def perft(rules: Rules, state: State, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal moves. A sequence that ends with the round counts 1."""
    if depth == 0 or state.round.to_move is None:
        return 1
    moves = rules.legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, advance(rules, state, state.round.to_move, move)[1], depth - 1) for move in moves)
