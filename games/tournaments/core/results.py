"""Decide the results of tables and boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.tournaments.core import commands
from games.tournaments.core.events import (
    BoardClosed,
    BoardResult,
    Counted,
    Dropped,
    Event,
    Result,
    ResultChanged,
)
from games.tournaments.core.evolve import evolve
from games.tournaments.core.matchpoints import share_of_field
from games.tournaments.core.progress import can_close_board, overdue_tables
from games.tournaments.core.refusal import Refusal
from games.tournaments.core.shares import table_points
from games.tournaments.core.state import State, Table
from games.tournaments.core.tables import after_tables, removals, require_table


def count_table(state: State, command: commands.Count, now: int) -> tuple[Event, ...]:
    table = require_table(state, command.table)
    if not table.is_pending:
        raise Refusal("counted")
    counted = Counted(table.number, results_of(state, table, command.places, command.raws), now)
    after = evolve(state, counted)
    missing = [result.party for result in counted.results if not result.place]
    return (counted, *removals(after, missing, now), *after_tables(after, now))


def drop_table(state: State, command: commands.Drop, now: int) -> tuple[Event, ...]:
    table = require_table(state, command.table)
    if not (state.is_arena or state.is_duplicate) or not set(command.missing) <= set(table.people):
        raise Refusal("bad_request")
    if not table.is_pending:
        raise Refusal("counted")
    if state.is_arena and table not in overdue_tables(state, now):
        raise Refusal("too_early")
    dropped = Dropped(table.number, now, missing=command.missing if state.is_duplicate else ())
    return (dropped, *after_tables(evolve(state, dropped), now))


def change_result(state: State, command: commands.ChangeResult, now: int) -> tuple[Event, ...]:
    table = require_table(state, command.table)
    if table.is_pending or state.stage == "cancelled":
        raise Refusal("bad_request")
    results = results_of(state, table, command.places, command.raws) if command.places else ()
    return (ResultChanged(table.number, results, now, command.by),)


def results_of(state: State, table: Table, places: Mapping[str, int], raws: Mapping[str, int]) -> tuple[Result, ...]:
    """Return a result for each party of a table. Those without a place did not come, or left a board."""
    if not places.keys() <= set(table.people) or any(place < 1 for place in places.values()):
        raise Refusal("bad_request")
    points = {} if state.is_duplicate else table_points(places)
    return tuple(
        Result(party, places.get(party, 0), points.get(party, 0), raws.get(party, 0)) for party in table.people
    )


def close_board(state: State, command: commands.CloseBoard, now: int) -> tuple[Event, ...]:
    if not state.is_board_open or len(command.levels) != state.terms.sides:
        raise Refusal("bad_request")
    if not can_close_board(state, now):
        raise Refusal("too_early")
    results = [
        board_result(state, table, party, command.levels[seat], seat)
        for table in state.current_tables
        for seat, party in enumerate(table.parties)
        if party
    ]
    closed = BoardClosed(state.round, tuple(results), now, levels=tuple(map(tuple, command.levels)))
    return (closed, *after_tables(evolve(state, closed), now))


def board_result(state: State, table: Table, party: str, levels: Sequence[int], seat: int) -> BoardResult:
    """Return the matchpoints of a party: the field are the people and the levels of bots in its seat."""
    own = next((result for result in table.results if result.party == party), None)
    if own is None:
        return BoardResult(party, 0, 0)
    if not own.place:
        return BoardResult(party, 0, 1)
    field = [*levels, *(result.raw for other in state.current_tables for result in results_in_seat(other, seat))]
    share = share_of_field(own.raw, field)
    return BoardResult(party, share.numerator, share.denominator)


def results_in_seat(table: Table, seat: int) -> list[Result]:
    return [result for result in table.came if result.party == table.parties[seat]]
