"""Renders the page of a tournament: the zones that change while it is open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.utils import translation

from games.daily_boards.rendering import ComparisonText, comparison_text
from games.daily_boards.texts import percent_text, points_text
from games.enums import BotLevel
from games.html import EMPTY_HTML, Html, mark_trusted
from games.rendering.page import as_safe_string
from games.rendering.zones import Zones
from games.tournaments.content import Content, Fact, FieldLine, Heading, Own, SeatField, StandingLine
from games.tournaments.texts import FACTS, STAGES, all_terms, short_terms, title_of
from games.words.names import translated_name

if TYPE_CHECKING:
    from datetime import datetime

    from games.words import Text

HEAD, MINE, STANDING, TABLES = "tournament-head", "tournament-mine", "tournament-standing", "tournament-tables"
BOARDS = "tournament-boards"
# Where the own parts of a reader are in what many share; no name contains markup.
OWN_LINE, PLACE = Html("<!--own line-->"), Html("<!--place-->")
MAX_READERS = 4000  # whose own parts are remembered


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """A tournament as a list and its own page show it."""

    heading: Heading
    title: str
    stage: Text
    terms: tuple[Text, ...]
    more_terms: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class FactLine:
    at: datetime
    text: str


def tournament_line(heading: Heading) -> TournamentLine:
    return TournamentLine(
        heading, title_of(heading), STAGES.get(heading.stage, ""), short_terms(heading), all_terms(heading)
    )


def page_zones(content: Content, own: Own, language: str) -> Zones:
    """Return the zones of a page. What all readers of a language see is rendered once."""
    shared, heading = _shared_html(content, language), content.heading
    line = own.line if own.line is not None and own.line.party not in content.listed_parties else None
    own_line = _own_line_html(line, language) if line is not None else EMPTY_HTML
    zones = {
        HEAD: shared["head"],
        MINE: _mine_html(own, heading, language),
        STANDING: mark_trusted(shared["standing"].replace(OWN_LINE, own_line)),
        TABLES: shared["tables"],
        BOARDS: shared["boards"],
    }
    with translation.override(language):
        if own.hidden_matches:
            zones[TABLES] = _tables_html(content, language, own.hidden_matches)
        if own.boards:
            zones[BOARDS] = _boards_html(content, own)
    return Zones(zones)


def _mine_html(own: Own, heading: Heading, language: str) -> Html:
    """Return what the reader can do, which changes rarely, with a place that every table may change."""
    line, without_line = own.line, replace(own, line=None)
    html = _actions_html(without_line, heading.slug, heading.stage, heading.commitment, language)
    place = _place_html(line.rank, line.points, language) if line is not None and line.rank else EMPTY_HTML
    return mark_trusted(html.replace(PLACE, place))


@lru_cache(maxsize=MAX_READERS)
def _actions_html(own: Own, slug: str, stage: str, commitment: str, language: str) -> Html:
    heading = {"slug": slug, "stage": stage, "commitment": commitment}
    with translation.override(language):
        return _render("mine", {"own": own, "heading": heading, "place": as_safe_string(PLACE)})


@lru_cache(maxsize=MAX_READERS)
def _place_html(rank: int, points: float, language: str) -> Html:
    with translation.override(language):
        return _render("place", {"rank": rank, "points": points})


@lru_cache(maxsize=MAX_READERS)
def _own_line_html(line: StandingLine, language: str) -> Html:
    """Return the line of a reader whose place is below the listed ones."""
    with translation.override(language):
        return _render("own_line", {"line": line, "names": names_of(line, language)})


def _boards_html(content: Content, own: Own) -> Html:
    return _render("boards", {"heading": content.heading, "boards": _boards(content, own)})


def _boards(content: Content, own: Own) -> list[tuple[int, ComparisonText | None]]:
    """Return the closed boards, the last first, each with the result of the viewer."""
    played = {board.number: comparison_text(board) for board in own.boards}
    return [(number, played.get(number)) for number in range(content.boards, 0, -1)]


def board_fields(fields: Iterable[SeatField], language: str) -> list[dict[str, Any]]:
    """Return the results of a board as text."""
    return [
        {"number": field.number, "seat": field.seat, "rows": [_field_row(line, language) for line in field.lines]}
        for field in fields
    ]


def _field_row(line: FieldLine, language: str) -> dict[str, Any]:
    return {
        "names": joined(line.names, language),
        "level": BotLevel(line.level).label if line.level else "",
        "slug": line.slug,
        "points": points_text(line.points) if line.points is not None else "",
        "percent": percent_text(line.share) if line.points is not None else "",
    }


def fact_lines(facts: tuple[Fact, ...], language: str) -> tuple[FactLine, ...]:
    """Return the events of a tournament as sentences in the active language."""
    return tuple(
        FactLine(fact.at, FACTS[fact.kind] % {"names": joined(fact.names, language), "number": fact.number})
        for fact in facts
    )


def names_of(line: StandingLine | None, language: str) -> str:
    return joined(line.names, language) if line else ""


def joined(names: tuple[str, ...], language: str) -> str:
    """Return the names of partners in one line."""
    return " + ".join(translated_name(language, name) for name in names)


@lru_cache(maxsize=100)
def _shared_html(content: Content, language: str) -> dict[str, Html]:
    with translation.override(language):
        lines = [(line, names_of(line, language)) for line in content.listed_lines]
        standing: dict[str, object] = {"lines": lines, "own_line": as_safe_string(OWN_LINE)}
        return {
            "head": _render("head", {"line": tournament_line(content.heading)}),
            "standing": _render("standing", standing),
            "boards": _boards_html(content, Own()),
            "tables": _tables_html(content, language, frozenset()),
        }


def _tables_html(content: Content, language: str, hidden_matches: frozenset[str]) -> Html:
    """Return the tables that are played. Those of ``hidden_matches`` have no link."""
    lines = [
        (table, [joined(side, language) for side in table.sides], table.slug not in hidden_matches)
        for table in content.tables
    ]
    return _render("tables", {"tables": lines, "more": content.table_count - len(lines)})


def _render(name: str, context: dict[str, object]) -> Html:
    return Html(render_to_string(f"tournaments/{name}.html", context))
