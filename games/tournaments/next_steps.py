"""The next steps of the players of an ended table: stored with the table, for its page.

The page of a table reads nothing of the tournament but this. It is written with the events that change it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict

from games.broadcast import announcements
from games.enums import NextStep
from games.match.table import SideStep
from games.models import TournamentTable
from games.tournaments.core.arena import RESULT_TIME
from games.tournaments.core.events import (
    Begun,
    Cancelled,
    Counted,
    Dropped,
    Ended,
    Event,
    Left,
    Paired,
    Returned,
    RoundOver,
    SatOut,
)
from games.tournaments.core.state import State, Table
from games.tournaments.dues import next_round_at

REMEMBERED_TABLES = 2  # of a party: the last that ended, and the one before, which no longer says what follows


def write(tournament_id: int, state: State, events: Iterable[Event]) -> None:
    """Write what follows ended tables, as far as these events change it, and announce it to their pages."""
    parties = {party for event in events for party in _parties_of(state, event)}
    ended = _ended_tables(state, parties)
    tables = {table.number: table for own in ended.values() for table in own[-REMEMBERED_TABLES:]}
    if not tables:
        return
    last = {party: own[-1].number for party, own in _ended_tables(state, _people(tables.values())).items()}
    rows = list(TournamentTable.objects.filter(tournament=tournament_id, number__in=tables).only("pk", "number"))
    for row in rows:
        table = tables[row.number]
        row.next_steps = [
            asdict(_step(state, party, table) if last.get(party) == table.number else SideStep())
            for party in table.parties
        ]
    TournamentTable.objects.bulk_update(rows, ["next_steps"])
    announcements.touch_tables(table.match for table in tables.values())


def _parties_of(state: State, event: Event) -> Iterable[str]:
    """Return the parties that do something else after an event."""
    if isinstance(event, Left | SatOut | Returned):
        return (event.party,)
    if isinstance(event, Begun | Counted | Dropped):
        return state.tables[event.table].people
    if isinstance(event, Paired):
        return tuple(award.party for award in event.awards)
    return state.entries if isinstance(event, RoundOver | Ended | Cancelled) else ()


def _ended_tables(state: State, parties: set[str]) -> dict[str, list[Table]]:
    """Return the tables of these parties that were played and are over, in order."""
    tables: dict[str, list[Table]] = defaultdict(list)
    for table in state.tables:
        if table.over_at and table.match:
            for party in parties.intersection(table.people):
                tables[party].append(table)
    return tables


def _people(tables: Iterable[Table]) -> set[str]:
    return {party for table in tables for party in table.people}


def _step(state: State, party: str, ended: Table) -> SideStep:
    """Return what a party does after its last table."""
    entry = state.entries[party]
    if state.is_finished or entry.left_reason:
        return SideStep(NextStep.OUT)
    current = next((table for table in state.current_tables if table.is_pending and party in table.people), None)
    if current is not None:
        return SideStep(NextStep.PLAYS, match=current.match) if current.match else SideStep(NextStep.WAITS)
    if entry.sits_out:
        return SideStep(NextStep.PAUSED)
    if not state.has_next_table(party, ended.over_at + RESULT_TIME):
        return SideStep(NextStep.OUT)
    return SideStep(NextStep.WAITS, at_ms=_next_table_at(state, ended))


def _next_table_at(state: State, ended: Table) -> int:
    """Return when the next table can be laid, 0 while others still play the round."""
    if state.is_arena:
        return ended.over_at + RESULT_TIME
    return next_round_at(state) if state.round_stage == "pairing" else 0
