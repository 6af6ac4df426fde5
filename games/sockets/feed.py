"""Frames, rendered once in this process for each revision, audience and language, and sent to every socket."""

from __future__ import annotations

from functools import partial

from django.utils import translation
from prometheus_client import Counter, Histogram

from games import rendering
from games.engine.refusal import Refusal
from games.errors import Refused
from games.geometry.spots import Shape
from games.html import Html
from games.match.snapshots import Snapshot
from games.match.table import ChatLine
from games.match.versioned_cache import Newest
from games.spectators.chat import SpectatorChat
from infrastructure.runtime import PerProcess

Frames = dict[tuple[object, str], Html]
RENDERS = Counter("dominoes_renders_total", "Frames of tables, rendered once for all who get them", ["audience"])
RENDER_SECONDS = Histogram(
    "dominoes_render_seconds",
    "Time to render a frame of a table, but for the part that all share",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1),
)
SHARED, CHAT, HINTS, NO_CHOICE = "shared", "chat", "hints", "no choice"

_frames: PerProcess[Newest[Frames]] = PerProcess(partial(Newest, limit=500))
_delayed_frames: PerProcess[Newest[Frames]] = PerProcess(partial(Newest, limit=500))


def frame(found: Snapshot, seat: int | None, language: str, chosen: str = "", shape: Shape = Shape.EVEN) -> str:
    """Return the frame of a seat, or (None) of the spectators. ``chosen`` is a tile that one socket has chosen."""
    frames = _frames_of(found)
    chosen = "" if seat is None else chosen
    shape = rendering.shape_of(found.table.variant, shape, language)
    text = "" if chosen else frames.get(((seat, shape), language), "")
    if not text:
        if (shared := frames.get(((SHARED, shape), language))) is None:
            # From the view of a spectator, so that the shared part cannot contain a hand.
            shared = rendering.shared(found.table, found.view(None), language, shape)
            frames[(SHARED, shape), language] = shared
        with RENDER_SECONDS.time():
            view = found.view(seat)
            text = rendering.frame(
                found.table, view, language, seat=seat, shared_part=shared, chosen=chosen, shape=shape
            )
        if not chosen:
            frames[(seat, shape), language] = text
            RENDERS.labels("spectators" if seat is None else "seat").inc()
    return text


def choice(found: Snapshot, seat: int | None, language: str, chosen: str, shape: Shape = Shape.EVEN) -> str:
    """Return the frame that shows a seat the places of a tile; for spectators, one frame without any."""
    if seat is not None:
        shape = rendering.shape_of(found.table.variant, shape, language)
        return rendering.frame(
            found.table, found.view(seat), language, seat=seat, shared_part=Html(""), chosen=chosen, shape=shape
        )
    frames = _frames_of(found)
    if (text := frames.get((NO_CHOICE, language))) is None:
        text = rendering.frame(found.table, found.view(None), language, seat=None, shared_part=Html(""))
        frames[NO_CHOICE, language] = text
    return text


def hints(found: Snapshot, language: str, *, asked: bool) -> str:
    """Return the frame of the hints, for sockets that asked for them."""
    if not asked:
        return rendering.hints(found.table, None, language, asked=False)
    frames = _frames_of(found)
    if (text := frames.get((HINTS, language))) is None:
        text = frames[HINTS, language] = rendering.hints(found.table, found.view(None), language, asked=True)
    return text


def chat(found: Snapshot, lines: tuple[ChatLine, ...], language: str) -> str:
    """Return the frame of the chat: the shared one, or one for a reader who does not get all lines."""
    if lines is not found.table.messages:
        return rendering.chat(lines, language)
    frames = _frames_of(found)
    if (text := frames.get((CHAT, language))) is None:
        text = frames[CHAT, language] = rendering.chat(lines, language)
    return text


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


def _frames_of(found: Snapshot) -> Frames:
    table = found.table
    memory = _delayed_frames() if found.delayed else _frames()
    entry = memory.get(table.match_id)
    if entry is not None and entry[0] == table.revision:
        return entry[1]
    frames: Frames = {}
    memory.put(table.match_id, table.revision, frames)
    return frames
