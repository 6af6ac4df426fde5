"""Reading a match in review: what was done, and the table as it stood after any step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from games import caches
from games.caches import CacheOf
from games.engine.evolve import evolve
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.enums import Occupant, SeatState
from games.match import record, selectors
from games.match.snapshots import as_decided
from games.match.table import Person, Table
from games.review.past import Past, Step, steps_of

# Reads the position after each of these steps of one round, which are in order.
States = Callable[[Sequence[Step]], Iterator[State]]

_pasts: CacheOf[Past] = caches.reviews


def past(match_id: int, version: int) -> Past:
    """Read the steps up to a version, which must not be newer than what the viewer may see."""
    known = _pasts().get(match_id)
    if known and known[0] == version:
        return known[1]
    found = Past(tuple(steps_of([(event, at) for seq, event, at in record.read(match_id) if seq <= version])))
    _pasts().put(match_id, version, found)
    return found


def table_at(match_id: int, step: Step) -> Table:
    """Return the public table as it stood, without clocks, presence and chat."""
    table = selectors.table(match_id)
    agreed = tuple(map(_as_agreed, table.people))
    return at_step(replace(table, people=agreed, timer=table.timer.stopped(), messages=()), step)


def at_step(table: Table, step: Step) -> Table:
    """Return a table that stood as after one step as it stood after another."""
    return replace(table, version=step.version, revision=step.version, round=step.round)


def _as_agreed(person: Person) -> Person:
    """Return a person as at the start: the record says for whom a bot played at a step."""
    kind = Occupant.HUMAN if person.user_id is not None else person.kind
    return replace(person, kind=kind, away=False, ready=False, state=SeatState.ACTIVE, vote="")


def states_at(match_id: int, steps: Sequence[Step]) -> Iterator[State]:
    """Yield the position after each of these steps of one round, which are in order; the record is read once."""
    first, last = steps[0].version, steps[-1].version
    state, versions = record.load(match_id, first), {step.version for step in steps}
    yield state
    for seq, event, _at in record.read(match_id, last, after=first):
        state = evolve(state, event)
        if seq in versions:
            yield state


def view_of(table: Table, state: State, seat: int | None, *, open_hands: bool) -> View:
    """Return what a seat (None: everybody) sees of a position, or all hands."""
    return as_decided(view_for(rules_for(table.variant), state, seat, open_hands=open_hands), table)
