"""Figures for the pages of rules: a hand, or a layout in the smallest window that shows it."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.events import Points
from games.engine.layout import Layout
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry.lattice import TRIANGLE_HEIGHT, TRIANGLE_SIDE
from games.geometry.spots import HALF, ArrangedTile
from games.html import Html
from games.rendering.layouts import drawing_of
from games.rendering.layouts.drawing import Drawing
from games.rendering.pieces import NO_MARKS, TRIANGLE, upright_tile
from games.rendering.seats import tile_list
from games.words.lookup import Words

MARGIN = 4
PIXELS_PER_UNIT = 2  # per unit, if the page has room


def hand_figure(tiles: tuple[Tile, ...]) -> Html:
    """Return a hand, face up."""
    svgs = Html("".join(map(upright_tile, tiles)))
    return Html(f'<div class="figure-hand" role="img" aria-label="{tile_list(tiles)}">{svgs}</div>')


def layout_figure(layout: Layout, words: Words, *, with_hints: bool = False) -> Html:
    """Return the tiles on the table with a description in words, and with hints if ``with_hints``."""
    drawing = drawing_of(layout)
    tiles = Html("".join([drawing.tile(tile) for tile in drawing.arrange().tiles]))
    text = drawing.description(words)
    if with_hints:
        return _figure(drawing, Html(tiles + drawing.hints()), Html(f"{text} {drawing.hints_text(words)}"))
    return _figure(drawing, tiles, text)


def placement_figure(before: Layout, play: Play, points: Points | None, words: Words) -> Html:
    """Return a placement as the table shows it. ``points`` is None for a placement that the rules refuse."""
    drawing = drawing_of(before.place(play.tile, play.place))
    tiles_on_table = drawing.arrange().tiles
    marks = Html(' class="refused"' if points is None else ' class="newest"')
    tiles = [
        drawing.tile(tile, marks if tile.order == len(tiles_on_table) - 1 else NO_MARKS) for tile in tiles_on_table
    ]
    mark = Html("") if points is None else drawing_of(before).place_mark(play, points, NO_MARKS)
    return _figure(drawing, Html("".join(tiles) + mark), drawing.description(words))


def window_around(tiles: Iterable[ArrangedTile], margin: int = MARGIN) -> tuple[int, int, int, int]:
    """Return the smallest window (x, y, width, height) that shows all tiles with a margin."""
    spots = [(laid.spot.x, laid.spot.y, *_half_size(laid)) for laid in tiles]
    x, y = min(x - half_width for x, _, half_width, _ in spots), min(y - half_height for _, y, _, half_height in spots)
    max_x, max_y = (
        max(x + half_width for x, _, half_width, _ in spots),
        max(y + half_height for _, y, _, half_height in spots),
    )
    return x - margin, y - margin, max_x - x + 2 * margin, max_y - y + 2 * margin


def _half_size(laid: ArrangedTile) -> tuple[int, int]:
    """Return half the width and half the height of a tile."""
    if len(laid.tile) == TRIANGLE:
        return TRIANGLE_SIDE // 2, TRIANGLE_HEIGHT // 2
    return (HALF, HALF // 2) if laid.spot.angle % 180 == 0 else (HALF // 2, HALF)


def _figure(drawing: Drawing[Layout], tiles: Html, text: Html) -> Html:
    """Return the drawing, with a margin of one square on a table with squares."""
    ground = drawing.ground()
    x, y, width, height = window_around(drawing.arrange().tiles, HALF if ground else MARGIN)
    size = Html(f'width="{PIXELS_PER_UNIT * width}" height="{PIXELS_PER_UNIT * height}"')
    return Html(
        f'<svg class="figure" viewBox="{x} {y} {width} {height}" {size} role="img" aria-label="{text}">'
        f"{ground}{tiles}</svg>"
    )
