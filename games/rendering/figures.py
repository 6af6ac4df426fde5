"""Drawings for pages to read: a hand, or a layout in a window as tight as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.engine.events import Points
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry import arrange
from games.geometry.spots import HALF, Laid
from games.rendering.layouts import described, ground, laid_tile, place_mark
from games.rendering.pieces import upright
from games.rendering.seats import spoken
from games.wording import Words

MARGIN = 2
PIXELS = 2
"""How wide a unit is drawn where the page has room."""


def hand(tiles: tuple[Tile, ...]) -> str:
    """Return a hand, face up."""
    drawn = "".join(map(upright, tiles))
    return f'<div class="figure-hand" role="img" aria-label="{spoken(tiles)}">{drawn}</div>'


def layout(laid: Any, words: Words) -> str:
    """Return what lies on the table, described in words for who cannot see it."""
    tiles = arrange(laid).tiles
    return _figure(laid, words, "".join([laid_tile(laid, tile, "") for tile in tiles]))


def placement(before: Any, play: Play, points: Points | None, words: Words) -> str:
    """Return a tile just laid, with what the table shows of such a placement; no points: it is refused."""
    after = before.place(play.tile, play.place)
    newest = len(after.tiles) - 1
    marks = ' class="refused"' if points is None else ' class="newest"'
    tiles = [laid_tile(after, tile, marks if tile.order == newest else "") for tile in arrange(after).tiles]
    look = "" if points is None else place_mark(before, play, points, "")
    return _figure(after, words, "".join(tiles) + look)


def window(tiles: Iterable[Laid]) -> tuple[int, int, int, int]:
    """Return the smallest window (x, y, width, height) that shows all tiles, whichever way they lie."""
    middles = [laid.spot for laid in tiles]
    reach = HALF + MARGIN
    left, top = min(spot.x for spot in middles) - reach, min(spot.y for spot in middles) - reach
    right, bottom = max(spot.x for spot in middles) + reach, max(spot.y for spot in middles) + reach
    return left, top, right - left, bottom - top


def _figure(laid: Any, words: Words, tiles: str) -> str:
    x, y, width, height = window(arrange(laid).tiles)
    return (
        f'<svg class="figure" viewBox="{x} {y} {width} {height}" width="{PIXELS * width}" height="{PIXELS * height}" '
        f'role="img" aria-label="{described(laid, words)}">{ground(laid, words)}{tiles}</svg>'
    )
