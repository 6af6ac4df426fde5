"""The names of deleted accounts. The database has one English text for all; readers see it in their own language."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from games.match.table import Table

DELETED = "Deleted player"  # stored in seats and messages; no account may choose this name


def name_in(language: str, name: str) -> str:
    """Return a stored name as readers of a language see it."""
    return _deleted(language) if name == DELETED else name


def table_in(language: str, table: Table) -> Table:
    """Return a table with its names as readers of a language see them."""
    if all(person.name != DELETED for person in table.people):
        return table
    people = tuple(replace(person, name=name_in(language, person.name)) for person in table.people)
    return replace(table, people=people)


@cache
def _deleted(language: str) -> str:
    with translation.override(language):
        # Translators: stands in place of the name of a player
        return _("Deleted player")
