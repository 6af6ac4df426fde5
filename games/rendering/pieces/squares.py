"""Drawings around the tiles of a grid: squares, the numbers that still fit on them, and the lines of a placement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import ceil, floor

from games.engine.layout.grid import GridLine
from games.engine.layout.rhythm import VALUES
from games.engine.layout.slots import Cell, Slot
from games.geometry.grid import CellBounds, cell_corner
from games.geometry.spots import HALF
from games.html import Html, escape
from games.rendering.pieces import tile_key

EXTRA_SQUARES = 3  # fading squares drawn beyond the window, in case the felt has another aspect ratio
FIGURE_SIZES = (0, 12, 11, 8.5, 8.5, 8.5)  # font size by the number of figures in a free square
FIGURES_PER_ROW = {1: (1,), 2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2)}  # figures in each row by their number
# x of the figures in a row by their number
FIGURE_POSITIONS = {1: Html("10"), 2: Html("5.6 14.4"), 3: Html("4 10 16")}
INSET = 1

# The squares of the felt, the sign of a dead square, the handles, and the slots that the stack rule closes.
GROUND = Html(
    f'<pattern id="squares" width="{HALF}" height="{HALF}" patternUnits="userSpaceOnUse">'
    f'<path class="square" d="M0 {HALF}V0H{HALF}"/></pattern>'
    '<pattern id="hatching" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path class="hatch" d="M0 0V5"/></pattern>'
    '<radialGradient id="fading"><stop offset=".55" stop-color="white"/><stop offset="1" stop-color="black"/>'
    '</radialGradient><mask id="faded" maskContentUnits="objectBoundingBox">'
    '<rect width="1" height="1" fill="url(#fading)"/></mask>'
    '<g id="n" class="dead"><rect x="1.5" y="1.5" width="17" height="17" rx="3"/>'
    '<path d="M6.5 6.5l7 7M13.5 6.5l-7 7"/></g>'
    '<g id="fieldH"><use href="#slot" opacity=".7"/><rect x="-7.5" y="-4" width="15" height="8" rx="4"/></g>'
    '<g id="fieldV" transform="rotate(90)"><use href="#fieldH"/></g>'
    '<g id="turn" class="turn"><circle r="4.4"/><path d="M-1.6-1.9a2.5 2.5 0 1 1-.7 2.9M-2.6-3.1l.6 1.9 1.9-.5"/></g>'
    '<rect id="stackH" x="1.5" y="1.5" width="37" height="17" rx="3"/>'
    '<rect id="stackV" x="1.5" y="1.5" width="17" height="37" rx="3"/>'
)


def sprites() -> Html:
    """Return the drawings of squares: ``n`` is a dead square, ``n135`` one on which 1, 3 and 5 still fit."""
    sets = (numbers for size in range(1, len(VALUES) + 1) for numbers in combinations(VALUES, size))
    return Html(GROUND + "".join(map(_figures_sprite, sets)))


def felt_squares(edges: tuple[float, float, float, float]) -> Html:
    """Return the squares of the felt in the window and a little beyond it."""
    x, y = cell_corner((floor(edges[0]) - EXTRA_SQUARES, floor(edges[1]) - EXTRA_SQUARES))
    width, height = ((ceil(edges[end + 2] - edges[end]) + 2 * EXTRA_SQUARES) * HALF for end in (0, 1))
    return Html(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="url(#squares)" mask="url(#faded)"/>')


def free_cell(cell: Cell, numbers: Iterable[int]) -> Html:
    """Return a free square with the numbers that still fit."""
    x, y = cell_corner(cell)
    return Html(f'<use href="#n{tile_key(tuple(numbers))}" x="{x}" y="{y}"/>')


def closed_slots(slots: Iterable[Slot]) -> Html:
    """Return the slots that the stack rule closes, hatched."""
    uses = []
    for slot in slots:
        x, y = cell_corner((slot.x, slot.y))
        uses.append(Html(f'<use href="#stack{escape(slot.way)}" x="{x}" y="{y}"/>'))
    return Html(f'<g class="stacked" fill="url(#hatching)">{"".join(uses)}</g>')


def outlines(lines: Iterable[GridLine]) -> Html:
    """Return a path around each line."""
    paths = []
    for line in lines:
        x, y = cell_corner((line.x, line.y))
        long, wide = line.length * HALF - 2 * INSET, HALF - 2 * INSET
        across, down = (long, wide) if line.way == "H" else (wide, long)
        paths.append(Html(f"M{x + INSET} {y + INSET}h{across}v{down}h{-across}z"))
    return Html(f'<path class="lit" d="{"".join(paths)}"/>')


def scale_marks(limits: CellBounds, size: float) -> Html:
    """Return the numbers of the columns above an area and of the rows to the left of it, both from 1."""
    min_x, min_y, max_x, max_y = limits
    x, y = cell_corner((min_x, min_y))
    columns = [(x + HALF * step + HALF // 2, y - size, step + 1) for step in range(max_x - min_x)]
    rows = [(x - size, y + HALF * step + HALF // 2, step + 1) for step in range(max_y - min_y)]
    texts = [Html(f'<text x="{across:g}" y="{down:g}">{number}</text>') for across, down, number in columns + rows]
    return Html(f'<g class="scale" font-size="{size}">{"".join(texts)}</g>')


def _figures_sprite(numbers: Sequence[int]) -> Html:
    """Return figures in one or two rows in the middle of a square."""
    rows, size = FIGURES_PER_ROW[len(numbers)], FIGURE_SIZES[len(numbers)]
    texts, rest = [], [escape(number) for number in numbers]
    for place, count in enumerate(rows):
        row, rest = rest[:count], rest[count:]
        y = HALF / 2 + (place - (len(rows) - 1) / 2) * size
        texts.append(Html(f'<text x="{FIGURE_POSITIONS[count]}" y="{y:g}">{"".join(row)}</text>'))
    return Html(f'<g id="n{tile_key(tuple(numbers))}" class="fitting" font-size="{size}">{"".join(texts)}</g>')
