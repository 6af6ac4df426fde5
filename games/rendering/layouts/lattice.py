"""The triangular lattice: its tiles, its description, and previews of placements with their figures and points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from games.engine.events import Points
from games.engine.layout.lattice import (
    START_CELL,
    Cell,
    Corners,
    KnownCorners,
    Lattice,
    Vertex,
    hexagon_corners,
    neighbours,
    parse_place,
    vertices,
)
from games.engine.layout.lattice import place_text as move_text
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry.lattice import arrange, spot_in_cell, spot_of_placement, vertex_position
from games.geometry.spots import ArrangedTile, Arrangement, Shape, Spot
from games.html import Html, escape
from games.rendering.layouts.drawing import Drawing
from games.rendering.pieces import NO_MARKS, tile_key, tile_name, triangles, use_sprite
from games.words.lookup import Words

Direction = tuple[int, int]
UP: Direction = (0, -1)
# The direction (right, down) of the edge opposite corner 0, 1 and 2.
OUTWARD: dict[str, tuple[Direction, Direction, Direction]] = {
    "U": ((0, 1), (-1, 0), (1, 0)),
    "D": (UP, (1, 0), (-1, 0)),
}
# The position of a cell relative to its neighbour across the edge opposite corner 0, 1 and 2.
NEIGHBOUR_PHRASES = {"U": ("above", "right_of", "left_of"), "D": ("below", "left_of", "right_of")}
SPRITE_PREFIXES = {"U": triangles.POINTING_UP, "D": triangles.POINTING_DOWN}
LABEL_DISTANCE = 14  # units from a cell to the points next to it
GAIN_SIZE = 9  # font size of the points in a preview, in units of the window
RING_RADIUS = 5  # radius of the ring around the corner that a bridge reaches


class LatticeDrawing(Drawing[Lattice]):
    """Draws a lattice."""

    has_previews = True

    def arrange(self, shape: Shape = Shape.EVEN) -> Arrangement:
        return arrange(self.layout)

    def spot(self, play: Play, shape: Shape = Shape.EVEN) -> Spot:
        return spot_of_placement(play.place)

    def description(self, words: Words) -> Html:
        """List the tiles row by row, then the numbers of the free edges and corners."""
        return _description(self.layout, words)

    def final_description(self, words: Words) -> Html:
        """List the tiles row by row."""
        return _rows_text(self.layout, words)

    def place_name(self, place: str, words: Words) -> Html:
        """Name the neighbours of a cell and the numbers they share: ``Above 1-2-5, joining 1 and 5``."""
        cell, corners = parse_place(place)
        if not self.layout.tiles:
            return words["middle"]
        tiles = {placed.cell: tile_name(placed.tile) for placed in self.layout.tiles}
        occupied = [(corner, tiles[side]) for corner, side in enumerate(neighbours(cell)) if side in tiles]
        (opposite, tile), *rest = occupied
        text = words.fill(NEIGHBOUR_PHRASES[cell.way][opposite], tile=tile)
        for _, other in rest:
            text = words.fill("and_beside", place=text, tile=other)
        if rest:
            return text
        first, second = (number for corner, number in enumerate(corners) if corner != opposite)
        return words.fill("joining", place=text, one=first, other=second)

    def built_figure(self, place: str, words: Words) -> Html:
        """Return ``bridge``, ``two hexagons``, or "" if a tile builds neither."""
        cell, _ = parse_place(place)
        if hexagons := len(self.layout.hexagons(cell)):
            return words[f"hexagons_{hexagons}"]
        return Html(words["bridge"] if self.layout.bridge(cell) else "")

    def impossible_moves(self, hand: Sequence[Tile]) -> tuple[str, ...]:
        """Place each tile on the first free cell, whose numbers it does not have."""
        cell = next(iter(self.layout.free), START_CELL)
        return tuple(move_text(cell, tile) for tile in hand)

    @staticmethod
    def sprites(tile_set: Sequence[Tile]) -> Html:
        return triangles.sprites(tile_set)

    def tile(self, laid: ArrangedTile, marks: Html = NO_MARKS) -> Html:
        placed = self.layout.tiles[laid.order]
        return _tile_html(placed.cell, placed.corners, marks)

    def ghost(self, play: Play, shape: Shape = Shape.EVEN) -> Html:
        return _tile_html(*parse_place(play.place), NO_MARKS)

    def font_size(self) -> Html:
        return Html(f' font-size="{_figure_size(self.layout):.1f}"')

    def place_mark(
        self, play: Play, points: Points, move: Html, shape: Shape = Shape.EVEN, *, already_marked: bool = False
    ) -> Html:
        """Draw a lit cell and its preview: the tile, its points and the outline of what it builds."""
        cell, corners = parse_place(play.place)
        x, y, _ = spot_in_cell(cell)
        preview = Html(
            _tile_html(cell, corners, NO_MARKS)
            + _outlines(self.layout, cell)
            + _points_label(self.layout, cell, points)
        )
        return Html(
            f'<use class="place" href="#slot{SPRITE_PREFIXES[cell.way]}" data-move="{move}" x="{x}" y="{y}"/>'
            f'<g class="look">{preview}</g>'
        )


@lru_cache(maxsize=256)
def _description(layout: Lattice, words: Words) -> Html:
    rows = _rows_text(layout, words)
    return Html(f"{rows} {_free_text(layout, words)}") if layout.tiles else rows


def _rows_text(layout: Lattice, words: Words) -> Html:
    """List the tiles row by row."""
    if not layout.tiles:
        return words["empty_board"]
    rows: dict[int, list[tuple[int, Html]]] = {}
    for tile, (way, i, j), _corners, _order in layout.tiles:
        rows.setdefault(-j, []).append((2 * i + (way == "D"), tile_name(tile)))
    row_texts = [
        _row_text(number, tuple(sorted(row)), words) for number, (_, row) in enumerate(sorted(rows.items()), 1)
    ]
    return Html(f"{words['lattice_rows']} {' '.join(row_texts)}")


@lru_cache(maxsize=4096)
def _row_text(number: int, row: tuple[tuple[int, Html], ...], words: Words) -> Html:
    """List the tiles of a row from left to right, with a word for gaps between them."""
    text = row[0][1]
    for (before, _), (at, tile) in pairwise(row):
        gap = Html("" if at == before + 1 else f", {words['lattice_gap']}")
        text = Html(f"{text}{gap}, {tile}")
    return words.fill("lattice_row", row=number, tiles=text)


def _free_text(layout: Lattice, words: Words) -> Html:
    """List the numbers around free cells: two at an open edge, three between tiles."""
    counts = Counter(map(_numbers_clockwise, layout.free.values()))
    texts = [Html(f"{text} ×{times}" if times > 1 else text) for text, times in sorted(counts.items())]
    edges = [text for text in texts if text.count("-") == 1]
    corners = [text for text in texts if text.count("-") == 2]
    text = words.fill("lattice_edges", edges=Html(", ".join(edges)))
    return Html(f"{text} {words.fill('lattice_corners', corners=Html(', '.join(corners)))}" if corners else text)


@lru_cache(maxsize=1024)
def _numbers_clockwise(corners: KnownCorners) -> Html:
    """Write the known numbers of a cell clockwise, from the unknown corner or from the smallest number."""
    numbers = [number for number in corners if number is not None]
    start = corners.index(None if None in corners else min(numbers))
    return Html("-".join([escape(number) for number in corners[start:] + corners[:start] if number is not None]))


def _figure_size(layout: Lattice) -> float:
    return GAIN_SIZE / arrange(layout).scale


@lru_cache(maxsize=8192)
def _tile_html(cell: Cell, corners: Corners, marks: Html) -> Html:
    x, y, _ = spot_in_cell(cell)
    return use_sprite(Html(f"{SPRITE_PREFIXES[cell.way]}{tile_key(corners)}"), x, y, marks)


def _outlines(layout: Lattice, cell: Cell) -> Html:
    """Draw the outline of the bridge or the hexagons that a tile would build."""
    bridged_vertex = layout.bridge(cell)
    if bridged_vertex:
        x, y = vertex_position(bridged_vertex)
        ring = Html(f'<circle class="built" cx="{x}" cy="{y}" r="{RING_RADIUS}"/>')
        return Html(f'<path class="built" d="{_polygon(vertices(cell))}"/>{ring}')
    return Html(
        "".join([f'<path class="built" d="{_polygon(hexagon_corners(middle))}"/>' for middle in layout.hexagons(cell)])
    )


def _polygon(corners: Sequence[Vertex]) -> Html:
    return Html("M" + "L".join([f"{x} {y}" for x, y in map(vertex_position, corners)]) + "z")


def _points_label(layout: Lattice, cell: Cell, points: Points) -> Html:
    """Write the points where there is most room next to a cell, in the same size however small the table is drawn."""
    _, top, _, height = arrange(layout).window
    size = _figure_size(layout)
    side = _free_side(layout, cell)
    x, baseline = _figure_position(cell, side, size)
    baseline = min(max(baseline, top + size), top + height)
    anchor = (Html("end"), Html("middle"), Html("start"))[side[0] + 1]
    marks = Html(f'x="{x}" y="{baseline:.1f}" text-anchor="{anchor}"')
    return Html(f'<text class="gain" {marks}>+{points.total}</text>')


def _figure_position(cell: Cell, side: Direction, size: float) -> tuple[int, float]:
    """Return where a text of that size starts on a side of a cell, and its baseline."""
    x, y, _ = spot_in_cell(cell)
    right, down = side
    return x + right * LABEL_DISTANCE, y + size / 3 + down * (LABEL_DISTANCE + size * 2 / 3)


def _free_side(layout: Lattice, cell: Cell) -> Direction:
    """Return the free side of a cell with the fewest tiles around it, preferring sides inside the window."""
    min_x, top, width, height = arrange(layout).window
    size = _figure_size(layout)

    def crowding(side: tuple[Cell, Direction]) -> tuple[bool, int]:
        neighbour, way = side
        x, baseline = _figure_position(cell, way, size)
        is_inside = min_x <= x + way[0] * 2 * size <= min_x + width and top + size <= baseline <= top + height
        return not is_inside, sum(cell in layout.cells for cell in neighbours(neighbour))

    sides = [side for side in zip(neighbours(cell), OUTWARD[cell.way], strict=True) if side[0] not in layout.cells]
    return min(sides, key=crowding, default=(cell, UP))[1]
