"""Drawings for pages to read: a hand, or a layout in a window as tight as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.engine.tiles import Tile
from games.geometry import arrange
from games.geometry.spots import HALF, Laid
from games.rendering.layouts import described, ground, laid_tile
from games.rendering.pieces import upright
from games.rendering.seats import spoken
from games.wording import Words

MARGIN = 2


def hand(tiles: tuple[Tile, ...]) -> str:
    """Return a hand, face up."""
    drawn = "".join(map(upright, tiles))
    return f'<div class="figure-hand" role="img" aria-label="{spoken(tiles)}">{drawn}</div>'


def layout(laid: Any, words: Words) -> str:
    """Return what lies on the table, described in words for who cannot see it."""
    tiles = arrange(laid).tiles
    x, y, width, height = window(tiles)
    drawn = ground(laid, words) + "".join([laid_tile(laid, tile, "") for tile in tiles])
    return (
        f'<svg class="figure" viewBox="{x} {y} {width} {height}" role="img" aria-label="{described(laid, words)}">'
        f"{drawn}</svg>"
    )


def window(tiles: Iterable[Laid]) -> tuple[int, int, int, int]:
    """Return the smallest window (x, y, width, height) that shows all tiles, whichever way they lie."""
    middles = [laid.spot for laid in tiles]
    reach = HALF + MARGIN
    left, top = min(spot.x for spot in middles) - reach, min(spot.y for spot in middles) - reach
    right, bottom = max(spot.x for spot in middles) + reach, max(spot.y for spot in middles) + reach
    return left, top, right - left, bottom - top
