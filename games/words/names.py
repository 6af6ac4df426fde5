"""The name of deleted accounts: stored in English, and shown in each reader's language."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from games.match.table import Table

DELETED_NAME = "Deleted player"  # stored in seats and messages; no account may choose this name


def translated_name(language: str, name: str) -> str:
    """Return a stored name as readers of a language see it."""
    return _translated_deleted_name(language) if name == DELETED_NAME else name


def table_with_translated_names(language: str, table: Table) -> Table:
    """Return a table with its names as readers of a language see them."""
    if all(person.name != DELETED_NAME for person in table.people):
        return table
    people = tuple(replace(person, name=translated_name(language, person.name)) for person in table.people)
    return replace(table, people=people)


@cache
def _translated_deleted_name(language: str) -> str:
    with translation.override(language):
        # Translators: replaces a player's name
        return _("Deleted player")
