"""Drawings of the tiles, sent once with the page, one module for each shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.engine.tiles import Tile, tile_text
from games.html import Html, mark_trusted

MAX_BACKS = 40  # face-down tiles in the drawing of a row; a frame shows as many as it needs
BACK_WIDTH = 9  # in a row 16 high: an em of the style sheet (seats.css)
TRIANGLE = 3  # sides of a triangular tile
NO_MARKS = Html("")


@cache
def tile_key(tile: Tile) -> Html:
    """Return a tile as a part of an id: ``64``."""
    return mark_trusted("".join(map(str, tile)))


@cache
def tile_name(tile: Tile) -> Html:
    """Return a tile as people read it: ``6-4``."""
    return mark_trusted(tile_text(tile))


def use_sprite(name: Html, x: int, y: int, marks: Html = NO_MARKS) -> Html:
    """Return a sprite at a place. Browsers assume 0 for a missing coordinate."""
    across, down = Html(f' x="{x}"' if x else ""), Html(f' y="{y}"' if y else "")
    return Html(f'<use href="#{name}"{marks}{across}{down}/>')


def row_of_backs(drawing: Html) -> Html:
    """Return the symbol of a row of backs. It keeps its height, and its width decides how many backs show."""
    box = Html(f'viewBox="0 0 {MAX_BACKS * BACK_WIDTH} 16" preserveAspectRatio="xMinYMid slice"')
    return Html(f'<symbol id="backs" {box}>{drawing}</symbol>')


def upright_tile(tile: Tile) -> Html:
    """Return a tile as it stands in a hand, hidden from screen readers."""
    return Html(f'<svg class="tile{sides_class((tile,))}" aria-hidden="true"><use href="#v{tile_key(tile)}"/></svg>')


def unlabelled_upright_tile(tile: Tile) -> Html:
    """Return a tile for a button or an image that has a name: screen readers ignore its content."""
    return Html(f'<svg><use href="#v{tile_key(tile)}"/></svg>')


def sides_class(tiles: Sequence[Tile]) -> Html:
    """Return the class of triangular tiles and of their container, "" for others."""
    return Html(" sides-3" if tiles and len(tiles[0]) == TRIANGLE else "")
