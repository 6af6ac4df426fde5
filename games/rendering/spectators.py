"""The number and names of the spectators: a frame of their own, because they change at other times than the table."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import translation

from games.html import Html, escape, trusted
from games.presence.people import People
from games.rendering.changes import Zones
from games.words import pages

NAMED = 12
"""Names shown at most."""


def spectators_zones(people: People, language: str, *, named: bool) -> Zones:
    """Return the number, empty for none, and the names unless the viewer turned them off (``named``)."""
    with translation.override(language):
        number = _number(people.number) if people.number else Html("")
        names = _names(people) if named else escape(pages.NAMES_HIDDEN)
    return Zones(
        {
            "spectator-count": Html(f'<span id="spectator-count">{number}</span>'),
            "spectator-names": Html(f'<p id="spectator-names">{names if people.number else ""}</p>'),
        }
    )


def _number(number: int) -> Html:
    """Return ``3 watching``; where there is no room only the number is visible."""
    before, _number, after = (pages.WATCHING % {"number": number}).partition(str(number))
    return Html(f"<i>{escape(before)}</i><b>{number}</b><i>{escape(after)}</i>")


def _names(people: People) -> Html:
    """Return ``Anna, Bela and 1 visitor``."""
    mark = Html(f' <span class="soft">({escape(pages.GUEST)})</span>')
    short = people.shortened(NAMED)
    shown = [Html(_name(name) + (mark if guest else "")) for _user_id, name, guest in short.named]
    if (more := short.others) > people.others:
        shown.append(escape(pages.MORE % {"count": more}))
    elif more:
        shown.append(escape(pages.VISITORS % {"count": more}))
    return _listed(shown)


def _name(name: str) -> Html:
    return Html(f'<bdi translate="no">{escape(name)}</bdi>')


def _listed(items: Sequence[Html]) -> Html:
    *others, last = items or (Html(""),)
    if not others:
        return last
    joined = escape(pages.NAMES_AND_LAST)
    return trusted(joined % {"names": ", ".join(others), "last": last})
