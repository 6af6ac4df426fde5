"""Names of which somebody remembers a part."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from accounts.names import search_key

MOST = 20
WALK = """
WITH RECURSIVE names(key) AS (
    SELECT MIN(name_key) FROM games_seat WHERE name_key > ''
    UNION ALL
    SELECT (SELECT MIN(name_key) FROM games_seat WHERE name_key > key) FROM names WHERE key IS NOT NULL
)
SELECT key FROM names WHERE key LIKE %s ESCAPE '!' LIMIT %s
"""
"""Goes from name to name through their index, however many matches each has played."""


class Names(NamedTuple):
    """Names as they are searched for, and whether there are more of them."""

    keys: tuple[str, ...]
    more: bool


NOBODY = Names((), False)


def names_with(part: str) -> Names:
    """Return the names of players with a part, in the order of the alphabet but for the part itself, the first."""
    key = search_key(part)
    pattern = "".join(f"!{sign}" if sign in "!%_" else sign for sign in key)
    with connection.cursor() as cursor:
        cursor.execute(WALK, [f"%{pattern}%", MOST + 1])
        found = [name for (name,) in cursor.fetchall() if name != key]
    return Names((key, *found[: MOST - 1]), len(found) >= MOST)
