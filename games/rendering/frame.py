"""The zones of a table: by name for the page, as one frame for the sockets."""

from __future__ import annotations

from games.engine.refusal import Refusal
from games.engine.view import View
from games.enums import Occupant
from games.errors import Refused
from games.fair_dealing.rendering import fairness
from games.geometry.spots import Shape
from games.html import Html, escape
from games.match.table import Table
from games.rendering import acts
from games.rendering.board import board, hint_layer, spots
from games.rendering.changes import Zone, markup
from games.rendering.hand import Places, chosen_places, followed, hand
from games.rendering.moves import newest_moves
from games.rendering.result import result
from games.rendering.scores import newest_round
from games.rendering.seats import seats
from games.rendering.status import status
from games.words.lookup import Words, refusal_text, rule_link, words_for


def shared_zones(table: Table, view: View | None, language: str, shape: Shape | None = None) -> dict[str, Html]:
    """Return the markup of the zones that are the same for every viewer."""
    return markup(shared_parts(table, view, language, shape))


def own_zones(
    table: Table,
    view: View | None,
    seat: int | None,
    language: str,
    chosen: str = "",
    *,
    shape: Shape | None = None,
) -> dict[str, Html]:
    """Return the markup of the zones of one audience."""
    return markup(own_parts(table, view, seat, language, chosen, shape=shape))


def shared_parts(
    table: Table, view: View | None, language: str, shape: Shape | None, drawn: Zone | None = None
) -> dict[str, Zone]:
    """Return the zones that are the same for every viewer. Only public parts of the view are used.

    The board is laid for one shape of felt or, where nobody knows the felt, for every one, unless it is ``drawn``.
    """
    words = words_for(table.variant, language)
    return {
        "seats": seats(table, view, words),
        "status": status(table, view, words),
        "board": board(view, words, shape) if drawn is None else drawn,
        "scores": newest_round(table, view, words),
        "moves": newest_moves(table, view, words),
        "fairness": fairness(table, view, words),
        **({} if _is_over(view) else {"result": result(table, view, None, words)}),
    }


def own_parts(
    table: Table,
    view: View | None,
    seat: int | None,
    language: str,
    chosen: str,
    *,
    shape: Shape | None,
) -> dict[str, Zone]:
    """Return the zones of one audience: a seat, or None for everybody else. ``chosen`` is a tile text or ""."""
    words = words_for(table.variant, language)
    places = chosen_places(view, chosen)
    zones: dict[str, Zone] = {"result": result(table, view, seat, words)} if _is_over(view) else {}
    return zones | {"hand": _own(table, view, seat, words, places), "spots": spots(view, words, places, shape)}


def _is_over(view: View | None) -> bool:
    """Return whether the match is over, which each audience is told from its own chair."""
    return view is not None and view.match_over is not None


def hints_zone(view: View | None, variant: str, language: str, *, asked: bool) -> dict[str, Html]:
    """Return the hints for viewers who asked for them. Only public parts of the view are used."""
    return {"hints": hint_layer(view, words_for(variant, language), asked=asked)}


def notice_zone(error: Refusal | Refused, variant: str, language: str) -> dict[str, Html]:
    """Return why something was refused, with a link to the rule it cites."""
    link = Html("")
    if error.rule:
        words = words_for(variant, language)
        link = Html(f' <a href="{rule_link(variant, error.rule)}" target="_blank">{words["read_rule"]}</a>')
    text = escape(refusal_text(error, variant))
    return {"notice": Html(f'<div id="notice" class="notice-line" role="alert"><p>{text}{link}</p></div>')}


def _own(table: Table, view: View | None, seat: int | None, words: Words, places: Places) -> Zone:
    if view is None:
        return acts.waiting(table, seat, words)
    if view.match_over is not None:
        return acts.finished(table, view, words)
    if seat is not None and table.people[seat].kind == Occupant.BOT:
        return acts.replaced(table, view, seat, words, followed(view))
    if view.round.over is not None:
        return acts.between_rounds(table, view, words)
    if view.viewer is None:
        return acts.watching(words)
    return hand(table, view, words, places)
