"""What a browser replaces to show a newer frame: the zones that differ, or only those elements in them that do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from games.html import Html, escape


class Element(NamedTuple):
    """An element of a zone, with its id, that changes more often than what is around it."""

    name: str
    zone: Zone


class Lines(NamedTuple):
    """The newest lines of a list to which the page appends those that it lacks."""

    html: tuple[Html, ...]


class Drawn(NamedTuple):
    """An element of a drawing, with its id."""

    name: str
    html: Html


class Tiles(NamedTuple):
    """The tiles of a drawing in the order in which they were laid, and the element after them.

    The id of ``end`` is the name and the number of tiles before it. New ones take its place, with an end of their own.
    """

    name: str
    html: tuple[Html, ...]
    end: Html

    def follow(self, old: Tiles) -> bool:
        """Return whether these are the same, or the same and more."""
        return self.name == old.name and self.html[: len(old.html)] == old.html


class Implied(NamedTuple):
    """An attribute that follows from an element which changes with it: the page sets it (js/refit.js)."""

    html: Html


Part = Html | Element | Lines | Drawn | Tiles | Implied
Zone = Html | tuple[Part, ...]
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
    older = before.by_name
    for name, zone in zones.by_name.items():
        old = older.get(name)
        if old is not zone:
            _compare(name, old, zone, changed)
    return Html("".join(list(changed.values())))


def _compare(name: str, old: Zone | None, new: Zone, changed: dict[str, Html]) -> None:
    """Add the elements of a zone that differ to what has changed, or the zone if anything around them does."""
    if old is None or isinstance(new, str) or isinstance(old, str) or len(new) != len(old):
        if old != new:
            changed[name] = _partial(name, as_html(new))
        return
    within: dict[str, Html] = {}
    for part, before in zip(new, old, strict=True):
        if part is before:
            continue
        if isinstance(part, Element) and isinstance(before, Element) and part.name == before.name:
            _compare(part.name, before.zone, part.zone, within)
        elif isinstance(part, Lines) and isinstance(before, Lines):
            if part != before:
                within[name] = _partial(name, as_html(tuple([_newer(each, part, before) for each in new])))
        elif part != before and not _compare_drawn(before, part, within):
            changed[name] = _partial(name, as_html(new))
            return
    changed.update(within)


def _compare_drawn(old: Part, new: Part, changed: dict[str, Html]) -> bool:
    """Add what differs in a drawing to what has changed. Return whether it could be told from what is around it."""
    if isinstance(old, Tiles) and isinstance(new, Tiles) and new.follow(old):
        end = f"{new.name}{len(old.html)}"
        changed[end] = _drawn(end, Html("".join([*new.html[len(old.html) :], new.end])))
    elif isinstance(old, Drawn) and isinstance(new, Drawn) and old.name == new.name:
        changed[new.name] = _drawn(new.name, new.html)
    else:
        return isinstance(old, Implied) and isinstance(new, Implied)
    return True


def _newer(each: Part, new: Lines, old: Lines) -> Part:
    """Return a part of a list, of its lines those alone that are new."""
    return Lines(tuple([line for line in new.html if line not in old.html])) if each is new else each


def markup(zones: Mapping[str, Zone]) -> dict[str, Html]:
    """Return the markup of each zone."""
    return {name: as_html(zone) for name, zone in zones.items()}


def as_html(zone: Zone) -> Html:
    """Return the markup of a zone."""
    return zone if isinstance(zone, str) else Html("".join([_text(part) for part in zone]))


def _text(part: Part) -> Html:
    if isinstance(part, str):
        return part
    if isinstance(part, Element):
        return as_html(part.zone)
    if isinstance(part, Tiles):
        return Html("".join([*part.html, part.end]))
    return Html("".join(part.html)) if isinstance(part, Lines) else part.html


def as_frame(zones: Mapping[str, Html]) -> Html:
    """Return zones as text for the socket."""
    return Html("".join([_partial(name, html) for name, html in zones.items()]))


def _partial(name: str, html: Html) -> Html:
    """Return an element as a browser takes it in the place of its own."""
    return Html(f"{_opening(name)}{html}</hx-partial>")


def _drawn(name: str, html: Html) -> Html:
    """Return elements of a drawing so. Without a drawing around them a browser takes them for text."""
    return Html(f"{_opening_drawn(name)}{html}</svg></hx-partial>")


@cache
def _opening_drawn(name: str) -> Html:
    return Html(f'<hx-partial id="{escape(name)}" hx-swap="strip:true"><svg>')


@cache
def _opening(name: str) -> Html:
    return Html(f'<hx-partial id="{escape(name)}">')
