"""The choice of the featured match."""

from __future__ import annotations

from collections.abc import Collection

from games.enums import Occupant
from games.match.listed import ListedTable, TableLists


def choose_featured_table(
    lists: TableLists, *, current_slug: str = "", excluded_slugs: Collection[str] = ()
) -> ListedTable | None:
    """Return the table to show: the current one while it is played, otherwise the best.

    People rank above bots, then rated matches above casual ones, more people above fewer, more spectators above fewer,
    and newer matches above older ones.
    """
    running = [table for table in (*lists.running, *lists.exhibitions) if table.slug not in excluded_slugs]
    current = next((table for table in running if table.slug == current_slug), None)
    return current or max(running, key=_rank, default=None)


def _rank(table: ListedTable) -> tuple[bool, bool, int, int]:
    people = sum(seat.kind == Occupant.HUMAN for seat in table.seats)
    return not table.exhibition, table.agreed.rated, people, table.spectators
