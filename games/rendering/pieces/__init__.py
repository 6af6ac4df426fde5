"""The tiles themselves as drawings, sent once with the page: one module a shape."""

from __future__ import annotations

from games.engine.tiles import Tile

MOST_BACKS = 40
"""How many face-down tiles the drawing of a row of them holds; a frame shows as many as it needs."""
BACK_WIDTH = 9


def key(tile: Tile) -> str:
    """Return a tile as a part of an id: ``64``."""
    return "".join(map(str, tile))


def upright(tile: Tile) -> str:
    """Return a tile as it stands in a hand."""
    return f'<svg class="tile sides-{len(tile)}"><use href="#v{key(tile)}"/></svg>'
