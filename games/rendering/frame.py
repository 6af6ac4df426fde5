"""The zones of a table, for its page and its sockets."""

from __future__ import annotations

from django.utils import translation

from games.engine.refusal import Refusal
from games.engine.view import View
from games.enums import Occupant
from games.errors import Refused
from games.fair_dealing.rendering import fairness_list
from games.geometry.spots import Shape
from games.html import Html, escape
from games.match.table import Table
from games.rendering import own_zone
from games.rendering.board import board_html, hint_layer, offers_hints, spots_html
from games.rendering.hand import Places, chosen_places, hand_zone, tiles_without_buttons
from games.rendering.layouts import drawing_of
from games.rendering.moves import newest_moves
from games.rendering.pieces import tile_name
from games.rendering.result import result_panel
from games.rendering.scores import newest_round
from games.rendering.seats import seats_zone
from games.rendering.status import status_zone
from games.rendering.zones import Zone, Zones
from games.words.lookup import Words, refusal_text, rule_link, words_for
from games.words.names import table_with_translated_names


def shared_zones(
    table: Table, view: View | None, language: str, shape: Shape | None = None, cached_board: Zone | None = None
) -> Zones:
    """Return the zones that are the same for every viewer. Only public parts of the view are used.

    The board is drawn for one table shape or, if the browser's shape is unknown, for every shape. ``cached_board`` is
    the board of an earlier revision with the same position.
    """
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    return Zones(
        {
            "seats": seats_zone(table, view, words),
            "board": board_html(view, words, shape) if cached_board is None else cached_board,
            "scores": newest_round(table, view, words),
            "fairness": fairness_list(table, view, words),
        }
    )


def sentence_zones(table: Table, view: View | None, seat: int | None, language: str) -> Zones:
    """Return the zones with sentences about players. The player at ``seat`` is addressed as "you".

    Spectators (None) see names only. Only public parts of the view are used.
    """
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    return Zones(
        {
            "status": status_zone(table, view, seat, words),
            "moves": newest_moves(table, view, seat, words),
            "result": result_panel(table, view, seat, words),
        }
    )


def own_zones(
    table: Table, view: View | None, seat: int | None, language: str, chosen: str = "", *, shape: Shape | None = None
) -> Zones:
    """Return the zones of one audience: a seat, or None for spectators. ``chosen`` is the selected tile or ""."""
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    places = chosen_places(view, chosen)
    return Zones(
        {"hand": _hand_zone(table, view, seat, words, places), "spots": spots_html(view, words, places, shape)}
    )


NO_HINTS = Zones({"hints": Html('<div id="hints"></div>')})


def hints_zones(view: View | None, variant: str, language: str) -> Zones:
    """Return the hints for viewers who have turned them on. Only public parts of the view are used."""
    if not offers_hints(variant):
        return NO_HINTS
    return Zones({"hints": hint_layer(view, words_for(variant, language))})


def refusal_sentence(error: Refusal | Refused, variant: str, language: str) -> Html:
    """Return the reason for a refusal. If a tile of the player fits nowhere, it names the tile and the open ends."""
    if isinstance(error, Refusal) and error.misfit is not None:
        tile, layout = error.misfit
        words = words_for(variant, language)
        if ends := drawing_of(layout).open_ends(words):
            return words.fill("misfit", tile=tile_name(tile), ends=ends)
    with translation.override(language):
        return escape(refusal_text(error, variant))


def notice_zones(error: Refusal | Refused, variant: str, language: str) -> Zones:
    """Return the reason for a refusal, with a link to the rule that it cites."""
    link = Html("")
    if error.rule:
        words = words_for(variant, language)
        link = Html(f' <a href="{rule_link(variant, error.rule, language)}" target="_blank">{words["read_rule"]}</a>')
    text = refusal_sentence(error, variant, language)
    return Zones({"notice": Html(f'<div id="notice" class="notice-line" role="alert"><p>{text}{link}</p></div>')})


def _hand_zone(table: Table, view: View | None, seat: int | None, words: Words, places: Places) -> Zone:
    if view is None:
        return own_zone.waiting_zone(table, seat, words)
    if view.match_over is not None:
        return own_zone.finished_zone(table, view, words)
    if seat is not None and table.people[seat].kind == Occupant.BOT:
        return own_zone.bot_replacement_zone(table, view, seat, words, tiles_without_buttons(view))
    if view.round.over is not None:
        return own_zone.between_rounds_zone(table, view, words)
    if view.viewer is None:
        return own_zone.watching_zone(table, words)
    return hand_zone(table, view, words, places)
