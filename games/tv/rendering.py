"""The featured match in the lobby and the small boards of TV: as spectators see them, with players and scores."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString

from games.engine.view import View
from games.geometry.spots import Shape
from games.html import Html, mark_trusted
from games.match.table import Table
from games.rendering.board import board_html
from games.rendering.chances import featured_chances
from games.rendering.page import as_safe_string
from games.rendering.pictures import small_board
from games.rendering.result import match_summary
from games.rendering.seats import rating_text
from games.rendering.sprites import sprite_sheet
from games.rendering.standing import score_mark
from games.rendering.zones import Element, Zone, Zones
from games.words import words_of
from games.words.lookup import Words, words_for
from games.words.names import table_with_translated_names

# Where ``lobby/featured.html`` has the chances to win, which change without the markup around them.
CHANCES_PLACE = SafeString("<!--chances-->")


class SmallBoard(NamedTuple):
    """A running match in the list next to the one on TV: its tiles, and the name, colour and score of each player."""

    slug: str
    game: object
    tiles: SafeString
    players: list[tuple[str, str, SafeString]]


def small_board_of(table: Table, view: View | None, language: str) -> SmallBoard:
    """Return the small board of a match. Only public parts of the view are used."""
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    tiles = Html("") if view is None else small_board(view.round.layout, words, table.slug)
    players = [
        (person.name, person.colour, as_safe_string(score))
        for person, score in zip(table.people, _scores(table, view, words), strict=True)
    ]
    return SmallBoard(table.slug, words_of(table.variant).name, as_safe_string(tiles), players)


def _scores(table: Table, view: View | None, words: Words) -> list[Html]:
    return [Html("")] * table.seat_count if view is None else [score_mark(seat.score, words) for seat in view.seats]


def featured_zones(
    table: Table, view: View | None, language: str, percentages: tuple[int, ...] | None = None
) -> Zones:
    """Return the zones of the lobby that show a match. The sprites change only with the game.

    ``percentages`` are the chances to win, which the players must not see.
    """
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    context: dict[str, object] = {
        "table": table,
        "game": words_of(table.variant).name,
        "board": as_safe_string(board_html(view, words, Shape.EVEN)),
        "last_event": "" if view is None else as_safe_string(match_summary(table, view, words)),
        "players": [
            (person, as_safe_string(score), rating_text(table, person))
            for person, score in zip(table.people, _scores(table, view, words), strict=True)
        ],
    }
    return _zones(sprite_sheet(table.variant), context, language, featured_chances(table, percentages, words))


@cache
def no_featured_zones(language: str) -> Zones:
    """Return the same zones without a match."""
    return _zones(Html(""), {}, language, Html(""))


def _zones(sprites: Html, context: dict[str, object], language: str, chances: Zone) -> Zones:
    with translation.override(language):
        html = Html(render_to_string("lobby/featured.html", context | {"chances": CHANCES_PLACE}))
    before, _place, after = map(mark_trusted, html.partition(CHANCES_PLACE))
    featured = (before, Element("featured-chances", chances), after)
    return Zones({"featured-sprites": Html(f'<div id="featured-sprites">{sprites}</div>'), "featured": featured})
