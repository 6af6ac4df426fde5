"""Looking back at a match: what was done, step by step, and the table as it stood after any step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from games import record, selectors
from games.engine.events import (
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    SecretRevealed,
)
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.table import Table

OWN_STEP = (RoundDealt, Played, Drew, Passed)
"""Each of these is a step; what follows from it belongs to it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done: its number from 1, the version after it, its round and events, when, after how long."""

    number: int
    version: int
    round: int
    events: tuple[Event, ...]
    at: datetime
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


@lru_cache(maxsize=32)
def past(match_id: int, version: int) -> Past:
    """Read what was done up to a version, which is never newer than what the reader may see."""
    rows = [(event, at) for seq, event, at in record.read(match_id) if seq <= version]
    steps: list[Step] = []
    before = rows[0][1] if rows else None
    for seq, (event, at) in enumerate(rows, 1):
        if isinstance(event, MatchStarted | DealVoided):
            continue
        if _is_own_step(event, steps):
            thought = at - before if before else timedelta()
            steps.append(Step(len(steps) + 1, seq, _round_of(event, steps), (event,), at, thought))
            before = at
        else:
            steps[-1] = replace(steps[-1], version=seq, events=(*steps[-1].events, event))
            before = at
    return Past(tuple(steps))


def _is_own_step(event: Event, steps: Sequence[Step]) -> bool:
    if isinstance(event, MatchEnded):
        return not isinstance(steps[-1].events[-1], RoundEnded)
    return not isinstance(event, RoundEnded | KeyRevealed | SecretRevealed)


def _round_of(event: Event, steps: Sequence[Step]) -> int:
    return event.round if isinstance(event, RoundDealt) else steps[-1].round


def table_at(match_id: int, step: Step) -> Table:
    """Return the public table as it stood, without clocks, presence and chat."""
    table = selectors.table(match_id)
    return replace(
        table,
        version=step.version,
        revision=step.version,
        round=step.round,
        people=tuple(replace(person, away=False, ready=False) for person in table.people),
        turn_started_ms=None,
        deadline_ms=None,
        due_kind="",
        messages=(),
    )


def view_at(table: Table, step: Step, seat: int | None, *, open_hands: bool) -> View:
    """Return what a seat (None: everybody) saw after a step, or all hands."""
    state = record.load(table.match_id, step.version)
    return view_for(rules_for(table.variant), state, seat, open_hands=open_hands)
