"""Reads the steps of a match in review, and the table and position after every step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from games import caches
from games.caches import ProcessCache
from games.engine.evolve import evolve
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.enums import Occupant, SeatState
from games.match import record, selectors
from games.match.snapshots import with_void_end
from games.match.table import Person, Table
from games.review.match_steps import MatchSteps, Step, steps_from_events

# Reads the position after each of these steps of one round, which are in order.
StateReader = Callable[[Sequence[Step]], Iterator[State]]

_cached_steps: ProcessCache[MatchSteps] = caches.reviews


def load_match_steps(match_id: int, version: int) -> MatchSteps:
    """Read the steps up to a version, which must not be newer than what the viewer may see."""
    entry = _cached_steps().get_entry(match_id)
    if entry and entry[0] == version:
        return entry[1]
    rows = [(event, at) for seq, event, at in record.read_events(match_id) if seq <= version]
    match_steps = MatchSteps(tuple(steps_from_events(rows)))
    _cached_steps().put(match_id, version, match_steps)
    return match_steps


def table_at(match_id: int, step: Step) -> Table:
    """Return the public table after a step, without clocks, presence and chat."""
    table = selectors.read_table(match_id)
    people = tuple(map(_as_at_start, table.people))
    return at_step(replace(table, people=people, timer=table.timer.stopped(), messages=()), step)


def at_step(table: Table, step: Step) -> Table:
    """Return a table of a review as of another step."""
    return replace(table, version=step.version, revision=step.version, round=step.round)


def _as_at_start(person: Person) -> Person:
    """Return a person as at the start. The record says for whom a bot played in a step."""
    kind = Occupant.HUMAN if person.user_id is not None else person.kind
    return replace(person, kind=kind, away=False, ready=False, state=SeatState.ACTIVE, vote="")


def states_at(match_id: int, steps: Sequence[Step]) -> Iterator[State]:
    """Yield the position after each of these consecutive steps of one round, reading the record once."""
    first, last = steps[0].version, steps[-1].version
    state, versions = record.load_state(match_id, first), {step.version for step in steps}
    yield state
    for seq, event, _at in record.read_events(match_id, last, after=first):
        state = evolve(state, event)
        if seq in versions:
            yield state


def view_of_seat(table: Table, state: State, seat: int | None, *, open_hands: bool) -> View:
    """Return the view of a seat (None: the public view), or the one with all hands open."""
    return with_void_end(view_for(rules_for(table.variant), state, seat, open_hands=open_hands), table)
