"""The square grid in words: cells by row and column, lines as they are read.

Rows are counted downwards and columns to the right; the starting pair lies on rows and columns 30 and 31. So a cell
keeps its name while the table grows: a tile reaches at most one cell further, and 28 are laid.
"""

from __future__ import annotations

from games.engine.layout.grid import Cell, Grid, Line, spot
from games.wording import Words

ORIGIN = 30


def described(layout: Grid, words: Words) -> str:
    """Return every row of the table, then the columns of two cells and more."""
    rows = [words["grid_row_line"] % _named(layout, line) for line in lines(layout, "H")]
    columns = [words["grid_column_line"] % _named(layout, line) for line in lines(layout, "V") if line.length > 1]
    return f"{words['grid_rows']} {' '.join(rows)} {words['grid_columns']} {' '.join(columns)}"


def place_text(layout: Grid, place: str, words: Words) -> str:
    """Return the cells of a placement with their numbers: ``Row 30, columns 32 and 33: 5 then 1``."""
    slot, first, second = spot(place)
    key = "grid_across" if slot.way == "H" else "grid_down"
    start, fixed = (slot.x, slot.y) if slot.way == "H" else (slot.y, slot.x)
    return words[key] % {
        "line": fixed + ORIGIN,
        "start": start + ORIGIN,
        "end": start + ORIGIN + 1,
        "first": first,
        "second": second,
    }


def lines(layout: Grid, way: str) -> list[Line]:
    """Return every line of the rows (``H``) from above, or of the columns (``V``) from the left."""
    found: list[Line] = []
    at, along = (1, 0) if way == "H" else (0, 1)
    for cell in sorted(layout.values, key=lambda cell: (cell[at], cell[along])):
        last = found[-1] if found else None
        if last is not None and cell == _after(last):
            found[-1] = last._replace(length=last.length + 1)
        else:
            found.append(Line(way, *cell, 1))
    return found


def cells(line: Line) -> list[Cell]:
    """Return the cells of a line, from its first on."""
    if line.way == "H":
        return [(line.x + step, line.y) for step in range(line.length)]
    return [(line.x, line.y + step) for step in range(line.length)]


def _after(line: Line) -> Cell:
    return (line.x + line.length, line.y) if line.way == "H" else (line.x, line.y + line.length)


def _named(layout: Grid, line: Line) -> dict[str, object]:
    numbers = "-".join([str(layout.values[cell]) for cell in cells(line)])
    row, column = line.y + ORIGIN, line.x + ORIGIN
    return {"row": row, "column": column, "numbers": numbers}
