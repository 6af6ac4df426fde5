"""The triangular lattice as it is drawn and said."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.events import Points
from games.engine.layout.lattice import Cell, Corners, Lattice, Vertex, neighbours, ring, spot, vertices
from games.engine.moves import Play
from games.engine.tiles import Tile, tile_text
from games.geometry.lattice import arrange, cell_spot, point
from games.geometry.spots import Laid
from games.rendering.pieces import key, triangles
from games.wording import Words

SIDES = {"U": ("above", "right_of", "left_of"), "D": ("below", "left_of", "right_of")}
"""Where a cell lies from its neighbour across the edge opposite corner 0, 1 and 2."""

Way = tuple[int, int]
UP: Way = (0, -1)
OUT: dict[str, tuple[Way, Way, Way]] = {"U": ((0, 1), (-1, 0), (1, 0)), "D": (UP, (1, 0), (-1, 0))}
"""Which way (right, down) the edge opposite corner 0, 1 and 2 faces."""
BESIDE = 14
GAIN_SIZE = 12
"""Height of the points that a cell which is looked at would score, in units of the window."""


def sprites(layout: Lattice, tile_set: Sequence[Tile]) -> str:
    """Return the drawings of all triangles."""
    return triangles.sprites(tile_set)


def laid_tile(layout: Lattice, laid: Laid, marks: str) -> str:
    """Return a tile on the table."""
    placed = layout.tiles[laid.order]
    return _tile(placed.cell, placed.corners, marks)


def described(layout: Lattice, words: Words) -> str:
    """Return the tiles as they were laid, and what the free edges ask for."""
    if not layout.tiles:
        return words["empty_board"]
    tiles = ", ".join([tile_text(placed.tile) for placed in layout.tiles])
    return f"{words['lattice_tiles']} {tiles}"


def place_text(layout: Lattice, place: str, words: Words) -> str:
    """Return where a cell lies and what is joined there: ``Above 1-2-5, joining 1 and 5``."""
    cell, corners = spot(place)
    if not layout.tiles:
        return words["place"]
    tiles = {placed.cell: placed.tile for placed in layout.tiles}
    beside = [(corner, tiles[each]) for corner, each in enumerate(neighbours(cell)) if each in tiles]
    first, *others = beside
    text = words[SIDES[cell.way][first[0]]] % {"tile": tile_text(first[1])}
    for _, tile in others:
        text += words["and_beside"] % {"tile": tile_text(tile)}
    one, other = (number for corner, number in enumerate(corners) if corner != first[0])
    if not others:
        text += words["joining"] % {"one": one, "other": other}
    return text


def built(layout: Lattice, place: str, words: Words) -> str:
    """Return ``bridge``, ``two hexagons``, or "" where a tile builds neither."""
    cell, _ = spot(place)
    hexagons = len(layout.hexagons(cell))
    if hexagons:
        return words[f"hexagons_{hexagons}"]
    return words["bridge"] if layout.bridge(cell) else ""


def place_mark(layout: Lattice, play: Play, points: Points, move: str) -> str:
    """Return a lit cell; looked at, the tile lies in it, with its points and the outline of what it builds."""
    cell, corners = spot(play.place)
    x, y, _ = cell_spot(cell)
    return (
        f'<use class="place" href="#slot{cell.way.lower()}" data-move="{move}" x="{x}" y="{y}"/>'
        f'<g class="look">{_tile(cell, corners, "")}{_outlines(layout, cell)}{_gain(layout, cell, points)}</g>'
    )


def _gain(layout: Lattice, cell: Cell, points: Points) -> str:
    """Return the points beside a cell where most room is, as large as ever however small the table is drawn."""
    drawn = arrange(layout)
    size = GAIN_SIZE / drawn.scale
    x, y, _ = cell_spot(cell)
    free = [(each, way) for each, way in zip(neighbours(cell), OUT[cell.way], strict=True) if each not in layout.cells]

    def crowd(door: tuple[Cell, Way]) -> tuple[bool, int]:
        each, (right, _) = door
        reach = x + drawn.shift[0] + right * (BESIDE + 2 * size)
        return abs(reach * drawn.scale) > drawn.window[2] / 2, sum(other in layout.cells for other in neighbours(each))

    _, (right, down) = min(free, key=crowd, default=(cell, UP))
    anchor = ("end", "middle", "start")[right + 1]
    line = y + size / 3 + down * (BESIDE + size * 2 / 3)
    marks = f'x="{x + right * BESIDE}" y="{line:.1f}" font-size="{size:.1f}" text-anchor="{anchor}"'
    return f'<text class="gain" {marks}>+{points.total}</text>'


def _tile(cell: Cell, corners: Corners, marks: str) -> str:
    x, y, _ = cell_spot(cell)
    return f'<use href="#{cell.way.lower()}{key(corners)}"{marks} x="{x}" y="{y}"/>'


def _outlines(layout: Lattice, cell: Cell) -> str:
    """Return the outline of the bridge or the hexagons that a tile would build."""
    tip = layout.bridge(cell)
    if tip:
        x, y = point(tip)
        return f'<path class="built" d="{_polygon(vertices(cell))}"/><circle class="built" cx="{x}" cy="{y}" r="5"/>'
    return "".join([f'<path class="built" d="{_polygon(ring(middle))}"/>' for middle in layout.hexagons(cell)])


def _polygon(corners: Sequence[Vertex]) -> str:
    return "M" + "L".join("{} {}".format(*point(vertex)) for vertex in corners) + "z"
