"""The choice of the featured match."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.enums import DAILY_CLOCKS, Occupant
from games.match.listed import ListedTable, TableLists

INACTIVE_AFTER = timedelta(seconds=30)  # a match in which spectators see no move for this long is left out
RECHECK_AFTER = timedelta(seconds=10)  # while no running match is active


def choose_featured_table(lists: TableLists, now: datetime, *, current_slug: str = "") -> ListedTable | None:
    """Return the table to show: the current one while it is active, otherwise the best.

    People rank above bots, then rated matches above casual ones, more people above fewer, more spectators above fewer,
    and newer matches above older ones. Only people who are there count.
    """
    active = active_tables(lists, now)
    current = next((table for table in active if table.slug == current_slug), None)
    return current or next(iter(active), None)


def active_tables(lists: TableLists, now: datetime, *, excluded_slug: str = "") -> list[ListedTable]:
    """Return the active tables, the best first."""
    running = [table for table in (*lists.running, *lists.exhibitions) if table.slug != excluded_slug]
    return sorted((table for table in running if is_active(table, now)), key=_rank, reverse=True)


def is_active(table: ListedTable, now: datetime) -> bool:
    """Return False if spectators would wait: for a player who is away, or after a long time without a move.

    Daily matches are never active.
    """
    if table.agreed.clock in DAILY_CLOCKS or table.waits_for_absent or table.last_event_at is None:
        return False
    return now - table.last_event_at < INACTIVE_AFTER


def next_choice_at(lists: TableLists, chosen: ListedTable | None, now: datetime) -> datetime | None:
    """Return when to choose again even if nothing is announced, None if nothing is running."""
    if chosen is not None and chosen.last_event_at is not None:
        return chosen.last_event_at + INACTIVE_AFTER
    return now + RECHECK_AFTER if lists.running or lists.exhibitions else None


def _rank(table: ListedTable) -> tuple[bool, bool, int, int]:
    people = sum(seat.kind == Occupant.HUMAN and not seat.is_away for seat in table.seats)
    return people > 0, table.agreed.rated, people, table.spectators
