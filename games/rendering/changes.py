"""What a browser replaces to show a newer frame: the zones that differ, or only those elements in them that do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from games.html import Html, escape

CLOSING = Html("</hx-partial>")


class Element(NamedTuple):
    """An element of a zone, with its id, that changes more often than what is around it."""

    name: str
    html: Html


Zone = Html | tuple[Html | Element, ...]
"""A part of the table's page: its markup or, where only some of it changes often, the texts and elements in turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Zones:
    """Zones by name, as they are at one revision. Whoever shows the same ones shares this object."""

    by_name: Mapping[str, Zone]

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
        return as_frame(markup(zones.by_name))
    changed: dict[str, Html] = {}
    for name, zone in zones.by_name.items():
        old = before.by_name[name]
        if old != zone:
            changed.update(_changed(name, old, zone))
    return as_frame(changed)


def _changed(name: str, old: Zone, new: Zone) -> Mapping[str, Html]:
    """Return the elements of a zone that differ, or the zone if anything around them does."""
    if isinstance(new, str) or isinstance(old, str) or len(new) != len(old):
        return {name: as_html(new)}
    changed: dict[str, Html] = {}
    for part, before in zip(new, old, strict=True):
        if part == before:
            continue
        if not isinstance(part, Element) or not isinstance(before, Element) or part.name != before.name:
            return {name: as_html(new)}
        changed[part.name] = part.html
    return changed


def markup(zones: Mapping[str, Zone]) -> dict[str, Html]:
    """Return the markup of each zone."""
    return {name: as_html(zone) for name, zone in zones.items()}


def as_html(zone: Zone) -> Html:
    """Return the markup of a zone."""
    if isinstance(zone, str):
        return zone
    texts = [part.html if isinstance(part, Element) else part for part in zone]
    return Html("".join(texts))


def as_frame(zones: Mapping[str, Html]) -> Html:
    """Return zones as text for the socket."""
    return Html("".join([part for name, html in zones.items() for part in (_opening(name), html, CLOSING)]))


@cache
def _opening(name: str) -> Html:
    return Html(f'<hx-partial hx-target="#{escape(name)}">')
