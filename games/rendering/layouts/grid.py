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

from games.engine.layout.grid import Grid
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
    said = [_numbers_text("H", *_numbered(cell, first), numbers, words) for cell, numbers in lines(layout, "H")]
    for cell, numbers in lines(layout, "V"):
        if len(numbers) > 1:
            said.append(_numbers_text("V", *_numbered(cell, first), numbers, words))
    return Html(" ".join(said))


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


def lines(layout: Grid, way: str) -> list[tuple[Cell, tuple[int, ...]]]:
    """Return every line of the rows (``H``) from above, or of the columns (``V``) from the left: its first cell, and
    its numbers.
    """
    across = way == "H"
    ordered = sorted([(y, x, number) if across else (x, y, number) for (x, y), number in layout.values.items()])
    runs: list[tuple[Cell, list[int]]] = []
    before = None
    for line, at, number in ordered:
        if before == (line, at - 1):
            runs[-1][1].append(number)
        else:
            runs.append(((at, line) if across else (line, at), [number]))
        before = line, at
    return [(cell, tuple(numbers)) for cell, numbers in runs]


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


@lru_cache(maxsize=8192)
def _numbers_text(way: str, column: int, row: int, numbers: tuple[int, ...], words: Words) -> Html:
    phrase = "grid_row_line" if way == "H" else "grid_column_line"
    return words.say(phrase, row=row, column=column, numbers=Html("-".join([f"{number}" for number in numbers])))
