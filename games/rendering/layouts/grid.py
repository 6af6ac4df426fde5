"""The square grid in words: cells by row and column, lines as they are read.

Rows and columns are counted from 1, from the upper left corner of the area of all squares that are covered or may be
covered next, which reach one further than the tiles. So the first row of tiles is row 2, and above it row 1 is free.
All that is said and drawn at one moment counts alike. When a tile goes beyond the upper or the left edge, the area
grows, and from then on every row or column has the next number: no text of before is put right, and none is kept.
Records name squares by coordinates that never change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from games.engine.layout.grid import Grid, GridLine
from games.engine.layout.slots import Cell, Slot, spot
from games.engine.layout.slots import place_text as move_text
from games.engine.tiles import Tile
from games.geometry.grid import arrange, bounds, seen
from games.html import Html
from games.rendering.pieces import bones, squares
from games.words.lookup import Words

MARK = 4
"""The size of the numbers of rows and columns, in units of the window."""


@lru_cache(maxsize=1024)
def described(layout: Grid, words: Words) -> Html:
    """Return every row of the table, then the columns of two cells and more."""
    first = _first(layout)
    rows = [_line_text(layout, line, first, words) for line in lines(layout, "H")]
    columns = [_line_text(layout, line, first, words) for line in lines(layout, "V") if line.length > 1]
    return Html(" ".join(rows + columns))


def tried(layout: Grid) -> bool:
    """Placements have a preview."""
    return True


def vain_moves(layout: Grid, held: tuple[Tile, ...]) -> tuple[str, ...]:
    """Return each tile on the first slot where others fit, or where one lies if none do."""
    slot = next(iter(layout.slots), Slot("H", 0, 0))
    return tuple(move_text(slot, high, low) for high, low in held)


def place_text(layout: Grid, place: str, words: Words) -> Html:
    """Return the cells of a placement with their numbers: ``Row 2, columns 4 and 5: 5 then 1``."""
    slot, first, second = spot(place)
    return words.say("grid_place", cells=_cells_text(slot, _first(layout), words), first=first, second=second)


def sprites(layout: Grid, tile_set: Sequence[Tile]) -> Html:
    """Return the drawings of the tiles, of the squares below them and of what fits there."""
    return Html(bones.sprites(tile_set) + squares.sprites())


def ground(layout: Grid, words: Words) -> Html:
    """Return the squares of the felt around what is seen."""
    return squares.ground(seen(layout))


def scale(layout: Grid) -> Html:
    """Return the numbers of the columns above the table, and of the rows to the left of it."""
    return squares.scale_marks(bounds(layout), round(MARK / arrange(layout).scale, 1))


def hints(layout: Grid, words: Words) -> Html:
    """Return the numbers that each free square beside the tiles still allows, and the closed fields."""
    free = [squares.free_cell(cell, numbers) for cell, numbers in layout.border().items()]
    return Html(f'<g class="hints">{squares.closed_slots(layout.stacked())}{"".join(free)}{scale(layout)}</g>')


def hints_text(layout: Grid, words: Words) -> Html:
    """Return the free squares beside the tiles with the numbers they allow, row by row, and the closed fields."""
    first = _first(layout)
    free = [(*_numbered(cell, first), numbers) for cell, numbers in layout.border().items()]
    rows = []
    for row, found in groupby(free, key=itemgetter(1)):
        named = [
            Html(f"{column}: {' '.join([f'{number}' for number in numbers]) or words['grid_dead']}")
            for column, _, numbers in found
        ]
        rows.append(words.say("grid_free_row", row=row, squares=Html(", ".join(named))))
    closed = [_cells_text(slot, first, words) for slot in layout.stacked()]
    stacked = Html(f" {words['grid_stacked']} {'; '.join(closed)}." if closed else "")
    return Html(f"{words['grid_free']} {' '.join(rows)}{stacked}")


def lines(layout: Grid, way: str) -> list[GridLine]:
    """Return every line of the rows (``H``) from above, or of the columns (``V``) from the left."""
    across = way == "H"
    ordered = sorted((y, x) if across else (x, y) for x, y in layout.values)
    runs: list[list[int]] = []
    for line, start in ordered:
        if runs and runs[-1][0] == line and runs[-1][1] + runs[-1][2] == start:
            runs[-1][2] += 1
        else:
            runs.append([line, start, 1])
    return [GridLine(way, *((start, line) if across else (line, start)), length) for line, start, length in runs]


def cells(line: GridLine) -> list[Cell]:
    """Return the cells of a line, from its first on."""
    if line.way == "H":
        return [(line.x + step, line.y) for step in range(line.length)]
    return [(line.x, line.y + step) for step in range(line.length)]


def _first(layout: Grid) -> Cell:
    """Return the cell in the upper left corner of the area whose squares have numbers."""
    left, top, _, _ = bounds(layout)
    return left, top


def _numbered(cell: Cell, first: Cell) -> tuple[int, int]:
    """Return the numbers of the column and of the row of a cell."""
    return cell[0] - first[0] + 1, cell[1] - first[1] + 1


def _cells_text(slot: Slot, first: Cell, words: Words) -> Html:
    """Return ``Row 2, columns 4 and 5``."""
    key = "grid_across" if slot.way == "H" else "grid_down"
    column, row = _numbered((slot.x, slot.y), first)
    start, line = (column, row) if slot.way == "H" else (row, column)
    return words.say(key, line=line, start=start, end=start + 1)


def _line_text(layout: Grid, line: GridLine, first: Cell, words: Words) -> Html:
    """Return the numbers of a line, and where it begins."""
    numbers = tuple([layout.values[cell] for cell in cells(line)])
    return _numbers_text(line.way, *_numbered((line.x, line.y), first), numbers, words)


@lru_cache(maxsize=8192)
def _numbers_text(way: str, column: int, row: int, numbers: tuple[int, ...], words: Words) -> Html:
    phrase = "grid_row_line" if way == "H" else "grid_column_line"
    return words.say(phrase, row=row, column=column, numbers=Html("-".join([f"{number}" for number in numbers])))
