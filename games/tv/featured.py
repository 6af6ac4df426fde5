"""Which running match is worth watching most: what television shows."""

from __future__ import annotations

from collections.abc import Collection

from games.enums import Occupant
from games.match.listed import ListedTable, TableLists


def featured(lists: TableLists, *, keep: str = "", without: Collection[str] = ()) -> ListedTable | None:
    """Return the table to show, None if nobody plays; the one named ``keep`` as long as it is played at.

    People come before bots, rated matches before casual ones, more people before fewer, then what is watched most, and
    of all that the newest.
    """
    running = [table for table in (*lists.running, *lists.exhibitions) if table.slug not in without]
    kept = next((table for table in running if table.slug == keep), None)
    return kept or max(running, key=_worth, default=None)


def _worth(table: ListedTable) -> tuple[bool, bool, int, int]:
    people = sum(chair.kind == Occupant.HUMAN for chair in table.chairs)
    return not table.exhibition, table.agreed.rated, people, table.spectators
