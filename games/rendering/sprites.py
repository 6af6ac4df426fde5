"""The drawings a table is put together from, sent once with the page: every tile, the backs, the signs.

Frames only refer to them (``<use href="#s64"/>``), so a tile costs one short element. A sprite lies with its first
value to the left; ``v64`` is the same tile upright, for hands.
"""

from __future__ import annotations

from functools import cache

from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.geometry.spots import HALF

PIPS = (
    "",
    "M0 0h0",
    "M-5-5h0M5 5h0",
    "M-5-5h0M0 0h0M5 5h0",
    "M-5-5h0M5-5h0M-5 5h0M5 5h0",
    "M-5-5h0M5-5h0M0 0h0M-5 5h0M5 5h0",
    "M-5-5h0M0-5h0M5-5h0M-5 5h0M0 5h0M5 5h0",
)
"""Each pip is a line of no length with round ends."""

BODY = (
    '<g id="body"><rect class="edge" x="-19.6" y="-9.6" width="39.2" height="19.2" rx="3.2"/>'
    '<rect class="bone" x="-18.7" y="-8.7" width="37.4" height="17.4" rx="2.5"/>'
    '<path class="groove" d="M0-6.5v13"/><circle class="pin" r="1.4"/></g>'
)
SLOT = '<rect id="slot" x="-18.5" y="-8.5" width="37" height="17" rx="3"/>'
MOST_BACKS = 40
BACK_WIDTH = 9
BACKS = "".join(
    f'<rect x="{BACK_WIDTH * place + 1}" y="1" width="7" height="14" rx="1.6"/>' for place in range(MOST_BACKS)
)
SIGNS = (
    '<symbol id="fish" viewBox="0 0 24 14"><path d="M1 7C5 .5 12 0 17 5.5L23 1v12l-6-4.5C12 14 5 13.5 1 7z"/>'
    '<circle class="eye" cx="6" cy="5.8" r="1.2"/></symbol>'
    '<symbol id="clock" viewBox="0 0 20 20"><circle cx="10" cy="10" r="7.5"/><path d="M10 5.5V10l3 2"/></symbol>'
    '<symbol id="arrow" viewBox="0 0 10 10"><path d="M1.5 0L9 5 1.5 10z"/></symbol>'
)


def key(tile: Tile) -> str:
    """Return a tile as a part of an id: ``64``."""
    return "".join(map(str, tile))


@cache
def sheet(variant: str) -> str:
    """Return the sprites of a variant as one drawing that shows nothing itself."""
    pips = "".join(f'<path id="p{value}" class="pips" d="{path}"/>' for value, path in enumerate(PIPS) if path)
    tiles = "".join(map(_tile, rules_for(variant).tile_set))
    parts = f'{BODY}{SLOT}{pips}<g id="backs" class="back">{BACKS}</g>{SIGNS}{tiles}'
    return f'<svg class="sprites" width="0" height="0" aria-hidden="true"><defs>{parts}</defs></svg>'


def upright(tile: Tile) -> str:
    """Return a tile as it stands in a hand."""
    return f'<svg class="tile"><use href="#v{key(tile)}"/></svg>'


def _tile(tile: Tile) -> str:
    halves = "".join(
        f'<use href="#p{value}" x="{side * HALF // 2}"/>' for value, side in zip(tile, (-1, 1), strict=True) if value
    )
    name = key(tile)
    return (
        f'<g id="s{name}"><use href="#body"/>{halves}</g>'
        f'<symbol id="v{name}" viewBox="-10 -20 20 40"><use href="#s{name}" transform="rotate(90)"/></symbol>'
    )
