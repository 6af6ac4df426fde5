"""The zones of a table: by name for the page, as one frame for the sockets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games.engine.refusal import Refusal
from games.engine.view import View
from games.enums import Occupant
from games.errors import Refused
from games.geometry.spots import Shape
from games.html import Html, escape
from games.match.table import ChatLine, Table
from games.rendering import acts
from games.rendering.addresses import address, person_page
from games.rendering.board import board, hint_layer, spots
from games.rendering.changes import Zone, markup
from games.rendering.fairness import fairness
from games.rendering.hand import chosen_plays, followed, hand
from games.rendering.moves import newest_moves
from games.rendering.result import result
from games.rendering.scores import newest_round
from games.rendering.seats import seats
from games.rendering.status import status
from games.words.chat import CHAT_PHRASES
from games.words.lookup import Words, refusal_text, rule_link, words_for

CHAT = {
    "muted": _("You have muted this table: you see nothing that is written here."),
    "unmute": _("Unmute"),
    "title": _("Spectators"),
    "later": _("Players can read this once the match is over."),
    "guest": _("guest"),
    "rematch": _("Rematch"),
    "report": _("Report this line"),
}


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


def shared_parts(table: Table, view: View | None, language: str, shape: Shape | None) -> dict[str, Zone]:
    """Return the zones that are the same for every viewer. Only public parts of the view are used.

    The board is laid for one shape of felt or, where nobody knows the felt, for every one.
    """
    words = words_for(table.variant, language)
    return {
        "seats": seats(table, view, words),
        "status": status(table, view, words),
        "board": board(view, words, shape),
        "scores": newest_round(table, view, words),
        "moves": newest_moves(table, view, words),
        "fairness": fairness(table, view, words),
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
    return {
        "result": result(table, view, seat, words),
        "hand": _own(table, view, seat, words, chosen),
        "spots": spots(view, words, chosen_plays(view, chosen), shape),
    }


def hints_zone(view: View | None, variant: str, language: str, *, asked: bool) -> dict[str, Html]:
    """Return the hints for viewers who asked for them. Only public parts of the view are used."""
    return {"hints": hint_layer(view, words_for(variant, language), asked=asked)}


def messages_zone(lines: Sequence[ChatLine], language: str, *, muted: bool = False) -> dict[str, Html]:
    """Return the zone of the chat, or what stands in its place where the reader has ``muted`` the table."""
    if muted:
        words = chat_words(language)
        unmute = Html(
            f'<button class="button button-small" form="mute" name="mute" value="">{words["unmute"]}</button>'
        )
        note = Html(f'<div class="small" role="status">{words["muted"]}</div>{unmute}')
        return {"messages": Html(f'<div id="messages" class="messages" data-muted>{note}</div>')}
    said = _lines(lines, language)
    stop = Html(' tabindex="0"' if lines else "")
    named = Html(f'role="log"{stop} aria-labelledby="chat-title"')
    return {"messages": Html(f'<div id="messages" class="messages" {named}>{said}</div>')}


def spectator_chat_zone(lines: Sequence[ChatLine] | None, language: str) -> dict[str, Html]:
    """Return the zone of the spectator chat; None: an empty one, for viewers who may not read it yet."""
    if lines is None:
        return {"spectator-chat": Html('<section id="spectator-chat" hidden></section>')}
    words = chat_words(language)
    said = _lines(lines, language)
    named = Html('aria-labelledby="spectator-chat-title"')
    return {
        "spectator-chat": Html(
            f'<section id="spectator-chat" class="chat" {named}>'
            f'<h2 id="spectator-chat-title">{words["title"]}</h2><p class="small soft later">{words["later"]}</p>'
            f'<div id="spectator-chat-messages" class="messages" role="log" tabindex="0" {named}>{said}</div>'
            "</section>"
        )
    }


@cache
def chat_words(language: str) -> dict[str, Html]:
    with translation.override(language):
        return {key: escape(text) for key, text in CHAT.items()}


@cache
def chat_phrases(language: str) -> dict[str, Html]:
    with translation.override(language):
        return {key: escape(text) for key, text in CHAT_PHRASES.items()}


def _lines(lines: Sequence[ChatLine], language: str) -> Html:
    """Return the lines, with a rule below those from before the rematch."""
    words, phrases = chat_words(language), chat_phrases(language)
    said = [_said(line, words, phrases) for line in lines]
    if earlier := sum(line.earlier for line in lines):
        said.insert(earlier, Html(f'<hr aria-label="{words["rematch"]}">'))
    return Html("".join(said))


def _said(line: ChatLine, words: Mapping[str, Html], phrases: Mapping[str, Html]) -> Html:
    """Return a line of chat. The name leads to the page of its writer."""
    guest = Html(f' <span class="small soft">({words["guest"]})</span>' if line.guest else "")
    name = Html(f"<b>{escape(line.name)}</b>")
    if line.user_id:
        name = Html(f'<a href="{person_page(line.user_id)}" target="_blank">{name}</a>')
    text = phrases.get(line.phrase) or escape(line.text)
    report = _report_link(line.id, words["report"]) if line.user_id else Html("")
    return Html(f'<p id="m{line.id}">{name}{guest} {text}{report}</p>')


def _report_link(line: int, label: Html) -> Html:
    return Html(
        f' <a class="report" href="{address("report")}?line={line}" target="_blank" aria-label="{label}">⚑</a>'
    )


def notice_zone(error: Refusal | Refused, variant: str, language: str) -> dict[str, Html]:
    """Return why something was refused, with a link to the rule it cites."""
    link = Html("")
    if error.rule:
        words = words_for(variant, language)
        link = Html(f' <a href="{rule_link(variant, error.rule)}" target="_blank">{words["read_rule"]}</a>')
    text = escape(refusal_text(error, variant))
    return {"notice": Html(f'<div id="notice" class="notice-line" role="alert"><p>{text}{link}</p></div>')}


def _own(table: Table, view: View | None, seat: int | None, words: Words, chosen: str) -> Zone:
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
    return hand(table, view, words, chosen)
