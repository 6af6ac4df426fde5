"""The featured match in the lobby: its board as spectators see it, its players and their scores."""

from __future__ import annotations

from functools import cache

from django.template.loader import render_to_string
from django.utils import translation

from games.engine.view import View
from games.geometry.spots import Shape
from games.html import Html
from games.match.table import Table
from games.rendering.board import board_html
from games.rendering.page import as_safe_string
from games.rendering.result import match_summary
from games.rendering.sprites import sprite_sheet
from games.rendering.standing import score_mark
from games.rendering.zones import Zones
from games.words import words_of
from games.words.lookup import words_for
from games.words.names import table_with_translated_names


def featured_zones(table: Table, view: View | None, language: str) -> Zones:
    """Return the zones of the lobby that show a match. The sprites change only with the game."""
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    scores = [Html("")] * len(table.people) if view is None else [score_mark(seat.score, words) for seat in view.seats]
    context: dict[str, object] = {
        "table": table,
        "game": words_of(table.variant).name,
        "board": as_safe_string(board_html(view, words, Shape.EVEN)),
        "last_event": "" if view is None else as_safe_string(match_summary(table, view, words)),
        "players": list(zip(table.people, map(as_safe_string, scores), strict=True)),
    }
    return _zones(sprite_sheet(table.variant), context, language)


@cache
def no_featured_zones(language: str) -> Zones:
    """Return the same zones without a match."""
    return _zones(Html(""), {}, language)


def _zones(sprites: Html, context: dict[str, object], language: str) -> Zones:
    with translation.override(language):
        html = Html(render_to_string("lobby/featured.html", context))
    return Zones({"featured-sprites": Html(f'<div id="featured-sprites">{sprites}</div>'), "featured": html})
