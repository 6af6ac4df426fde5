"""Frames, rendered once in this process for each revision, audience and language. A socket sends what its browser
lacks of them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from django.utils import translation
from prometheus_client import Counter, Histogram

from games import caches, rendering
from games.caches import CacheOf
from games.chat.spectators import SpectatorChat
from games.engine.refusal import Refusal
from games.engine.view import View
from games.errors import Refused
from games.geometry.spots import Shape
from games.html import Html
from games.match.snapshots import Snapshot
from games.match.table import ChatLine
from games.rendering.changes import Frame, Zone, Zones
from games.tv.rendering import featured_zones

RENDERS = Counter("dominoes_renders_total", "Frames of tables, rendered once for all who get them", ["audience"])
SEATS_RENDERED, SPECTATORS_RENDERED = RENDERS.labels("seat"), RENDERS.labels("spectators")
RENDER_SECONDS = Histogram(
    "dominoes_render_seconds",
    "Time to render what all who see a revision of a table share",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1),
)
CHAT, HINTS, NO_CHOICE = "chat", "hints", "no choice"
NOTHING = Zones({})
NOTHING_NEW = ""  # the frame for a browser that shows everything


@dataclass(frozen=True, slots=True)
class Rendered:
    """What was rendered of one revision: frames by audience, zones that all share, and other texts, by language.

    ``views`` are what each audience may see, worked out once for all languages, shapes of felt and chosen tiles. They
    and the ``boards`` hold until the next move, however often people write, come and go.
    """

    found: Snapshot
    views: dict[int | None, View | None] = field(default_factory=dict)
    boards: dict[tuple[Shape, str], Zone] = field(default_factory=dict)
    frames: dict[tuple[int | str | None, Shape, str], Frame] = field(default_factory=dict)
    shared: dict[tuple[Shape, str], Zones] = field(default_factory=dict)
    texts: dict[tuple[str, str], Html] = field(default_factory=dict)
    featured: dict[str, Zones] = field(default_factory=dict)

    def after(self, found: Snapshot) -> Rendered:
        """Return what is rendered of a later revision already."""
        return Rendered(found, self.views, self.boards) if found.has_position_of(self.found) else Rendered(found)

    def view(self, seat: int | None) -> View | None:
        """Return what an audience may see."""
        if seat not in self.views:
            self.views[seat] = self.found.view(seat)
        return self.views[seat]


_rendered: CacheOf[Rendered] = caches.frames


def frame(found: Snapshot, seat: int | None, language: str, chosen: str = "", shape: Shape = Shape.EVEN) -> Frame:
    """Return the frame of a seat, or (None) of the spectators. ``chosen`` is a tile that one socket has chosen."""
    rendered = _rendered_of(found)
    chosen = "" if seat is None else chosen
    shape = rendering.shape_of(found.table.variant, shape, language)
    known = None if chosen else rendered.frames.get((seat, shape, language))
    if known is not None:
        return known
    if (shared := rendered.shared.get((shape, language))) is None:
        shared = rendered.shared[shape, language] = _shared(rendered, language, shape)
    new = _own(rendered, seat, language, chosen=chosen, shape=shape, shared=shared)
    if not chosen:
        rendered.frames[seat, shape, language] = new
        (SPECTATORS_RENDERED if seat is None else SEATS_RENDERED).inc()
    return new


def _shared(rendered: Rendered, language: str, shape: Shape) -> Zones:
    """Return the zones that all audiences share: from the view of a spectator, so that they cannot contain a hand."""
    public = rendered.view(None)
    boards = rendered.boards
    began = time.perf_counter()
    shared = rendering.shared(rendered.found.table, public, language, shape, drawn=boards.get((shape, language)))
    RENDER_SECONDS.observe(time.perf_counter() - began)
    boards[shape, language] = shared.by_name["board"]
    return shared


def choice(found: Snapshot, seat: int | None, language: str, chosen: str, shape: Shape = Shape.EVEN) -> Frame:
    """Return the zones that show a seat the places of a tile; for spectators, the same ones without any."""
    rendered = _rendered_of(found)
    if seat is not None:
        shape = rendering.shape_of(found.table.variant, shape, language)
        return _own(rendered, seat, language, chosen=chosen, shape=shape, shared=NOTHING)
    frames, key = rendered.frames, (NO_CHOICE, Shape.EVEN, language)
    if key not in frames:
        frames[key] = _own(rendered, None, language, chosen="", shape=Shape.EVEN, shared=NOTHING)
    return frames[key]


def _own(rendered: Rendered, seat: int | None, language: str, *, chosen: str, shape: Shape, shared: Zones) -> Frame:
    """Return the zones of one audience after those that all share."""
    table, view = rendered.found.table, rendered.view(seat)
    return rendering.frame(table, view, language, seat=seat, shared_part=shared, chosen=chosen, shape=shape)


def featured(found: Snapshot, language: str) -> Zones:
    """Return the zones of the lobby that show the featured match."""
    rendered = _rendered_of(found)
    if (zones := rendered.featured.get(language)) is None:
        view = rendered.view(None)
        zones = rendered.featured[language] = featured_zones(found.table, view, language)
    return zones


def hints(found: Snapshot, language: str, *, asked: bool) -> str:
    """Return the frame of the hints, for sockets that asked for them."""
    if not asked:
        return rendering.hints(found.table, None, language, asked=False)
    rendered = _rendered_of(found)
    if (text := rendered.texts.get((HINTS, language))) is None:
        public = rendered.view(None)
        text = rendered.texts[HINTS, language] = rendering.hints(found.table, public, language, asked=True)
    return text


def chat(found: Snapshot, lines: tuple[ChatLine, ...], language: str) -> str:
    """Return the frame of the chat: the shared one, or one for a reader who does not get all lines."""
    if lines is not found.table.messages:
        return rendering.chat(lines, language)
    texts = _rendered_of(found).texts
    if (text := texts.get((CHAT, language))) is None:
        text = texts[CHAT, language] = rendering.chat(lines, language)
    return text


def muted(language: str) -> str:
    """Return the frame of the chat for a reader who has muted the table."""
    return rendering.chat((), language, muted=True)


def spectator_chat(found: SpectatorChat, lines: tuple[ChatLine, ...], language: str) -> str:
    """Return the frame of the spectator chat: the shared one, or one for a reader who does not get all lines."""
    if lines is not found.lines:
        return rendering.spectator_chat(lines, language)
    if (text := found.frames.get(language)) is None:
        text = found.frames[language] = rendering.spectator_chat(lines, language)
        RENDERS.labels("spectator_chat").inc()
    return text


def refusal(error: Refusal | Refused, variant: str, language: str) -> str:
    """Return the frame that says why something was refused."""
    with translation.override(language):
        return rendering.refusal(error, variant)


def _rendered_of(found: Snapshot) -> Rendered:
    key, revision = (found.table.match_id, found.delayed), found.table.revision
    entry = _rendered().get(key)
    if entry is not None and entry[0] == revision:
        return entry[1]
    rendered = Rendered(found) if entry is None else entry[1].after(found)
    _rendered().put(key, revision, rendered)
    return rendered
