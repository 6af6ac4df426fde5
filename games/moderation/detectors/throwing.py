"""Throwing: choices that the bot takes for worse than those of somebody who draws lots.

Whoever plays badly still plays better than chance, or as well. So what is measured is not how far somebody falls
short of the bot, but how far of a player who chooses blindly at the same decisions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import sqrt
from random import Random
from statistics import fmean, pvariance
from typing import NamedTuple

from games import bots
from games.engine.events import Drew, Event, MatchStarted, Passed, Played
from games.engine.evolve import evolve, start_state
from games.engine.moves import Move
from games.engine.replay import move_of
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for

ENOUGH, MOST = 12, 40
"""Decisions below which nothing is said; so many are sampled from a match."""
OPINIONS = 8
"""So often the bot is asked about each, with other guesses of what is hidden."""
THRESHOLD = 3.0
"""Standard deviations beyond blind choice: one blind player in 740 is as bad."""


class Choice(NamedTuple):
    """What each legal move was worth, which one was made, and its place in the record."""

    values: tuple[float, ...]
    made: int
    seq: int

    @property
    def stake(self) -> float:
        """What the best move is worth more than the worst."""
        return max(self.values) - min(self.values)

    @property
    def losses(self) -> list[float]:
        """What part of what was at stake each move gives away, 0 (the best) to 1 (the worst).

        >>> Choice((3.0, 1.0, -1.0), made=1, seq=7).losses
        [0.0, 0.5, 1.0]
        """
        return [(max(self.values) - value) / self.stake for value in self.values]


class Loss(NamedTuple):
    """What part of the stakes was given away in so many decisions, what part blind choice gives away, and ``worst``.

    ``measure`` is by how many standard deviations of blind choice it was more.
    """

    given: float = 0.0
    blind: float = 0.0
    measure: float = 0.0
    decisions: int = 0
    worst: int = 0


def loss(choices: Sequence[Choice]) -> Loss:
    """Return what somebody gave away; the higher the stakes of a decision, the more it says."""
    staked = [choice for choice in choices if choice.stake]
    if len(staked) < ENOUGH:
        return Loss()
    weights = [sqrt(choice.stake) for choice in staked]
    given = fmean([choice.losses[choice.made] for choice in staked], weights)
    blind = fmean([fmean(choice.losses) for choice in staked], weights)
    spread = sqrt(sum(choice.stake * pvariance(choice.losses) for choice in staked)) / sum(weights)
    worst = max(staked, key=lambda choice: choice.stake * choice.losses[choice.made])
    return Loss(given, blind, (given - blind) / spread, len(staked), worst.seq)


Decision = tuple[State, Move, int]
"""A position in which there was a choice, the move that was made, and its place in the record."""


def sample(events: Sequence[Event], seats: Collection[int], seed: int) -> dict[int, list[Decision]]:
    """Return some of the choices that the people in these seats made."""
    chance = Random(seed)  # noqa: S311 (repeatable on purpose)
    found = decisions(events, seats)
    return {seat: chance.sample(known, min(MOST, len(known))) for seat, known in found.items()}


def judged(state: State, move: Move, seq: int) -> Choice:
    """Return a choice with what the bot thinks of it. The same decision is always judged alike."""
    view = view_for(rules_for(state.setup.variant), state, state.round.to_move)
    opinions = [bots.evaluate(view, None, OPINIONS * seq + number) for number in range(OPINIONS)]
    return Choice(tuple(map(fmean, zip(*opinions, strict=True))), view.legal.index(move), seq)


def decisions(events: Sequence[Event], seats: Collection[int]) -> dict[int, list[Decision]]:
    """Return the choices of the people in these seats. ``events`` are a whole record."""
    started = events[0]
    if not isinstance(started, MatchStarted):
        raise ValueError("A record begins with the start of the match.")
    rules, state = rules_for(started.variant), start_state(started)
    found: dict[int, list[Decision]] = {seat: [] for seat in seats}
    for seq, event in enumerate(events[1:], 2):
        if isinstance(event, Played | Drew | Passed) and not event.by and event.seat in found:
            legal, move = rules.legal_moves(state), move_of(event)
            if len(legal) > 1 and move in legal:
                found[event.seat].append((state, move, seq))
        state = evolve(state, event)
    return found
