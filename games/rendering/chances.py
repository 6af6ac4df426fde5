"""The chances of the players to win, for spectators: a bar and a number at each seat.

They are a zone of their own and no part of the seats, whose markup players and spectators share.
"""

from __future__ import annotations

from functools import lru_cache

from games.html import Html, escape
from games.match.table import Table
from games.rendering.faces import face_html
from games.rendering.zones import Element, Zone, Zones
from games.words.lookup import Words, words_for
from games.words.names import translated_name
from infrastructure.bidi import isolate


@lru_cache(maxsize=1024)
def chances_zones(percentages: tuple[int, ...] | None, names: tuple[str, ...], variant: str, language: str) -> Zones:
    """Return the zone with the chances, empty without any. Equal chances give the same object."""
    words = words_for(variant, language)
    label = Html(f'<ul id="chances" role="list" aria-label="{chance_label(words)}">')
    chances = [] if percentages is None else zip(names, percentages, strict=True)
    items = [
        Element(f"chance{seat}", _seat_chance(seat, translated_name(language, name), percentage, words))
        for seat, (name, percentage) in enumerate(chances)
    ]
    return Zones({"chances": (label, *items, Html("</ul>"))})


def _seat_chance(seat: int, name: str, percentage: int, words: Words) -> Html:
    """Return the bar of a seat, and its number, which opens an explanation."""
    number = Html(f"{_name_for_screen_readers(name)}{words.fill('percentage', number=percentage)}")
    return Html(
        f'<li id="chance{seat}" class="seat-chance">{_bar(percentage)}'
        f'<button popovertarget="about-chance">{number}</button></li>'
    )


def featured_chances(table: Table, percentages: tuple[int, ...] | None, words: Words) -> Zone:
    """Return the chances in the featured match of the lobby, empty without any."""
    if percentages is None:
        return Html('<div id="featured-chances" class="featured-chances"></div>')
    items = [
        Html(
            f"<li>{face_html(person.name, person.colour)}{_bar(percentage)}"
            f"<span>{_name_for_screen_readers(person.name)}{words.fill('percentage', number=percentage)}</span></li>"
        )
        for person, percentage in zip(table.people, percentages, strict=True)
    ]
    return Html(
        f'<div id="featured-chances" class="featured-chances"><p id="chances-title">{chance_label(words)}</p>'
        f'<ul role="list" aria-labelledby="chances-title">{"".join(items)}</ul></div>'
    )


def chance_label(words: Words) -> Html:
    """Return what the chance is for: to win, or where only losers are named, not to lose."""
    return words["chance_not_goat" if words.rules.are_points_bad else "chance_to_win"]


def past_chances(percentages: tuple[int, ...] | None, names: tuple[str, ...], variant: str, language: str) -> Html:
    """Return the chances at a step of a match that is over, hidden without any."""
    if percentages is None:
        return Html('<ul id="chances" hidden></ul>')
    return chances_zones(percentages, names, variant, language).markup["chances"]


def chance_popover(words: Words, *, is_match_over: bool) -> Html:
    """Return the explanation of the number at a seat. A script completes its heading with the number."""
    text = words["about_past_chance" if is_match_over else "about_chance"]
    return Html(
        f'<div id="about-chance" class="about" popover><b>{chance_label(words)}<span></span></b><p>{text}</p></div>'
    )


def _bar(percentage: int) -> Html:
    """Return the bar, hidden from screen readers because the number is next to it."""
    return Html(f'<progress value="{percentage}" max="100" inert></progress>')


def _name_for_screen_readers(name: str) -> Html:
    return Html(f'<span class="visually-hidden">{escape(isolate(name))}: </span>')
