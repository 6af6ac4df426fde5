"""Figures for the pages of rules: a hand, or a layout in the smallest window that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.engine.events import Points
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry import arrange
from games.geometry.lattice import ROW, SIDE
from games.geometry.spots import HALF, Laid
from games.html import Html
from games.rendering.layouts import described, ground, hints, hints_text, laid_tile, place_mark
from games.rendering.pieces import NO_MARKS, TRIANGLE, upright
from games.rendering.seats import spoken
from games.words.lookup import Words

MARGIN = 4
PIXELS = 2
"""Pixels of a unit where the page has room."""


def hand(tiles: tuple[Tile, ...]) -> Html:
    """Return a hand, face up."""
    drawn = Html("".join(map(upright, tiles)))
    return Html(f'<div class="figure-hand" role="img" aria-label="{spoken(tiles)}">{drawn}</div>')


def layout(laid: Any, words: Words, *, hinting: bool = False) -> Html:
    """Return the tiles on the table, also described in words, with hints if asked for."""
    tiles = Html("".join([laid_tile(laid, tile, NO_MARKS) for tile in arrange(laid).tiles]))
    if hinting:
        said = Html(f"{described(laid, words)} {hints_text(laid, words)}")
        return _figure(laid, words, Html(tiles + hints(laid, words)), said)
    return _figure(laid, words, tiles, described(laid, words))


def placement(before: Any, play: Play, points: Points | None, words: Words) -> Html:
    """Return a placement as the table shows it. Without points it is one that the rules refuse."""
    after = before.place(play.tile, play.place)
    newest = len(after.tiles) - 1
    marks = Html(' class="refused"' if points is None else ' class="newest"')
    tiles = [laid_tile(after, tile, marks if tile.order == newest else NO_MARKS) for tile in arrange(after).tiles]
    look = Html("") if points is None else place_mark(before, play, points, NO_MARKS)
    return _figure(after, words, Html("".join(tiles) + look), described(after, words))


def window(tiles: Iterable[Laid], margin: int = MARGIN) -> tuple[int, int, int, int]:
    """Return the smallest window (x, y, width, height) that shows all tiles with a margin."""
    spots = [(laid.spot.x, laid.spot.y, *_reach(laid)) for laid in tiles]
    left, top = min(x - wide for x, _, wide, _ in spots), min(y - high for _, y, _, high in spots)
    right, bottom = max(x + wide for x, _, wide, _ in spots), max(y + high for _, y, _, high in spots)
    return left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin


def _reach(laid: Laid) -> tuple[int, int]:
    """Return how far a tile reaches sideways and up from its middle."""
    if len(laid.tile) == TRIANGLE:
        return SIDE // 2, ROW // 2
    return (HALF, HALF // 2) if laid.spot.angle % 180 == 0 else (HALF // 2, HALF)


def _figure(laid: Any, words: Words, drawn: Html, said: Html) -> Html:
    """Return the drawing; where the table has squares, with one free square all around."""
    under = ground(laid, words)
    x, y, width, height = window(arrange(laid).tiles, HALF if under else MARGIN)
    return Html(
        f'<svg class="figure" viewBox="{x} {y} {width} {height}" width="{PIXELS * width}" height="{PIXELS * height}" '
        f'role="img" aria-label="{said}">{under}{drawn}</svg>'
    )
