"""The drawings of the tiles, sent once with the page, one module a shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.engine.tiles import Tile, tile_text
from games.html import Html, trusted

MOST_BACKS = 40
"""Face-down tiles in the drawing of a row; a frame shows as many as it needs."""
BACK_WIDTH = 9
"""In a row 16 high: an em of the style sheet (seats.css)."""
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


def row_of_backs(drawn: Html) -> Html:
    """Return the drawing of a row of backs, which keeps its height and shows as many as are wanted and fit."""
    box = Html(f'viewBox="0 0 {MOST_BACKS * BACK_WIDTH} 16" preserveAspectRatio="xMinYMid slice"')
    return Html(f'<symbol id="backs" {box}>{drawn}</symbol>')


@cache
def upright(tile: Tile) -> Html:
    """Return a tile as it stands in a hand, for the eyes alone."""
    return Html(f'<svg class="tile{sides((tile,))}" aria-hidden="true"><use href="#v{key(tile)}"/></svg>')


@cache
def named_upright(tile: Tile) -> Html:
    """Return a tile as it stands in a button or an image with a name, of which nothing else is ever read out."""
    return Html(f'<svg><use href="#v{key(tile)}"/></svg>')


def sides(tiles: Sequence[Tile]) -> Html:
    """Return the class of tiles, or of what holds them: only those with three sides are not twice as high as wide."""
    return Html(" sides-3" if tiles and len(tiles[0]) == TRIANGLE else "")
