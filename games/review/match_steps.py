"""The steps of a match in review, as plain values. ``steps`` reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from games.engine.events import (
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    MoveEvent,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    SecretRevealed,
    move_of,
)
from games.engine.moves import Move
from games.engine.steps import split_into_steps
from games.match.table import ChatLine

# Events that belong to the step before them.
FOLLOW_UP_EVENTS = (RoundEnded, KeyRevealed, SecretRevealed)

# Lines of chat by the number of the step after which they were written.
ChatByStep = Mapping[int, Sequence[ChatLine]]

NO_CHAT: ChatByStep = MappingProxyType({})

# Perspectives besides those of the seats (their numbers): all hands open, or only what everybody saw.
OPEN_PERSPECTIVE, PUBLIC_PERSPECTIVE = "open", "public"


@dataclass(frozen=True, slots=True)
class Step:
    """A step: its number from 1, the version after it, its round and events, its time, and the time it took."""

    number: int
    version: int
    round: int
    events: tuple[Event, ...]
    at: datetime | None
    time_taken: timedelta

    @property
    def seat(self) -> int | None:
        """Return the seat that moved in this step, if any."""
        move = self.events[0]
        return move.seat if isinstance(move, Played | Drew | Passed) else None


@dataclass(frozen=True, slots=True)
class MatchSteps:
    """The steps of a match that its reviewer may see."""

    steps: tuple[Step, ...]

    @property
    def last_number(self) -> int:
        return len(self.steps)

    @property
    def match_end(self) -> MatchEnded | None:
        """Return the end of the match, if it is among the steps."""
        last_events = self.steps[-1].events if self.steps else ()
        return next((event for event in last_events if isinstance(event, MatchEnded)), None)

    def step(self, number: int) -> Step:
        return self.steps[number - 1]

    def move_after(self, step: Step) -> Move | None:
        """Return the move that was made in the position after a step, if any."""
        event = self.step(step.number + 1).events[0] if step.number < self.last_number else None
        return move_of(event) if isinstance(event, MoveEvent) else None

    def steps_of_round(self, number: int) -> tuple[Step, ...]:
        """Return all steps of the round to which a step belongs."""
        round_number = self.step(number).round
        return tuple(step for step in self.steps if step.round == round_number)

    def round_starts(self) -> dict[int, int]:
        """Return the number of the first step of each round."""
        return {step.round: step.number for step in reversed(self.steps)}


def all_perspectives(seats: int) -> list[str]:
    """Return the perspectives of a match that is over, the default first."""
    return [OPEN_PERSPECTIVE, PUBLIC_PERSPECTIVE, *map(str, range(seats))]


def steps_from_events(rows: Sequence[tuple[Event, datetime | None]]) -> list[Step]:
    """Cut a record into steps. The start of the match and void deals belong to none."""
    steps: list[Step] = []
    previous_time: datetime | None = None
    for first_seq, step_events in split_into_steps([event for event, _at in rows]):
        events = tuple(event for event in step_events if not isinstance(event, MatchStarted | DealVoided))
        if not events:
            continue
        version = first_seq + len(step_events) - 1
        at = rows[version - len(events)][1]
        if not isinstance(events[0], FOLLOW_UP_EVENTS):
            time_taken = at - previous_time if at and previous_time else timedelta()
            steps.append(Step(len(steps) + 1, version, _round_number(events[0], steps), events, at, time_taken))
        elif steps:
            steps[-1] = replace(steps[-1], version=version, events=(*steps[-1].events, *events))
        previous_time = rows[version - 1][1]
    return steps


def _round_number(event: Event, steps: Sequence[Step]) -> int:
    if isinstance(event, RoundDealt):
        return event.round
    return steps[-1].round if steps else 0
