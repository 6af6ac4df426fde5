"""The chats of a table, of its spectators, and of those who review it together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.utils import translation

from games.chat.phrases import CHAT, PHRASES
from games.html import Html, escape
from games.match.table import ChatLine
from games.rendering.addresses import address, person_page
from games.rendering.changes import Zones


def messages_zones(lines: Sequence[ChatLine], language: str, *, muted: bool = False) -> Zones:
    """Return the zone of the chat, or what stands in its place where the reader has ``muted`` the table."""
    if muted:
        words = chat_words(language)
        unmute = Html(
            f'<button class="button button-small" form="mute" name="mute" value="">{words["unmute"]}</button>'
        )
        note = Html(f'<div class="small" role="status">{words["muted"]}</div>{unmute}')
        return Zones({"messages": Html(f'<div id="messages" class="messages" data-muted>{note}</div>')})
    said = _lines(lines, language)
    stop = Html(' tabindex="0"' if lines else "")
    named = Html(f'role="log"{stop} aria-labelledby="chat-title"')
    return Zones({"messages": Html(f'<div id="messages" class="messages" {named}>{said}</div>')})


def spectator_chat_zones(lines: Sequence[ChatLine] | None, language: str) -> Zones:
    """Return the zone of the spectator chat; None: an empty one, for viewers who may not read it yet."""
    if lines is None:
        return Zones({"spectator-chat": Html('<section id="spectator-chat" hidden></section>')})
    words = chat_words(language)
    said = _lines(lines, language)
    named = Html('aria-labelledby="spectator-chat-title"')
    chat = Html(
        f'<section id="spectator-chat" class="chat" {named}>'
        f'<h2 id="spectator-chat-title">{words["title"]}</h2><p class="small soft later">{words["later"]}</p>'
        f'<div id="spectator-chat-messages" class="messages" role="log" tabindex="0" {named}>{said}</div></section>'
    )
    return Zones({"spectator-chat": chat})


def review_chat_zones(lines: Sequence[ChatLine], language: str) -> Zones:
    """Return the chat of those who review a match."""
    stop = Html(' tabindex="0"' if lines else "")
    named = Html(f'role="log"{stop} aria-labelledby="review-chat-title"')
    said = _lines(lines, language)
    return Zones({"review-messages": Html(f'<div id="review-messages" class="messages" {named}>{said}</div>')})


@cache
def chat_words(language: str) -> dict[str, Html]:
    with translation.override(language):
        return {key: escape(text) for key, text in CHAT.items()}


@cache
def chat_phrases(language: str) -> dict[str, Html]:
    with translation.override(language):
        return {key: escape(text) for key, text in PHRASES.items()}


def _lines(lines: Sequence[ChatLine], language: str) -> Html:
    """Return the lines, with a rule below those from before the rematch."""
    said = [chat_line(line, language) for line in lines]
    if earlier := sum(line.earlier for line in lines):
        said.insert(earlier, Html(f'<hr aria-label="{chat_words(language)["rematch"]}">'))
    return Html("".join(said))


def chat_line(line: ChatLine, language: str) -> Html:
    """Return a line of chat. The name leads to the page of its writer."""
    words = chat_words(language)
    guest = Html(f' <span class="small soft">({words["guest"]})</span>' if line.guest else "")
    name = Html(f'<b><bdi translate="no">{escape(line.name)}</bdi></b>')
    if line.user_id:
        name = Html(f'<a href="{person_page(line.user_id)}" target="_blank">{name}</a>')
    text = chat_phrases(language).get(line.phrase) or escape(line.text)
    report = _report_link(line, words["report"]) if line.user_id else Html("")
    return Html(f'<p id="m{line.id}">{name}{guest} <span dir="auto">{text}</span>{report}</p>')


def _report_link(line: ChatLine, label: Html) -> Html:
    target = Html(f"{address('report')}?match={escape(line.slug)}&amp;line={line.id}")
    return Html(f' <a class="report" href="{target}" target="_blank" aria-label="{label}">⚑</a>')
