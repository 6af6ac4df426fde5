"""What lights up on the grid for the chosen tile: a handle in the middle of each slot, and what it would extend.

No two slots share their middle. Where the tile fits both ways, one of the ways shows the handle and what both extend,
and the other one (``turned``) is shown once the tile is turned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import ceil, floor

from games.engine.events import Points
from games.engine.layout.grid import Grid, GridLine
from games.engine.layout.slots import Cell, Slot, cells_of, spot
from games.engine.moves import Play
from games.geometry.grid import arrange, corner, seen, spot_in
from games.geometry.spots import HALF, Shape
from games.html import Html, escape
from games.rendering.pieces import bones, squares

CORNER = (18, -11)
"""Where on the other half the sign to turn the tile lies, along the tile and across."""
FIGURE = 6
"""The size of figures, in units of the window."""
GLYPH = 0.56
"""The width of a character as a part of its size."""
PLATE = 1.7
"""The height of a sum's plate as a multiple of its figures' (squares.css)."""
GAP = 0.2
"""Squares between a placement and its sum."""
HIDDEN = 1.5
"""How many squares further a sum may lie to hide one square less."""


def place_mark(
    layout: Grid, play: Play, points: Points, move: Html, shape: Shape = Shape.EVEN, *, again: bool = False
) -> Html:
    """Return the handle and the preview: the tile, the lines with their lengths, the product."""
    slot, _, _ = spot(play.place)
    return Html(
        f'<g class="place grip{Html(" turned" if again else "")}" data-move="{move}">{_handle(slot)}'
        f'<g class="look">{_laid(layout, play) if again else _look(layout, play, points)}</g></g>'
    )


def figures(layout: Grid) -> Html:
    """Return the size of the lengths and sums."""
    return Html(f' font-size="{_figure(layout)}"')


def _figure(layout: Grid) -> float:
    return round(FIGURE / arrange(layout).scale, 1)


def _handle(slot: Slot) -> Html:
    """Return the outline of a slot, which is pressed, with a bar in its middle."""
    x, y, _ = spot_in(slot, (0, 0), 0)
    return Html(f'<use href="#field{escape(slot.way)}" x="{x}" y="{y}"/>')


def _turns(layout: Grid, slot: Slot, first: int, second: int) -> bool:
    """Return whether the tile fits the slot the other way round, too."""
    return first != second and layout.takes(slot, second, first)


def _turn(slot: Slot, along: int, across: int) -> Html:
    """Return the sign that is pressed to turn the tile."""
    x, y, _ = spot_in(slot, (0, 0), 0)
    x, y = (x + along, y + across) if slot.way == "H" else (x + across, y + along)
    return Html(f'<use class="turn" href="#turn" x="{x}" y="{y}"/>')


def _look(layout: Grid, play: Play, points: Points) -> Html:
    """Return the lines that a placement extends with their lengths, the tile on them, and the sum."""
    slot, _, _ = spot(play.place)
    lines = layout.extended(slot)
    ends = list(_ends(layout, lines))
    lengths = Html("".join([_length(cell, line.length) for line, cell in zip(lines, ends, strict=True)]))
    text = Html(f"{escape(points.terms[0].text)} = {points.total}")
    total = _sum(layout, slot, {*layout.values, *ends}, text)
    return Html(squares.outlines(lines) + _laid(layout, play) + lengths + total)


def _laid(layout: Grid, play: Play) -> Html:
    """Return the tile as it would lie, with the sign to turn it if it fits another way, too."""
    slot, first, second = spot(play.place)
    x, y, angle = spot_in(slot, play.tile, first)
    ghost = Html(f'<use class="ghost" href="#{bones.turned(play.tile, angle)}" x="{x}" y="{y}"/>')
    if not _turns(layout, slot, first, second):
        return ghost
    return Html(ghost + _turn(slot, *CORNER if first > second else (-CORNER[0], CORNER[1])))


def _length(cell: Cell, length: int) -> Html:
    x, y = corner(cell)
    return Html(f'<text class="length" x="{x + HALF // 2}" y="{y + HALF // 2}">{length}</text>')


def _sum(layout: Grid, slot: Slot, taken: Collection[Cell], text: Html) -> Html:
    """Return the sum on a plate near the placement."""
    size = _figure(layout)
    wide, high = size * (GLYPH * len(text) + 1), PLATE * size
    across, down = _plate(layout, slot, taken, wide / HALF, high / HALF)
    x, y = (across - 1) * HALF, (down - 1) * HALF
    at = Html(f"{round(x, 1):g} {round(y, 1):g}")
    return Html(f'<g class="sum" transform="translate({at})"><rect width="{wide:.1f}"/><text>{text}</text></g>')


def _ends(layout: Grid, lines: tuple[GridLine, ...]) -> Iterator[Cell]:
    """Return for each line the free square at an end of it that the new tile leaves as it is."""
    taken: list[Cell] = []
    for line in lines:
        x, y, last = line.x, line.y, line.length - 1
        across = line.way == "H"
        start, end = (x, y), (x + last, y) if across else (x, y + last)
        beyond = [(x - 1, y), (x + line.length, y)] if across else [(x, y - 1), (x, y + line.length)]
        old = [cell for cell, inner in zip(beyond, (start, end), strict=True) if inner in layout.values] or beyond
        cell = next((each for each in old if each not in taken), old[0])
        taken.append(cell)
        yield cell


def _plate(layout: Grid, slot: Slot, taken: Collection[Cell], wide: float, high: float) -> tuple[float, float]:
    """Return the middle of a plate of that size that hides few squares, close above or below a placement (squares)."""
    left, top, right, bottom = seen(layout)
    start, end = cells_of(slot)
    column, away = (start[0] + end[0] + 1) / 2, GAP + high / 2
    found = []
    for row in (start[1] - away, start[1] - away - 1, end[1] + 1 + away, end[1] + 2 + away):
        for aside in (0, -2, 2, -4, 4):
            middle = max(min(column + aside, right - wide / 2), left + wide / 2)
            if top < row < bottom:
                columns = range(floor(middle - wide / 2), ceil(middle + wide / 2))
                rows = range(floor(row - high / 2), ceil(row + high / 2))
                hidden = sum((x, y) in taken for x in columns for y in rows)
                found.append((HIDDEN * hidden + abs(middle - column), middle, row))
    _, middle, row = min(found)
    return middle, row
