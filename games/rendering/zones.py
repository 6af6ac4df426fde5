"""Updates from one frame to another: the zones, or elements within them, that a browser has to replace."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple
from zlib import crc32

from games.html import Html, escape


class Element(NamedTuple):
    """An element of a zone that changes more often than the markup around it."""

    name: str  # the id of the element
    zone: Zone


Part = Html | Element
# A part of the table's page: its markup, or if some of it changes more often, markup and elements in order.
Zone = Html | tuple[Part, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Zones:
    """The zones of one revision by name. All browsers that show them share this object."""

    by_name: Mapping[str, Zone]

    def update_from(self, before: Zones | None) -> Html:
        """Return the update for a browser that shows older zones, or (None) unknown ones. It is rendered once."""
        return Html("") if self is before else _render_update(self, before)

    @property
    def full_update(self) -> Html:
        """The update for a browser that shows unknown zones."""
        return _render_update(self, None)

    def update_from_page(self, digests: Collection[str]) -> Html:
        """Return the update for a page that contains the zones with these digests."""
        return _partials({name: html for name, html in self.markup.items() if _digest(html) not in digests})

    @property
    def digests(self) -> list[str]:
        """A digest of each zone, for the address of the socket that keeps the page up to date."""
        return [_digest(html) for html in self.markup.values()]

    @property
    def markup(self) -> dict[str, Html]:
        """The markup of each zone, for a page."""
        return {name: zone_html(zone) for name, zone in self.by_name.items()}


NO_ZONES = Zones({})


class Frame(NamedTuple):
    """All that a browser shows of a table, in groups of zones that browsers share."""

    shared: Zones  # the same for everybody
    texts: Zones  # sentences, in which the reader of one seat is "you"
    own: Zones  # for one seat, or for all spectators
    hints: Zones = NO_ZONES
    chat: Zones = NO_ZONES
    chances: Zones = NO_ZONES  # to win, for spectators only

    @property
    def full_update(self) -> Html:
        """The update for a browser that shows an unknown frame."""
        return self.update_from(None)

    def update_from(self, before: Frame | None) -> Html:
        """Return the update for a browser that shows an older frame, "" if nothing changed."""
        return Html(
            "".join([zones.update_from(old) for zones, old in zip(self, before or UNKNOWN_FRAME, strict=True)])
        )

    def update_from_page(self, digests: Collection[str]) -> Html:
        """Return the update for a page that contains the zones with these digests."""
        return Html("".join([zones.update_from_page(digests) for zones in self]))


UNKNOWN_FRAME = (None,) * len(Frame._fields)


@lru_cache(maxsize=256)
def _render_update(zones: Zones, before: Zones | None) -> Html:
    if before is None:
        return _partials(zones.markup)
    changed: dict[str, Html] = {}
    for name, zone in zones.by_name.items():
        _collect_changes(name, before.by_name.get(name), zone, changed)
    return _partials(changed)


def _collect_changes(name: str, old: Zone | None, new: Zone, changed: dict[str, Html]) -> None:
    """Add the changed elements of a zone to ``changed``, or the whole zone if the markup around them changed."""
    if old is new:
        return
    if isinstance(new, str) or old is None or isinstance(old, str) or not _has_same_structure(old, new):
        if old != new:
            changed[name] = zone_html(new)
        return
    for before, part in zip(old, new, strict=True):
        if isinstance(part, Element) and isinstance(before, Element):
            _collect_changes(part.name, before.zone, part.zone, changed)


def _has_same_structure(old: tuple[Part, ...], new: tuple[Part, ...]) -> bool:
    """Return True if two versions of a zone differ only within the same elements."""
    return len(old) == len(new) and all(
        part is before
        or (part.name == before.name if isinstance(part, Element) and isinstance(before, Element) else part == before)
        for before, part in zip(old, new, strict=True)
    )


def zone_html(zone: Zone) -> Html:
    """Return the markup of a zone."""
    return zone if isinstance(zone, str) else Html("".join(map(_part_html, zone)))


def _part_html(part: Part) -> Html:
    return zone_html(part.zone) if isinstance(part, Element) else part


def _digest(html: Html) -> str:
    return f"{crc32(html.encode()):08x}"


def _partials(zones: Mapping[str, Html]) -> Html:
    """Return zones and elements as htmx replaces them."""
    return Html("".join([Html(f"{_opening_tag(name)}{html}</hx-partial>") for name, html in zones.items()]))


@cache
def _opening_tag(name: str) -> Html:
    return Html(f'<hx-partial id="{escape(name)}">')
