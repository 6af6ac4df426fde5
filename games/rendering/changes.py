"""What a browser replaces to show a newer frame: the zones that differ, or only those elements in them that do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from games.html import Html, escape, trusted

INNER = {
    "seats": (('<li id="seat', "</li>"),),
    "status": (('<div id="sync"', "</div>"), ('<span id="clock"', "</span>"), ('<p id="said"', "</p>")),
    "hand": (('<p id="task"', "</p>"),),
}
"""Elements of a zone that change more often than what is around them: how they begin and end. Each is
searched behind the one before, as often as it occurs; none holds another one with its tag.
"""

CLOSING = Html("</hx-partial>")


@dataclass(frozen=True, slots=True, eq=False)
class Zones:
    """Zones by name, as they are at one revision. Whoever shows the same ones shares this object."""

    by_name: Mapping[str, Html]

    def since(self, before: Zones | None) -> Html:
        """Return what a browser needs that shows older ones, or (None) anything; rendered once for all of them."""
        return _since(self, before)


class Frame(NamedTuple):
    """All that an audience sees of a table: what everybody sees, and what only this audience does."""

    shared: Zones
    own: Zones

    @property
    def whole(self) -> Html:
        """The frame for a browser of which nothing is known."""
        return self.since(None)

    def since(self, before: Frame | None) -> Html:
        """Return what a browser needs that shows an older frame, "" if nothing."""
        shared, own = before or (None, None)
        return Html(self.shared.since(shared) + self.own.since(own))


@lru_cache(maxsize=256)
def _since(zones: Zones, before: Zones | None) -> Html:
    if before is None:
        return as_frame(zones.by_name)
    changed: dict[str, Html] = {}
    for name, zone in zones.by_name.items():
        old = before.by_name[name]
        if old != zone:
            changed.update(_changed(name, old, zone))
    return as_frame(changed)


def _changed(name: str, old: Html, new: Html) -> Mapping[str, Html]:
    """Return the inner elements of a zone that differ, or the zone if anything around them does."""
    if name not in INNER:
        return {name: new}
    around, inner = _split(name, new)
    around_before, inner_before = _split(name, old)
    if around != around_before:
        return {name: new}
    return {each: html for each, html in inner.items() if inner_before[each] != html}


@lru_cache(maxsize=512)
def _split(name: str, zone: Html) -> tuple[Sequence[str], Mapping[str, Html]]:
    """Return what is around the inner elements of a zone, with their ids between, and these by their ids."""
    around: list[str] = []
    inner: dict[str, Html] = {}
    end = 0
    for first, last in INNER[name]:
        while (start := zone.find(first, end)) >= 0:
            before, end = end, zone.index(last, start) + len(last)
            element = trusted(zone[start:end])
            key = element.split('"', 2)[1]
            around += [zone[before:start], key]
            inner[key] = element
    return [*around, zone[end:]], inner


def as_frame(zones: Mapping[str, Html]) -> Html:
    """Return zones as text for the socket."""
    return Html("".join([part for name, zone in zones.items() for part in (_opening(name), zone, CLOSING)]))


@cache
def _opening(name: str) -> Html:
    return Html(f'<hx-partial hx-target="#{escape(name)}">')
