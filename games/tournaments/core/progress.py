"""Deadlines of tables and boards."""

from __future__ import annotations

from statistics import median_low

from games.tournaments.core.state import State, Table
from games.tournaments.core.terms import MINUTE

HANG_FACTOR = 3  # medians after which a table is stopped
MIN_HANG = 15 * MINUTE
BOARD_FACTOR = 2  # medians after which a board closes
MIN_BOARD = 4 * MINUTE
ARENA_FACTOR = 2  # usual lengths after which a table of an arena does not count


def overdue_tables(state: State, now: int) -> tuple[Table, ...]:
    """Return the tables to stop. In an arena they are dropped, else counted by the standing after the last round.

    The standing after the last whole round counts, never a lot. Boards stop together.
    """
    if state.stage != "running":
        return ()
    limit = time_limit(state)
    closes_at = board_closes_at(state) if state.is_board_open else None
    is_board_over = closes_at is not None and now >= closes_at
    running = [table for table in state.current_tables if table.is_pending and table.begun_at]
    return tuple(table for table in running if is_board_over or now - table.begun_at >= limit)


def time_limit(state: State) -> int:
    """Return the milliseconds that a table may take."""
    usual = state.terms.usual_minutes * MINUTE
    if state.is_arena:
        return ARENA_FACTOR * usual
    return max(MIN_HANG, HANG_FACTOR * (median_length(state) or usual))


def median_length(state: State) -> int | None:
    """Return the median time of the tables of the round, None while most are still at play."""
    tables = [table for table in state.current_tables if table.begun_at]
    lengths = [table.over_at - table.begun_at for table in tables if not table.is_pending and not table.is_dropped]
    if 2 * len(lengths) < len(tables) or not lengths:
        return None
    unfinished = [max(lengths)] * (len(tables) - len(lengths))  # longer than any that is over
    return median_low([*lengths, *unfinished])


def board_closes_at(state: State) -> int | None:
    """Return when the board of the round closes if not all tables are over earlier, None if that is open."""
    length = median_length(state)
    begun = [table.begun_at for table in state.current_tables if table.begun_at or table.is_pending]
    if length is None or not all(begun):
        return None
    return max(begun) + max(MIN_BOARD, BOARD_FACTOR * length)


def can_close_board(state: State, now: int) -> bool:
    """Return True if all tables of the round are over, or its time is."""
    closes_at = board_closes_at(state)
    is_over = not any(table.is_pending for table in state.current_tables)
    return is_over or (closes_at is not None and now >= closes_at)
