"""What a choice cost, as the bot judges it with what the seat knew.

Who takes the best of several estimates to be worth what it was estimated at believes in its luck too: every choice
would seem to cost something. So the best move is found by one half of the opinions and judged by the other, both ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean

from games import bots
from games.engine.events import Drew, MatchStarted, Passed, Played
from games.engine.replay import Decision, move_of
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.match_reports.report import DECIMALS, Choice

OPINIONS = 8
"""So often the bot is asked about each choice, with other guesses of what is hidden; an even number."""


def judged(decision: Decision, name: str) -> Choice | None:
    """Return what a move cost, None where nobody chose: nothing else was legal, or no player made it.

    ``name`` is of the match: the same decision of the same match is always judged alike.
    """
    event, state = decision.events[0], decision.state
    if not isinstance(event, Played | Drew | Passed) or event.by:
        return None
    rules, move = rules_for(state.setup.variant), move_of(event)
    legal = rules.legal_moves(state)
    if len(legal) < 2 or move not in legal:
        return None
    made, rows = legal.index(move), opinions(state, name, decision.seq)
    halves = [_means(rows[half::2]) for half in range(2)]
    values = _means(halves)
    best = values.index(max(values))
    if values[made] == values[best]:
        best = made
    lost = round(loss(halves, made), DECIMALS)
    return Choice(decision.seq, event.seat, lost, rules.move_text(move), rules.move_text(legal[best]))


def loss(halves: Sequence[Sequence[float]], made: int) -> float:
    """Return what a move cost by two independent estimates of all moves: the best by one, judged by the other.

    >>> loss([[5.0, 1.0], [3.0, 1.0]], made=1)
    3.0
    >>> loss([[5.0, 1.0], [1.0, 2.0]], made=1)
    0.0
    """
    first, second = halves
    ways = (first, second), (second, first)
    return max(0.0, fmean(judge[judge_by.index(max(judge_by))] - judge[made] for judge_by, judge in ways))


def opinions(state: State, name: str, seq: int) -> list[list[float]]:
    """Return what each legal move is worth by what the seat to move knows, so many times.

    ``name`` is of the match, ``seq`` the place of the move in its record: they always bring the same opinions.
    """
    view = view_for(rules_for(state.setup.variant), state, state.round.to_move)
    chance = Random(f"{name} {seq}")  # noqa: S311 (repeatable on purpose)
    return [bots.evaluate(view, None, chance.getrandbits(32)) for _ in range(OPINIONS)]


def name_of(start: MatchStarted) -> str:
    """Return the name of a match by which its choices are judged."""
    return f"{start.match} {start.commitment}"


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [fmean(column) for column in zip(*rows, strict=True)]
