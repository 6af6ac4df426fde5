"""The loss of a player's choice, as the bot judges it with what the seat knew.

The move with the highest of several noisy estimates is probably overestimated, so every choice would seem to lose
something. Therefore one half of the estimates finds the best move and the other half judges it, and vice versa.
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

ESTIMATES_PER_CHOICE = 8  # each with another guess of the hidden tiles; an even number


def evaluate_choice(decision: Decision, seed: str) -> Choice | None:
    """Return a player's choice and its loss; None if only one move was legal or a bot or the clock made the move.

    ``seed`` is that of the match: the same decision always gets the same loss.
    """
    event, state = decision.events[0], decision.state
    if not isinstance(event, Played | Drew | Passed) or event.by:
        return None
    rules, move = rules_for(state.setup.variant), move_of(event)
    legal = rules.legal_moves(state)
    if len(legal) < 2 or move not in legal:
        return None
    chosen, estimates = legal.index(move), estimate_moves(state, seed, decision.seq)
    half_means = [_means(estimates[half::2]) for half in range(2)]
    values = _means(half_means)
    best = values.index(max(values))
    if values[chosen] == values[best]:
        best = chosen
    loss = round(estimated_loss(half_means, chosen), DECIMALS)
    return Choice(decision.seq, event.seat, loss, rules.move_text(move), rules.move_text(legal[best]))


def estimated_loss(halves: Sequence[Sequence[float]], move: int) -> float:
    """Return the loss of a move by two independent estimates of all moves: one finds the best, the other judges it.

    >>> estimated_loss([[5.0, 1.0], [3.0, 1.0]], move=1)
    3.0
    >>> estimated_loss([[5.0, 1.0], [1.0, 2.0]], move=1)
    0.0
    """
    losses = []
    for finder, judge in (halves, reversed(halves)):
        losses.append(judge[finder.index(max(finder))] - judge[move])
    return max(0.0, fmean(losses))


def estimate_moves(state: State, seed: str, seq: int) -> list[list[float]]:
    """Return ``ESTIMATES_PER_CHOICE`` estimates of the value of each legal move, with what the seat to move knows.

    The ``seed`` of the match and the ``seq`` of the move in its record make them repeatable.
    """
    view = view_for(rules_for(state.setup.variant), state, state.round.to_move)
    chance = Random(f"{seed} {seq}")  # noqa: S311 (repeatable on purpose)
    return [bots.evaluate_moves(view, None, chance.getrandbits(32)) for _ in range(ESTIMATES_PER_CHOICE)]


def report_seed(start: MatchStarted) -> str:
    """Return the seed with which the choices and deals of a match are judged."""
    return f"{start.match} {start.commitment}"


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [fmean(column) for column in zip(*rows, strict=True)]
