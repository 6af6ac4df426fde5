"""The frames of tables, rendered once in each process for each revision, audience and display.

``Rendered.frame`` is the one place that composes what a browser shows of a table. A socket sends the difference to
the frame that its browser shows (``Frame.update_from``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from prometheus_client import Counter, Histogram

from games import caches
from games.caches import ProcessCache
from games.chat.rendering import spectator_chat_zones, table_chat_zones
from games.chat.spectators import SpectatorChat
from games.engine.view import View
from games.geometry.spots import Shape
from games.match.snapshots import Snapshot
from games.match.table import NOTHING_MUTED, ChatLine, Muted, visible_lines
from games.rendering.board import shape_of
from games.rendering.chances import chances_zones
from games.rendering.frame import NO_HINTS, hints_zones, own_zones, sentence_zones, shared_zones
from games.rendering.zones import NO_ZONES, Frame, Zone, Zones
from games.spectators.chances import chance_percentages
from games.tv.rendering import featured_zones

RENDERS = Counter("dominoes_renders_total", "Frames of tables, rendered once for all their receivers", ["audience"])
SEATS_RENDERED, SPECTATORS_RENDERED = RENDERS.labels("seat"), RENDERS.labels("spectators")
SPECTATOR_CHATS_RENDERED = RENDERS.labels("spectator_chat")
RENDER_SECONDS = Histogram(
    "dominoes_render_seconds",
    "Time to render the parts of a revision that all viewers share",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1),
)


class Display(NamedTuple):
    """How a browser shows a table. Viewers of one audience with equal displays share their frames."""

    language: str
    shape: Shape = Shape.EVEN  # of its felt
    hints: bool = False
    muted: Muted = NOTHING_MUTED


@dataclass(frozen=True, slots=True)
class RenderedMatch:
    """The rendered parts of one revision, which all sockets share.

    ``views`` and ``boards`` stay valid until the next move, ``chats`` until the next line.
    """

    snapshot: Snapshot
    views: dict[int | None, View | None] = field(default_factory=dict)
    boards: dict[tuple[Shape, str], Zone] = field(default_factory=dict)
    chats: dict[tuple[str, Muted], Zones] = field(default_factory=dict)
    zones: dict[tuple[object, ...], Zones] = field(default_factory=dict)
    frames: dict[tuple[int | None, Display, bool], Frame] = field(default_factory=dict)

    def carried_over_to(self, snapshot: Snapshot) -> RenderedMatch:
        """Return a later revision with the parts that are still valid."""
        same_position = snapshot.has_position_of(self.snapshot)
        same_chat = snapshot.table.messages == self.snapshot.table.messages
        return RenderedMatch(
            snapshot,
            self.views if same_position else {},
            self.boards if same_position else {},
            self.chats if same_chat else {},
        )

    def frame(
        self, seat: int | None, display: Display, chosen_tile: str = "", *, shows_chances: bool = False
    ) -> Frame:
        """Return the frame of a seat, or (None) of the spectators. A player sees the places of ``chosen_tile``.

        Only frames of spectators can contain the chances to win.
        """
        chosen_tile = "" if seat is None else chosen_tile
        shows_chances = shows_chances and seat is None
        frame = None if chosen_tile else self.frames.get((seat, display, shows_chances))
        if frame is None:
            language, shape = display.language, shape_of(self.snapshot.table.variant, display.shape)
            frame = Frame(
                self.render_once(("shared", language, shape), lambda: self._shared_zones(language, shape)),
                self.render_once(("texts", seat, language), lambda: self._sentence_zones(seat, language)),
                self._own_zones(seat, chosen_tile, language, shape),
                self._hint_zones(language, enabled=display.hints),
                self._chat_zones(language, display.muted),
                self._chances_zones(language) if shows_chances else NO_ZONES,
            )
        if not chosen_tile:
            self.frames[seat, display, shows_chances] = frame
        return frame

    def featured_zones(self, language: str, *, shows_chances: bool = False) -> Zones:
        """Return the zones of the lobby that show the featured match."""
        return self.render_once(
            ("featured", language, shows_chances),
            lambda: featured_zones(
                self.snapshot.table,
                self.view(None),
                language,
                chance_percentages(self.snapshot) if shows_chances else None,
            ),
        )

    def forget_chances(self) -> None:
        """Render the chances to win again, because there is a new estimate."""
        for frame_key in [key for key in self.frames if key[2]]:
            del self.frames[frame_key]
        for key in [key for key in self.zones if key[0] == "chances" or (key[0] == "featured" and key[2])]:
            del self.zones[key]

    def view(self, seat: int | None) -> View | None:
        """Return the view of a seat, or of spectators (None)."""
        if seat not in self.views:
            self.views[seat] = self.snapshot.view(seat)
        return self.views[seat]

    def render_once(self, key: tuple[object, ...], render: Callable[[], Zones]) -> Zones:
        """Return the zones of a key, and render them the first time."""
        zones = self.zones.get(key)
        if zones is None:
            zones = self.zones[key] = render()
        return zones

    def _shared_zones(self, language: str, shape: Shape) -> Zones:
        """Render the shared zones from the view of a spectator, so that they cannot contain a hand."""
        started_at = time.perf_counter()
        board = self.boards.get((shape, language))
        zones = shared_zones(self.snapshot.table, self.view(None), language, shape, board)
        RENDER_SECONDS.observe(time.perf_counter() - started_at)
        self.boards[shape, language] = zones.by_name["board"]
        return zones

    def _sentence_zones(self, seat: int | None, language: str) -> Zones:
        """Render the sentences for a seat from the view of a spectator, so that they cannot contain a hand."""
        return sentence_zones(self.snapshot.table, self.view(None), seat, language)

    def _own_zones(self, seat: int | None, chosen_tile: str, language: str, shape: Shape) -> Zones:
        def render() -> Zones:
            return own_zones(self.snapshot.table, self.view(seat), seat, language, chosen_tile, shape=shape)

        if chosen_tile:
            return render()
        key = ("own", seat, language, shape)
        if key not in self.zones:
            (SPECTATORS_RENDERED if seat is None else SEATS_RENDERED).inc()
        return self.render_once(key, render)

    def _hint_zones(self, language: str, *, enabled: bool) -> Zones:
        if not enabled:
            return NO_HINTS
        variant = self.snapshot.table.variant
        return self.render_once(("hints", language), lambda: hints_zones(self.view(None), variant, language))

    def _chances_zones(self, language: str) -> Zones:
        def render() -> Zones:
            table = self.snapshot.table
            names = tuple(person.name for person in table.people)
            return chances_zones(chance_percentages(self.snapshot), names, table.variant, language)

        return self.render_once(("chances", language), render)

    def _chat_zones(self, language: str, muted: Muted) -> Zones:
        zones = self.chats.get((language, muted))
        if zones is None:
            lines = visible_lines(self.snapshot.table.messages, muted)
            zones = self.chats[language, muted] = table_chat_zones(lines, language, muted=muted.table)
        return zones


_rendered: ProcessCache[RenderedMatch] = caches.frames


def rendered_match(snapshot: Snapshot) -> RenderedMatch:
    """Return the rendered parts of a match. Only those of the newest revision are cached."""
    key, revision = (snapshot.table.match_id, snapshot.delayed), snapshot.table.revision
    entry = _rendered().get_entry(key)
    if entry is not None and entry[0] == revision:
        return entry[1]
    new = RenderedMatch(snapshot) if entry is None else entry[1].carried_over_to(snapshot)
    _rendered().put(key, revision, new)
    return new


def forget_chances(match_id: int) -> None:
    """Render the chances to win a match again, because there is a new estimate."""
    for delayed in (False, True):
        if (entry := _rendered().get_entry((match_id, delayed))) is not None:
            entry[1].forget_chances()


def render_spectator_chat(chat: SpectatorChat, lines: tuple[ChatLine, ...], language: str) -> str:
    """Return the update with the spectator chat. Readers of all lines share it."""
    if lines is not chat.lines:
        return spectator_chat_zones(lines, language).full_update
    if (text := chat.frames.get(language)) is None:
        text = chat.frames[language] = spectator_chat_zones(lines, language).full_update
        SPECTATOR_CHATS_RENDERED.inc()
    return text
