"""Renders the chats of players, spectators and reviewers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.utils import translation

from games.chat.phrases import CHAT_LABELS, READY_PHRASES
from games.html import Html, escape
from games.match.table import ChatLine
from games.rendering.addresses import page_address, person_address
from games.rendering.zones import Zones
from games.words.names import translated_name


def table_chat_zones(lines: Sequence[ChatLine], language: str, *, muted: bool = False) -> Zones:
    """Return the zone of the players' chat, or a note if the reader has ``muted`` the table."""
    if muted:
        labels = chat_labels(language)
        unmute = Html(
            f'<button class="button button-small" form="mute" name="mute" value="">{labels["unmute"]}</button>'
        )
        note = Html(f'<div class="small" role="status">{labels["muted"]}</div>{unmute}')
        return Zones({"messages": Html(f'<div id="messages" class="messages" data-muted>{note}</div>')})
    return Zones({"messages": _chat_log(Html("messages"), Html("chat-title"), lines, language)})


def spectator_chat_zones(lines: Sequence[ChatLine] | None, language: str) -> Zones:
    """Return the zone of the spectator chat, hidden (None) from viewers who may not read it yet."""
    if lines is None:
        return Zones({"spectator-chat": Html('<section id="spectator-chat" hidden></section>')})
    labels = chat_labels(language)
    attributes = Html('aria-labelledby="spectator-chat-title"')
    chat = Html(
        f'<section id="spectator-chat" class="chat" {attributes}>'
        f'<h2 id="spectator-chat-title">{labels["title"]}</h2><p class="small soft later">{labels["later"]}</p>'
        f'<div id="spectator-chat-messages" class="messages" role="log" tabindex="0" {attributes}>'
        f"{_lines_html(lines, language)}</div></section>"
    )
    return Zones({"spectator-chat": chat})


def review_chat_zones(lines: Sequence[ChatLine], language: str) -> Zones:
    return Zones({"review-messages": _chat_log(Html("review-messages"), Html("review-chat-title"), lines, language)})


def _chat_log(html_id: Html, title_id: Html, lines: Sequence[ChatLine], language: str) -> Html:
    tab_stop = Html(' tabindex="0"' if lines else "")
    attributes = Html(f'role="log"{tab_stop} aria-labelledby="{title_id}"')
    return Html(f'<div id="{html_id}" class="messages" {attributes}>{_lines_html(lines, language)}</div>')


@cache
def chat_labels(language: str) -> dict[str, Html]:
    with translation.override(language):
        return {key: escape(text) for key, text in CHAT_LABELS.items()}


@cache
def chat_phrases(language: str) -> dict[str, Html]:
    with translation.override(language):
        return {key: escape(text) for key, text in READY_PHRASES.items()}


def _lines_html(lines: Sequence[ChatLine], language: str) -> Html:
    """Return the lines, with a rule below those of the match before."""
    html = [chat_line_html(line, language) for line in lines]
    if earlier := sum(line.earlier for line in lines):
        html.insert(earlier, Html(f'<hr aria-label="{chat_labels(language)["rematch"]}">'))
    return Html("".join(html))


def chat_line_html(line: ChatLine, language: str) -> Html:
    """Return a line of chat, with a link to its writer."""
    labels = chat_labels(language)
    guest_mark = Html(f' <span class="small soft">({labels["guest"]})</span>' if line.guest else "")
    name = Html(f'<b><bdi translate="no">{escape(translated_name(language, line.name))}</bdi></b>')
    if line.user_id:
        name = Html(f'<a href="{person_address(line.user_id)}" target="_blank">{name}</a>')
    text = chat_phrases(language).get(line.phrase) or escape(line.text)
    report = _report_link(line, labels["report"]) if line.user_id else Html("")
    return Html(f'<p id="m{line.id}">{name}{guest_mark} <span dir="auto">{text}</span>{report}</p>')


def _report_link(line: ChatLine, label: Html) -> Html:
    report_address = Html(f"{page_address('report')}?match={escape(line.slug)}&amp;line={line.id}")
    return Html(f' <a class="report" href="{report_address}" target="_blank" aria-label="{label}">⚑</a>')
