"""Apply events to the state of a tournament. Legality is not checked here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from types import MappingProxyType
from typing import Any

from games.tournaments.core.events import (
    Announced,
    Begun,
    BoardClosed,
    Cancelled,
    Counted,
    Dropped,
    Ended,
    Entered,
    Event,
    Left,
    Paired,
    Result,
    ResultChanged,
    Returned,
    RoundOver,
    SatOut,
    Started,
)
from games.tournaments.core.state import Entry, State, Table


def start_state(event: Announced) -> State:
    """Return the state after the announcement."""
    return State(event.terms)


def evolve(state: State, event: Event) -> State:
    """Return the state after the event. Raises ``KeyError`` for ``Announced``, which ``start_state`` applies."""
    return APPLY_BY_TYPE[type(event)](state, event)


def fold(events: Iterable[Event]) -> State:
    """Return the state after all events. Raises ``ValueError`` unless the first is ``Announced``."""
    first, *rest = events
    if not isinstance(first, Announced):
        raise ValueError("A tournament begins with Announced.")
    return reduce(evolve, rest, start_state(first))


def _with_entries(state: State, *entries: Entry) -> State:
    changed = {entry.party: entry for entry in entries}
    return replace(state, entries=MappingProxyType({**state.entries, **changed}))


def _with_table(state: State, number: int, **changes: Any) -> State:
    table: Table = replace(state.tables[number], **changes)
    return replace(state, tables=(*state.tables[:number], table, *state.tables[number + 1 :]))


def _enter(state: State, event: Entered) -> State:
    entry = Entry(event.party, event.people, event.missed, event.points, commitments=event.commitments)
    return _with_entries(state, entry)


def _leave(state: State, event: Left) -> State:
    if state.stage == "announced":
        remaining = {party: entry for party, entry in state.entries.items() if party != event.party}
        return replace(state, entries=MappingProxyType(remaining))
    return _with_entries(state, replace(state.entries[event.party], left_reason=event.reason))


def _set_sitting_out(state: State, event: SatOut | Returned) -> State:
    return _with_entries(state, replace(state.entries[event.party], sits_out=isinstance(event, SatOut)))


def _pair(state: State, event: Paired) -> State:
    tables = [Table(event.first + index, event.round, parties) for index, parties in enumerate(event.tables)]
    paired = replace(state, tables=(*state.tables, *tables))
    if state.is_arena:
        return paired
    awards = [(state.entries[award.party], award) for award in event.awards]
    entries = [replace(entry, awards=(*entry.awards, award), sits_out=False) for entry, award in awards]
    return replace(_with_entries(paired, *entries), round=event.round, round_stage="playing")


def _close_board(state: State, event: BoardClosed) -> State:
    tables = tuple(
        replace(table, over_at=event.at) if table.round == event.round and table.is_pending else table
        for table in state.tables
    )
    return replace(state, tables=tables, boards=(*state.boards, event.results), levels=(*state.levels, event.levels))


def _drop(state: State, event: Dropped) -> State:
    results = tuple(Result(party, 0, 0) for party in event.missing)
    return _with_table(state, event.table, is_dropped=True, over_at=event.at, results=results)


APPLY_BY_TYPE: Mapping[type[Event], Callable[[State, Any], State]] = MappingProxyType(
    {
        Entered: _enter,
        Left: _leave,
        SatOut: _set_sitting_out,
        Returned: _set_sitting_out,
        Started: lambda state, event: replace(state, stage="running", rounds=event.rounds, entropy=event.entropy),
        Paired: _pair,
        Begun: lambda state, event: _with_table(state, event.table, match=event.match, begun_at=event.at),
        Counted: lambda state, event: _with_table(state, event.table, results=event.results, over_at=event.at),
        Dropped: _drop,
        ResultChanged: lambda state, event: _with_table(state, event.table, results=event.results),
        BoardClosed: _close_board,
        RoundOver: lambda state, _event: replace(state, round_stage="pairing"),
        Ended: lambda state, _event: replace(state, stage="over"),
        Cancelled: lambda state, _event: replace(state, stage="cancelled"),
    }
)
