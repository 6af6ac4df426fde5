"""The triangular lattice as it is drawn: tiles, and lit cells with a preview of what a tile would build and score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.engine.events import Points
from games.engine.layout.lattice import Cell, Corners, Lattice, Vertex, neighbours, ring, spot, vertices
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry.lattice import arrange, cell_spot, point
from games.geometry.spots import Laid, Shape
from games.html import Html
from games.rendering.pieces import NO_MARKS, key, put, triangles

Way = tuple[int, int]
UP: Way = (0, -1)
OUT: dict[str, tuple[Way, Way, Way]] = {"U": ((0, 1), (-1, 0), (1, 0)), "D": (UP, (1, 0), (-1, 0))}
"""Which way (right, down) the edge opposite corner 0, 1 and 2 faces."""
BESIDE = 14
GAIN_SIZE = 9
"""Height of the points in the preview of a cell, in units of the window."""
TIP = 5
"""How large the ring is around the corner that a bridge reaches."""
WAYS = {"U": triangles.UP, "D": triangles.DOWN}


def sprites(layout: Lattice, tile_set: Sequence[Tile]) -> Html:
    """Return the drawings of all triangles."""
    return triangles.sprites(tile_set)


def laid_tile(layout: Lattice, laid: Laid, marks: Html) -> Html:
    """Return a tile on the table."""
    placed = layout.tiles[laid.order]
    return _tile(placed.cell, placed.corners, marks)


def ghost(layout: Lattice, play: Play, shape: Shape = Shape.EVEN) -> Html:
    """Return a tile as it would lie at its place."""
    return _tile(*spot(play.place), NO_MARKS)


def place_mark(
    layout: Lattice, play: Play, points: Points, move: Html, shape: Shape = Shape.EVEN, *, again: bool = False
) -> Html:
    """Return a lit cell and its preview: the tile, its points and the outline of what it builds."""
    cell, corners = spot(play.place)
    x, y, _ = cell_spot(cell)
    return Html(
        f'<use class="place" href="#slot{WAYS[cell.way]}" data-move="{move}" x="{x}" y="{y}"/>'
        f'<g class="look">{_tile(cell, corners, NO_MARKS)}{_outlines(layout, cell)}{_gain(layout, cell, points)}</g>'
    )


def figures(layout: Lattice) -> Html:
    """Return the size of the points beside places."""
    return Html(f' font-size="{_figure(layout):.1f}"')


def _figure(layout: Lattice) -> float:
    return GAIN_SIZE / arrange(layout).scale


@lru_cache(maxsize=8192)
def _tile(cell: Cell, corners: Corners, marks: Html) -> Html:
    x, y, _ = cell_spot(cell)
    return put(Html(f"{WAYS[cell.way]}{key(corners)}"), x, y, marks)


def _outlines(layout: Lattice, cell: Cell) -> Html:
    """Return the outline of the bridge or the hexagons that a tile would build."""
    tip = layout.bridge(cell)
    if tip:
        x, y = point(tip)
        ring_at_tip = Html(f'<circle class="built" cx="{x}" cy="{y}" r="{TIP}"/>')
        return Html(f'<path class="built" d="{_polygon(vertices(cell))}"/>{ring_at_tip}')
    return Html("".join([f'<path class="built" d="{_polygon(ring(middle))}"/>' for middle in layout.hexagons(cell)]))


def _polygon(corners: Sequence[Vertex]) -> Html:
    return Html("M" + "L".join([f"{x} {y}" for x, y in map(point, corners)]) + "z")


def _gain(layout: Lattice, cell: Cell, points: Points) -> Html:
    """Return the points beside a cell, where most room is, in the same size however small the table is drawn."""
    drawn = arrange(layout)
    _, top, _, high = drawn.window
    size = _figure(layout)
    side = _airy_side(layout, cell)
    x, line = _beside(cell, side, size)
    line = min(max(line, top + size), top + high)
    anchor = (Html("end"), Html("middle"), Html("start"))[side[0] + 1]
    marks = Html(f'x="{x}" y="{line:.1f}" text-anchor="{anchor}"')
    return Html(f'<text class="gain" {marks}>+{points.total}</text>')


def _beside(cell: Cell, side: Way, size: float) -> tuple[int, float]:
    """Return where a text of that size begins beside a cell, and its line."""
    x, y, _ = cell_spot(cell)
    right, down = side
    return x + right * BESIDE, y + size / 3 + down * (BESIDE + size * 2 / 3)


def _airy_side(layout: Lattice, cell: Cell) -> Way:
    """Return the free side of a cell that has the fewest tiles around it, of those where the window has room."""
    drawn = arrange(layout)
    left, top, wide, high = drawn.window
    size = _figure(layout)

    def crowd(side: tuple[Cell, Way]) -> tuple[bool, int]:
        beside, way = side
        x, line = _beside(cell, way, size)
        inside = left <= x + way[0] * 2 * size <= left + wide and top + size <= line <= top + high
        return not inside, sum(each in layout.cells for each in neighbours(beside))

    sides = [side for side in zip(neighbours(cell), OUT[cell.way], strict=True) if side[0] not in layout.cells]
    return min(sides, key=crowd, default=(cell, UP))[1]
