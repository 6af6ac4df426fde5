"""The lists of the lobby, for its page and its sockets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString

from games.html import Html
from games.match.listed import ListedSeat, ListedTable, TableLists
from games.rendering.standing import standing_score
from games.rendering.zones import Zones
from games.words import Choice, words_of
from games.words.length import length_note
from games.words.lookup import words_for
from games.words.names import translated_name
from games.words.table import unusual_terms

if TYPE_CHECKING:
    from games.words import Text

# The ids of the zones and their templates.
ZONES = {
    "here": "lobby/people_here.html",
    "open-tables": "lobby/open_tables.html",
    "running-tables": "lobby/running_tables.html",
    "exhibitions": "lobby/bot_matches.html",
}


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table as ``lobby/table_card.html`` shows it.

    ``length`` is the length of the match in words with its minutes, ``unusual_terms`` the terms that differ from the
    defaults. ``round`` and the scores of the seats are "" before the first deal.
    """

    table: ListedTable
    game: Text
    length: str
    unusual_terms: tuple[Choice, ...]
    round: SafeString
    seats: tuple[tuple[ListedSeat, SafeString], ...]


def table_lines(tables: Iterable[ListedTable], language: str) -> tuple[TableLine, ...]:
    """Return the items of a list."""
    return tuple(_table_line(table, language) for table in tables)


def lists_zones(lists: TableLists, people: int, language: str) -> Zones:
    """Return the zones of the lobby with the lists. ``people`` is the number of people on the site."""
    context = {
        "open": table_lines(lists.open, language),
        "running": table_lines(lists.running, language),
        "exhibitions": table_lines(lists.exhibitions, language),
        "people": people,
        "free": sum(table.free > 0 for table in lists.open),
    }
    with translation.override(language):
        return Zones({name: Html(render_to_string(template, {"lists": context})) for name, template in ZONES.items()})


def _table_line(table: ListedTable, language: str) -> TableLine:
    words = words_for(table.variant, language)
    return TableLine(
        table=table,
        game=words_of(table.variant).name,
        length=length_note(table.variant, dict(table.agreed.options), len(table.seats), table.agreed.clock),
        unusual_terms=unusual_terms(table.agreed),
        round=SafeString(words.fill("round", round=table.round) if table.round else ""),
        seats=tuple(
            (
                replace(seat, name=translated_name(language, seat.name)),
                SafeString(standing_score(seat.standing, words)),
            )
            for seat in table.seats
        ),
    )
