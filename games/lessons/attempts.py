"""Judges the moves of learners."""

from __future__ import annotations

from games.engine.decide import apply_move
from games.engine.refusal import Refusal
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.lessons import Attempt, Task


def try_move(task: Task, text: str) -> Attempt:
    """Try a move ("" if there is none yet). Only a solution changes the position."""
    state = task.position()
    rules = rules_for(state.setup.variant)
    before = view_for(rules, state, task.seat)
    if not text:
        return Attempt(before)
    try:
        move = rules.parse_move(state, text)
        after = apply_move(rules, state, task.seat, move)[1]
    except Refusal as refusal:
        return Attempt(before, refusal=refusal)
    if rules.move_text(move) not in task.solutions:
        return Attempt(before, is_wrong=True)
    return Attempt(view_for(rules, after, task.seat), is_solved=True)
