"""Counting move sequences: the engine's checksum."""

from __future__ import annotations

from games.engine.decide import advance
from games.engine.rules import Rules
from games.engine.state import State


def perft(rules: Rules, state: State, depth: int) -> int:
    """Return how many sequences of ``depth`` moves there are; one that ends with the round counts 1."""
    if depth == 0 or state.round.to_move is None:
        return 1
    moves = rules.legal_moves(state)
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        nodes += perft(rules, advance(rules, state, state.round.to_move, move)[1], depth - 1)
    return nodes
