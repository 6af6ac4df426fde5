"""The featured match in the lobby: its board as spectators see it, its players and their scores."""

from __future__ import annotations

from functools import cache

from django.template.loader import render_to_string
from django.utils import translation

from games.engine.view import View
from games.geometry.spots import Shape
from games.html import Html
from games.match.table import Table
from games.rendering.board import board
from games.rendering.changes import Zones
from games.rendering.page import safe
from games.rendering.result import summary
from games.rendering.sprites import sheet
from games.rendering.standing import score_mark
from games.words import words_of
from games.words.lookup import words_for
from games.words.names import table_in


def featured_zones(table: Table, view: View | None, language: str) -> Zones:
    """Return the zones of the lobby that show a match. The sprites change only with the game."""
    table, words = table_in(language, table), words_for(table.variant, language)
    scores = [Html("")] * len(table.people) if view is None else [score_mark(seat.score, words) for seat in view.seats]
    context: dict[str, object] = {
        "table": table,
        "game": words_of(table.variant).name,
        "board": safe(board(view, words, Shape.EVEN)),
        "said": "" if view is None else safe(summary(table, view, words)),
        "players": list(zip(table.people, map(safe, scores), strict=True)),
    }
    return _zones(sheet(table.variant), context, language)


@cache
def nothing_featured(language: str) -> Zones:
    """Return the same zones without a match."""
    return _zones(Html(""), {}, language)


def _zones(sprites: Html, context: dict[str, object], language: str) -> Zones:
    with translation.override(language):
        html = Html(render_to_string("lobby/featured.html", context))
    return Zones({"featured-sprites": Html(f'<div id="featured-sprites">{sprites}</div>'), "featured": html})
