"""The number and names of the spectators, in a frame of their own because they change independently of the table."""

from __future__ import annotations

from django.utils import translation

from games.html import Html, escape, mark_trusted
from games.presence.people import People
from games.rendering.zones import Zones
from games.words import page_labels

MAX_NAMES = 12


def spectators_zones(people: People, language: str, *, shows_names: bool) -> Zones:
    """Return the number, and the names if the viewer wants them. Both are empty without spectators."""
    with translation.override(language):
        number = _number(people.number) if people.number else Html("")
        names = _names(people) if shows_names else escape(page_labels.NAMES_HIDDEN)
    return Zones(
        {
            "spectator-count": Html(f'<span id="spectator-count">{number}</span>'),
            "spectator-names": Html(f'<p id="spectator-names">{names if people.number else ""}</p>'),
        }
    )


def _number(number: int) -> Html:
    """Return ``3 watching``. If space is short, only the number is visible."""
    before, _number, after = (page_labels.WATCHING % {"number": number}).partition(str(number))
    return Html(f"<i>{escape(before)}</i><b>{number}</b><i>{escape(after)}</i>")


def _names(people: People) -> Html:
    """Return ``Anna, Bela and 1 visitor``."""
    mark = Html(f' <span class="soft">({escape(page_labels.GUEST)})</span>')
    short = people.limit_names(MAX_NAMES)
    items = [
        Html(f'<bdi translate="no">{escape(name)}</bdi>{mark if is_guest else ""}')
        for _user_id, name, is_guest in short.named
    ]
    if (more := short.unnamed) > people.unnamed:
        items.append(escape(page_labels.MORE % {"count": more}))
    elif more:
        items.append(escape(page_labels.VISITORS % {"count": more}))
    *names, last = items or [Html("")]
    return (
        mark_trusted(escape(page_labels.NAMES_AND_LAST) % {"names": ", ".join(names), "last": last}) if names else last
    )
