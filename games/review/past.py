"""A match that can be looked back at: its record cut into steps. Plain values; ``steps`` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from games.engine.events import (
    DealVoided,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    RoundDealt,
    RoundEnded,
    SecretRevealed,
)

FOLLOWS = (RoundEnded, KeyRevealed, SecretRevealed)
"""These follow from the step before them and belong to it, as does the end of the match that a round brings."""

OPEN, PUBLIC = "open", "public"
"""From whose perspective: all hands open, everybody's, or those of a seat (its number)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done: its number from 1, the version after it, its round and events, when, after how long."""

    number: int
    version: int
    round: int
    events: tuple[Event, ...]
    at: datetime | None
    thought: timedelta


@dataclass(frozen=True, slots=True)
class Past:
    """A match as far as it may be looked back at."""

    steps: tuple[Step, ...]

    @property
    def last(self) -> int:
        return len(self.steps)

    def step(self, number: int) -> Step:
        return self.steps[number - 1]

    def round_of(self, number: int) -> tuple[Step, ...]:
        """Return the steps of the round to which a step belongs."""
        within = self.step(number).round
        return tuple(step for step in self.steps if step.round == within)

    def rounds(self) -> dict[int, int]:
        """Return the first step of each round."""
        return {step.round: step.number for step in reversed(self.steps)}


def all_perspectives(seats: int) -> list[str]:
    """Return from whose perspective one may look at a match that is over, the usual ones first."""
    return [OPEN, PUBLIC, *map(str, range(seats))]


def steps_of(rows: Sequence[tuple[Event, datetime | None]]) -> list[Step]:
    """Cut a record into steps; the start of the match and void deals belong to none."""
    steps: list[Step] = []
    before: datetime | None = None
    for version, (event, at) in enumerate(rows, 1):
        if isinstance(event, MatchStarted | DealVoided):
            continue
        if _is_own_step(event, steps):
            thought = at - before if at and before else timedelta()
            steps.append(Step(len(steps) + 1, version, _round_of(event, steps), (event,), at, thought))
        elif steps:
            steps[-1] = replace(steps[-1], version=version, events=(*steps[-1].events, event))
        before = at
    return steps


def _is_own_step(event: Event, steps: Sequence[Step]) -> bool:
    if isinstance(event, MatchEnded):
        return not (steps and isinstance(steps[-1].events[-1], RoundEnded))
    return not isinstance(event, FOLLOWS)


def _round_of(event: Event, steps: Sequence[Step]) -> int:
    if isinstance(event, RoundDealt):
        return event.round
    return steps[-1].round if steps else 0
