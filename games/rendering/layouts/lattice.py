"""The triangular lattice in words."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise

from games.engine.layout.lattice import START, Known, Lattice, neighbours, spot
from games.engine.layout.lattice import place_text as move_text
from games.engine.tiles import Tile
from games.html import Html, escape
from games.rendering.pieces import tile_name
from games.words.lookup import Words

SIDES = {"U": ("above", "right_of", "left_of"), "D": ("below", "left_of", "right_of")}
"""Where a cell lies from its neighbour across the edge opposite corner 0, 1 and 2."""


@lru_cache(maxsize=1024)
def described(layout: Lattice, words: Words) -> Html:
    """Return the tiles row by row as they lie, and the numbers of the free edges and corners between them."""
    lying = described_over(layout, words)
    return Html(f"{lying} {_free_text(layout, words)}") if layout.tiles else lying


def described_over(layout: Lattice, words: Words) -> Html:
    """Return the tiles row by row as they lie."""
    if not layout.tiles:
        return words["empty_board"]
    rows: dict[int, list[tuple[int, Html]]] = {}
    for tile, (way, i, j), _corners, _order in layout.tiles:
        rows.setdefault(-j, []).append((2 * i + (way == "D"), tile_name(tile)))
    said = [_row_text(number, tuple(sorted(row)), words) for number, (_, row) in enumerate(sorted(rows.items()), 1)]
    return Html(f"{words['lattice_rows']} {' '.join(said)}")


@lru_cache(maxsize=4096)
def _row_text(number: int, row: tuple[tuple[int, Html], ...], words: Words) -> Html:
    """Return the tiles of a row from left to right, with a word where cells between them are free."""
    text = row[0][1]
    for (before, _), (at, tile) in pairwise(row):
        gap = Html("" if at == before + 1 else f", {words['lattice_gap']}")
        text = Html(f"{text}{gap}, {tile}")
    return words.say("lattice_row", row=number, tiles=text)


def _free_text(layout: Lattice, words: Words) -> Html:
    """Return what is known of the free cells: two numbers at an open edge, all three where tiles surround one."""
    known = Counter(map(_clockwise, layout.free.values()))
    said = [Html(f"{text} ×{times}" if times > 1 else text) for text, times in sorted(known.items())]
    edges = [text for text in said if text.count("-") == 1]
    corners = [text for text in said if text.count("-") == 2]
    text = words.say("lattice_edges", edges=Html(", ".join(edges)))
    return Html(f"{text} {words.say('lattice_corners', corners=Html(', '.join(corners)))}" if corners else text)


@cache
def _clockwise(known: Known) -> Html:
    """Write the numbers known of a cell, clockwise from the unknown corner, or from the smallest."""
    numbers = [number for number in known if number is not None]
    at = known.index(None if None in known else min(numbers))
    return Html("-".join([escape(number) for number in known[at:] + known[:at] if number is not None]))


def tried(layout: Lattice) -> bool:
    """Placements have a preview."""
    return True


def vain_moves(layout: Lattice, held: tuple[Tile, ...]) -> tuple[str, ...]:
    """Return each tile on the first free cell, whose numbers it does not have."""
    cell = next(iter(layout.free), START)
    return tuple(move_text(cell, tile) for tile in held)


def place_text(layout: Lattice, place: str, words: Words) -> Html:
    """Return where a cell lies and what is joined there: ``Above 1-2-5, joining 1 and 5``."""
    cell, corners = spot(place)
    if not layout.tiles:
        return words["middle"]
    tiles = {placed.cell: tile_name(placed.tile) for placed in layout.tiles}
    beside = [(corner, tiles[each]) for corner, each in enumerate(neighbours(cell)) if each in tiles]
    (opposite, tile), *others = beside
    text = words.say(SIDES[cell.way][opposite], tile=tile)
    for _, other in others:
        text = words.say("and_beside", place=text, tile=other)
    if others:
        return text
    first, second = (number for corner, number in enumerate(corners) if corner != opposite)
    return words.say("joining", place=text, one=first, other=second)


def built(layout: Lattice, place: str, words: Words) -> Html:
    """Return ``bridge``, ``two hexagons``, or "" where a tile builds neither."""
    cell, _ = spot(place)
    hexagons = len(layout.hexagons(cell))
    if hexagons:
        return words[f"hexagons_{hexagons}"]
    return Html(words["bridge"] if layout.bridge(cell) else "")
