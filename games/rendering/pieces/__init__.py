"""The drawings of the tiles, sent once with the page: one module for each shape."""

from __future__ import annotations

from functools import cache

from games.engine.tiles import Tile, tile_text
from games.html import Html, trusted

MOST_BACKS = 40
"""Face-down tiles in the drawing of a row; a frame shows as many as it needs."""
BACK_WIDTH = 9
TRIANGLE = 3
"""Sides of a triangular tile."""
NO_MARKS = Html("")


@cache
def key(tile: Tile) -> Html:
    """Return a tile as a part of an id: ``64``."""
    return trusted("".join(map(str, tile)))


@cache
def tile_name(tile: Tile) -> Html:
    """Return a tile as people read it: figures, which need no escaping."""
    return trusted(tile_text(tile))


def put(name: Html, x: int, y: int, marks: Html = NO_MARKS) -> Html:
    """Return a drawing of the sheet at a place; 0 is what browsers assume."""
    across, down = Html(f' x="{x}"' if x else ""), Html(f' y="{y}"' if y else "")
    return Html(f'<use href="#{name}"{marks}{across}{down}/>')


@cache
def upright(tile: Tile) -> Html:
    """Return a tile as it stands in a hand, for the eyes alone."""
    return Html(f'<svg class="{_kind(tile)}" aria-hidden="true"><use href="#v{key(tile)}"/></svg>')


@cache
def named_upright(tile: Tile) -> Html:
    """Return a tile as it stands in a button or an image with a name, of which nothing else is ever read out."""
    return Html(f'<svg class="{_kind(tile)}"><use href="#v{key(tile)}"/></svg>')


def _kind(tile: Tile) -> Html:
    """Return the classes of a tile: only one with three sides is not twice as high as wide."""
    return Html("tile sides-3" if len(tile) == TRIANGLE else "tile")
