"""Two-sided tiles with pips.

The sprite ``s64`` lies with its first value to the left, ``u64`` stands with it on top, and ``v64`` stands in a hand.
There is a sprite for each way to lie, so that a tile on the table is only a name and a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from games.engine.tiles import Tile
from games.geometry.spots import HALF, ArrangedTile
from games.html import Html
from games.rendering.pieces import BACK_WIDTH, MAX_BACKS, row_of_backs, tile_key, use_sprite

# Each pip is a line without length and with round ends.
PIPS = (
    Html(""),
    Html("M0 0h0"),
    Html("M-5-5h0M5 5h0"),
    Html("M-5-5h0M0 0h0M5 5h0"),
    Html("M-5-5h0M5-5h0M-5 5h0M5 5h0"),
    Html("M-5-5h0M5-5h0M0 0h0M-5 5h0M5 5h0"),
    Html("M-5-5h0M0-5h0M5-5h0M-5 5h0M0 5h0M5 5h0"),
)
BODY = Html(
    '<g id="body"><rect class="edge" x="-19.6" y="-9.6" width="39.2" height="19.2" rx="3.2"/>'
    '<rect class="bone" x="-18.7" y="-8.7" width="37.4" height="17.4" rx="2.5"/>'
    '<path class="groove" d="M0-6.5v13"/><circle class="pin" r="1.4"/></g>'
)
SLOT = Html('<rect id="slot" x="-18.5" y="-8.5" width="37" height="17" rx="3"/>')
BACKS = Html(
    "".join(
        f'<rect class="back" x="{BACK_WIDTH * place + 1}" y="1" width="7" height="14" rx="1.6"/>'
        for place in range(MAX_BACKS)
    )
)


def sprites(tile_set: Sequence[Tile]) -> Html:
    """Return the drawings of all tiles of the set, of backs and of a free place."""
    pips = Html(
        "".join(f'<path id="p{value}" class="pips p{value}" d="{path}"/>' for value, path in enumerate(PIPS) if path)
    )
    tiles = Html("".join(map(_tile_sprites, dict.fromkeys(tile_set))))
    return Html(f"{BODY}{SLOT}{pips}{row_of_backs(BACKS)}{tiles}")


@lru_cache(maxsize=8192)
def laid_tile(laid: ArrangedTile, marks: Html) -> Html:
    """Return a tile on the table."""
    x, y, angle = laid.spot
    return use_sprite(turned_sprite_name(laid.tile, angle), x, y, marks)


@cache
def turned_sprite_name(tile: Tile, angle: int) -> Html:
    """Return the name of the sprite of a tile turned clockwise by 0, 90, 180 or 270 degrees."""
    way = Html("u" if angle in (90, 270) else "s")
    return Html(f"{way}{tile_key(tile if angle < 180 else tile[::-1])}")


def _tile_sprites(tile: Tile) -> Html:
    """Return a tile in all ways to lie. The pips of a half look the same upside down."""
    ways = dict.fromkeys((tile, tile[::-1]))
    name = tile_key(tile)
    sprites_on_table = Html("".join(map(_lying_and_standing_sprites, ways)))
    return Html(f'{sprites_on_table}<symbol id="v{name}" viewBox="-10 -20 20 40"><use href="#u{name}"/></symbol>')


def _lying_and_standing_sprites(tile: Tile) -> Html:
    """Return a tile lying with its first value to the left, and standing with it on top."""
    halves = Html(
        "".join(
            f'<use href="#p{value}" x="{side * HALF // 2}"/>'
            for value, side in zip(tile, (-1, 1), strict=True)
            if value
        )
    )
    name = tile_key(tile)
    content = Html(f'<use href="#body"/>{halves}</g>')
    return Html(f'<g id="s{name}">{content}<g id="u{name}" transform="rotate(90)">{content}')
