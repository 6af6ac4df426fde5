"""What happens when a learner tries a move, judged by the engine."""

from __future__ import annotations

from games.engine.decide import make_move
from games.engine.moves import Move
from games.engine.refusal import Refusal
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.lessons import LEARNER, Attempt, Task


def attempt(task: Task, text: str) -> Attempt:
    """Try a move ("" for none yet). Only a wanted move is made."""
    state = task.position()
    rules = rules_for(state.setup.variant)
    before = view_for(rules, state, LEARNER)
    if not text:
        return Attempt(before)
    try:
        move = rules.parse_move(state, text)
        after = _made(state, move)
    except Refusal as refusal:
        return Attempt(before, refused=refusal)
    if rules.move_text(move) not in task.wanted:
        return Attempt(before, missed=True)
    return Attempt(view_for(rules, after, LEARNER), done=True)


def _made(state: State, move: Move) -> State:
    return make_move(rules_for(state.setup.variant), state, LEARNER, move)[1]
