"""Throwing: choices that the bot judges to be worse than random ones.

Even a bad player plays no worse than chance. So the choices are compared not with the bot's, but with those of a
player who chooses at random at the same decisions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import sqrt
from random import Random
from statistics import fmean, pvariance
from typing import NamedTuple

from games import bots
from games.engine.events import Drew, Event, MatchStarted, Passed, Played, move_of
from games.engine.evolve import evolve, start_state
from games.engine.moves import Move
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for

MIN_DECISIONS = 12
MAX_DECISIONS = 40  # sampled from a match
EVALUATIONS = 8  # evaluations of each decision, with different guesses of the hidden tiles
THRESHOLD = 3.0  # standard deviations beyond random choice; one random player in 740 exceeds it

Decision = tuple[State, Move, int]  # a position with a choice, the move that was made, and its number in the record


class JudgedChoice(NamedTuple):
    """The value of each legal move, the index of the one that was chosen, and its number in the record."""

    values: tuple[float, ...]
    chosen: int
    seq: int

    @property
    def stake(self) -> float:
        """The difference between the best and the worst move."""
        return max(self.values) - min(self.values)

    @property
    def losses(self) -> list[float]:
        """The share of the stake that each move gives away, 0 (the best) to 1 (the worst).

        >>> JudgedChoice((3.0, 1.0, -1.0), chosen=1, seq=7).losses
        [0.0, 0.5, 1.0]
        """
        return [(max(self.values) - value) / self.stake for value in self.values]


class Loss(NamedTuple):
    """The share of the stakes that was given away, and the share that random choice gives away.

    ``measure`` is the difference in standard deviations of random choice, ``worst_seq`` the event that lost most.
    """

    share: float = 0.0
    random_share: float = 0.0
    measure: float = 0.0
    decisions: int = 0
    worst_seq: int = 0


def measure_loss(choices: Sequence[JudgedChoice]) -> Loss:
    """Return what somebody gave away. Decisions with higher stakes weigh more."""
    relevant = [choice for choice in choices if choice.stake]
    if len(relevant) < MIN_DECISIONS:
        return Loss()
    weights = [sqrt(choice.stake) for choice in relevant]
    share = fmean([choice.losses[choice.chosen] for choice in relevant], weights)
    random_share = fmean([fmean(choice.losses) for choice in relevant], weights)
    deviation = sqrt(sum(choice.stake * pvariance(choice.losses) for choice in relevant)) / sum(weights)
    worst = max(relevant, key=lambda choice: choice.stake * choice.losses[choice.chosen])
    return Loss(share, random_share, (share - random_share) / deviation, len(relevant), worst.seq)


def sample_decisions(events: Sequence[Event], seats: Collection[int], seed: int) -> dict[int, list[Decision]]:
    """Return a random sample of the choices of these seats."""
    rng = Random(seed)  # noqa: S311 (repeatable on purpose)
    return {
        seat: rng.sample(seat_decisions, min(MAX_DECISIONS, len(seat_decisions)))
        for seat, seat_decisions in find_decisions(events, seats).items()
    }


def judge_decision(state: State, move: Move, seq: int) -> JudgedChoice:
    """Let the bot evaluate a decision. Equal decisions give equal results."""
    view = view_for(rules_for(state.setup.variant), state, state.round.to_move)
    evaluations = [bots.evaluate_moves(view, None, EVALUATIONS * seq + number) for number in range(EVALUATIONS)]
    return JudgedChoice(tuple(map(fmean, zip(*evaluations, strict=True))), view.legal.index(move), seq)


def find_decisions(events: Sequence[Event], seats: Collection[int]) -> dict[int, list[Decision]]:
    """Return the choices that the people in these seats made. ``events`` are a whole record."""
    started = events[0]
    if not isinstance(started, MatchStarted):
        raise ValueError("A record begins with the start of the match.")
    rules, state = rules_for(started.variant), start_state(started)
    choices: dict[int, list[Decision]] = {seat: [] for seat in seats}
    for seq, event in enumerate(events[1:], 2):
        if isinstance(event, Played | Drew | Passed) and not event.by and event.seat in choices:
            legal, move = rules.legal_moves(state), move_of(event)
            if len(legal) > 1 and move in legal:
                choices[event.seat].append((state, move, seq))
        state = evolve(state, event)
    return choices
