"""The square grid: its description by rows and columns, and previews of placements.

Rows and columns are counted from 1 at the upper left corner of the area that is covered or may be covered next, which
extends one square beyond the tiles. So the first row of tiles is row 2, and the free row above it is row 1. When a
tile extends the area beyond its upper or left edge, all rows or columns get new numbers. Records name squares by
coordinates that never change.

No two slots share their middle, so each slot has a handle there. If the tile fits a slot both ways, the mark of the
first way has the handle and the extended lines; that of the other way (``turned``) appears when the tile is turned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from math import ceil, floor
from operator import itemgetter

from games.engine.events import Points
from games.engine.layout.grid import Grid, GridLine
from games.engine.layout.slots import Cell, Slot, cells_of, parse_place
from games.engine.layout.slots import place_text as move_text
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry.grid import (
    arrange,
    bounds_with_free_cells,
    cell_corner,
    spot_in_slot,
    spot_of_placement,
    window_in_cells,
)
from games.geometry.spots import HALF, Arrangement, Shape, Spot
from games.html import Html, escape
from games.rendering.layouts.drawing import Drawing
from games.rendering.pieces import bones, squares
from games.words.lookup import Words

AXIS_LABEL_SIZE = 4  # font size of row and column numbers, in units of the window
FIGURE_SIZE = 6  # font size of lengths and sums, in units of the window
GLYPH_WIDTH = 0.56  # width of a character, as a part of its font size
PLATE_HEIGHT = 1.7  # height of a sum's plate, as a multiple of its font size (squares.css)
PLATE_GAP = 0.2  # squares between a placement and its sum
HIDDEN_SQUARE_COST = 1.5  # squares that a sum moves away to hide one square less
TURN_SIGN_OFFSET = (18, -11)  # of the other half for the sign to turn the tile: along the tile, and across


class GridDrawing(Drawing[Grid]):
    """Draws a grid."""

    has_previews = True
    has_hints = True

    def arrange(self, shape: Shape = Shape.EVEN) -> Arrangement:
        return arrange(self.layout)

    def spot(self, play: Play, shape: Shape = Shape.EVEN) -> Spot:
        return spot_of_placement(play.tile, play.place)

    def description(self, words: Words) -> Html:
        return _description(self.layout, words)

    def place_name(self, place: str, words: Words) -> Html:
        """Name the squares and their numbers: ``Row 2, columns 4 and 5: 5 then 1``."""
        slot, first, second = parse_place(place)
        slot_text = _slot_text(slot, _origin(self.layout), words)
        return words.fill("grid_place", cells=slot_text, first=first, second=second)

    def impossible_moves(self, hand: Sequence[Tile]) -> tuple[str, ...]:
        """Place each tile on the first slot where others fit, or on a covered one if none do."""
        slot = next(iter(self.layout.slots), Slot("H", 0, 0))
        return tuple(move_text(slot, high, low) for high, low in hand)

    @staticmethod
    def sprites(tile_set: Sequence[Tile]) -> Html:
        return Html(bones.sprites(tile_set) + squares.sprites())

    def ground(self) -> Html:
        """Draw the squares of the felt."""
        return squares.felt_squares(window_in_cells(self.layout))

    def font_size(self) -> Html:
        return Html(f' font-size="{_figure_size(self.layout)}"')

    def axis_labels(self) -> Html:
        return squares.scale_marks(
            bounds_with_free_cells(self.layout), round(AXIS_LABEL_SIZE / arrange(self.layout).scale, 1)
        )

    def hints(self) -> Html:
        """Draw the numbers that fit on each free square next to the tiles, and the slots closed by the stack rule."""
        free = Html("".join([squares.free_cell(cell, numbers) for cell, numbers in self.layout.border().items()]))
        closed = squares.closed_slots(self.layout.slots_closed_by_stack_rule())
        return Html(f'<g class="hints">{closed}{free}{self.axis_labels()}</g>')

    def hints_text(self, words: Words) -> Html:
        """List the free squares row by row with the numbers that fit, then the closed slots."""
        origin = _origin(self.layout)
        free = [(*_column_and_row(cell, origin), numbers) for cell, numbers in self.layout.border().items()]
        rows = []
        for row, cells in groupby(free, key=itemgetter(1)):
            listed = [
                Html(f"{column}: {' '.join([f'{number}' for number in numbers]) or words['grid_dead']}")
                for column, _, numbers in cells
            ]
            rows.append(words.fill("grid_free_row", row=row, squares=Html(", ".join(listed))))
        closed = [_slot_text(slot, origin, words) for slot in self.layout.slots_closed_by_stack_rule()]
        stacked = Html(f" {words['grid_stacked']} {'; '.join(closed)}." if closed else "")
        return Html(f"{words['grid_free']} {' '.join(rows)}{stacked}")

    def place_mark(
        self, play: Play, points: Points, move: Html, shape: Shape = Shape.EVEN, *, already_marked: bool = False
    ) -> Html:
        """Draw the handle and the preview: the tile, the lines with their lengths, the product."""
        slot, _, _ = parse_place(play.place)
        preview = _preview_tile(self.layout, play) if already_marked else _preview(self.layout, play, points)
        return Html(
            f'<g class="place grip{Html(" turned" if already_marked else "")}" data-move="{move}">{_handle(slot)}'
            f'<g class="look">{preview}</g></g>'
        )


def grid_lines(layout: Grid, way: str) -> list[tuple[Cell, tuple[int, ...]]]:
    """Return the lines of all rows (``H``) from the top, or of all columns (``V``) from the left.

    Each line is its first cell and its numbers.
    """
    across = way == "H"
    ordered = sorted([(y, x, number) if across else (x, y, number) for (x, y), number in layout.values.items()])
    runs: list[tuple[Cell, list[int]]] = []
    previous_position = None
    for line, at, number in ordered:
        if previous_position == (line, at - 1):
            runs[-1][1].append(number)
        else:
            runs.append(((at, line) if across else (line, at), [number]))
        previous_position = line, at
    return [(cell, tuple(numbers)) for cell, numbers in runs]


def _description(layout: Grid, words: Words) -> Html:
    """Describe every row of the table, then the columns of at least two cells."""
    origin = _origin(layout)
    line_texts = [
        _line_text("H", *_column_and_row(cell, origin), numbers, words) for cell, numbers in grid_lines(layout, "H")
    ]
    for cell, numbers in grid_lines(layout, "V"):
        if len(numbers) > 1:
            line_texts.append(_line_text("V", *_column_and_row(cell, origin), numbers, words))
    return Html(" ".join(line_texts))


def _line_text(way: str, column: int, row: int, numbers: tuple[int, ...], words: Words) -> Html:
    phrase_key = "grid_row_line" if way == "H" else "grid_column_line"
    return words.fill(phrase_key, row=row, column=column, numbers=Html("-".join([f"{number}" for number in numbers])))


def _origin(layout: Grid) -> Cell:
    """Return the upper left corner of the area whose squares have numbers."""
    return bounds_with_free_cells(layout)[:2]


def _column_and_row(cell: Cell, origin: Cell) -> tuple[int, int]:
    """Return the numbers of a cell's column and row."""
    return cell[0] - origin[0] + 1, cell[1] - origin[1] + 1


def _slot_text(slot: Slot, origin: Cell, words: Words) -> Html:
    """Return ``Row 2, columns 4 and 5``."""
    phrase_key = "grid_across" if slot.way == "H" else "grid_down"
    column, row = _column_and_row((slot.x, slot.y), origin)
    start, line = (column, row) if slot.way == "H" else (row, column)
    return words.fill(phrase_key, line=line, start=start, end=start + 1)


def _figure_size(layout: Grid) -> float:
    return round(FIGURE_SIZE / arrange(layout).scale, 1)


def _handle(slot: Slot) -> Html:
    """Draw the outline of a slot, which is pressed, with a bar in its middle."""
    x, y, _ = spot_in_slot(slot, (0, 0), 0)
    return Html(f'<use href="#field{escape(slot.way)}" x="{x}" y="{y}"/>')


def _preview(layout: Grid, play: Play, points: Points) -> Html:
    """Draw the lines that a placement extends with their lengths, the tile on them, and the sum."""
    slot, _, _ = parse_place(play.place)
    extended = layout.extended(slot)
    ends = list(_line_ends(layout, extended))
    lengths = Html("".join([_length_label(cell, line.length) for line, cell in zip(extended, ends, strict=True)]))
    text = Html(f"{escape(points.terms[0].text)} = {points.total}")
    total = _sum_plate(layout, slot, {*layout.values, *ends}, text)
    return Html(squares.outlines(extended) + _preview_tile(layout, play) + lengths + total)


def _preview_tile(layout: Grid, play: Play) -> Html:
    """Draw the tile, with the sign to turn it if it fits the other way, too."""
    slot, first, second = parse_place(play.place)
    x, y, angle = spot_in_slot(slot, play.tile, first)
    ghost = Html(f'<use class="ghost" href="#{bones.turned_sprite_name(play.tile, angle)}" x="{x}" y="{y}"/>')
    if first == second or not layout.takes(slot, second, first):
        return ghost
    return Html(
        ghost + _turn_sign(slot, *TURN_SIGN_OFFSET if first > second else (-TURN_SIGN_OFFSET[0], TURN_SIGN_OFFSET[1]))
    )


def _turn_sign(slot: Slot, along: int, across: int) -> Html:
    """Draw the sign that is pressed to turn the tile."""
    x, y, _ = spot_in_slot(slot, (0, 0), 0)
    x, y = (x + along, y + across) if slot.way == "H" else (x + across, y + along)
    return Html(f'<use class="turn" href="#turn" x="{x}" y="{y}"/>')


def _length_label(cell: Cell, length: int) -> Html:
    x, y = cell_corner(cell)
    return Html(f'<text class="length" x="{x + HALF // 2}" y="{y + HALF // 2}">{length}</text>')


def _sum_plate(layout: Grid, slot: Slot, occupied: Collection[Cell], text: Html) -> Html:
    """Draw the sum on a plate near the placement."""
    font_size = _figure_size(layout)
    width, height = font_size * (GLYPH_WIDTH * len(text) + 1), PLATE_HEIGHT * font_size
    across, down = _plate_middle(layout, slot, occupied, width / HALF, height / HALF)
    x, y = (across - 1) * HALF, (down - 1) * HALF
    at = Html(f"{round(x, 1):g} {round(y, 1):g}")
    return Html(f'<g class="sum" transform="translate({at})"><rect width="{width:.1f}"/><text>{text}</text></g>')


def _line_ends(layout: Grid, extended: tuple[GridLine, ...]) -> Iterator[Cell]:
    """Yield for each line the free square at the end that the new tile does not extend."""
    ends: list[Cell] = []
    for line in extended:
        x, y, last_offset = line.x, line.y, line.length - 1
        across = line.way == "H"
        start, end = (x, y), (x + last_offset, y) if across else (x, y + last_offset)
        beyond = [(x - 1, y), (x + line.length, y)] if across else [(x, y - 1), (x, y + line.length)]
        cells_beyond_old_ends = [
            cell for cell, line_end_cell in zip(beyond, (start, end), strict=True) if line_end_cell in layout.values
        ] or beyond
        cell = next((end for end in cells_beyond_old_ends if end not in ends), cells_beyond_old_ends[0])
        ends.append(cell)
        yield cell


def _plate_middle(
    layout: Grid, slot: Slot, occupied: Collection[Cell], width: float, height: float
) -> tuple[float, float]:
    """Return the middle, in squares, of a plate above or below a placement, where it hides few occupied squares."""
    min_x, min_y, max_x, max_y = window_in_cells(layout)
    start, end = cells_of(slot)
    column, distance = (start[0] + end[0] + 1) / 2, PLATE_GAP + height / 2
    candidates = []
    for row in (start[1] - distance, start[1] - distance - 1, end[1] + 1 + distance, end[1] + 2 + distance):
        for shift in (0, -2, 2, -4, 4):
            middle = max(min(column + shift, max_x - width / 2), min_x + width / 2)
            if min_y < row < max_y:
                columns = range(floor(middle - width / 2), ceil(middle + width / 2))
                rows = range(floor(row - height / 2), ceil(row + height / 2))
                hidden = sum((x, y) in occupied for x in columns for y in rows)
                candidates.append((HIDDEN_SQUARE_COST * hidden + abs(middle - column), middle, row))
    _, middle, row = min(candidates)
    return middle, row
