"""The board: the tiles on the table, the marks of the chosen tile's places, and hints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from games.engine.events import Points
from games.engine.layout import Layout
from games.engine.moves import Play
from games.engine.variants import rules_for
from games.engine.view import View
from games.geometry.spots import Arrangement, Shape
from games.html import Html, escape
from games.rendering.layouts import drawing_of
from games.rendering.layouts.drawing import Drawing
from games.rendering.pieces import NO_MARKS
from games.words.lookup import Words

NO_SPOTS = Html('<div id="spots"></div>')


def board_html(view: View | None, words: Words, shape: Shape | None = None) -> Html:
    """Return the board, arranged for one shape of felt or, if the shape is unknown, for every shape."""
    drawing = drawing_of(_visible_layout(view, words))
    drawings = Html(
        "".join([_drawing_html(view, drawing, drawn_shape) for drawn_shape in _drawn_shapes(drawing, shape)])
    )
    is_over = view is not None and view.round.over is not None
    description = drawing.final_description(words) if is_over else drawing.description(words)
    return Html(f'<div id="board">{drawings}{_open_ends_sum(view, words)}<p id="board-text">{description}</p></div>')


def _drawing_html(view: View | None, drawing: Drawing[Layout], shape: Shape) -> Html:
    """Return the drawing for a shape of felt.

    The element after the tiles names the seat of the last play, and holds the points that rise from it. Its id counts
    the tiles, so that a morph keeps the elements of the old tiles and inserts the new one. Ids have a prefix for the
    shape, because a page may hold a drawing for each.
    """
    arrangement = drawing.arrange(shape)
    prefix = Html("" if shape is Shape.EVEN else f"{escape(shape)}-")
    ground = drawing.ground()
    ground_layer = Html(f'<g id="{prefix}ground">{ground}</g>' if ground else "")
    plays = () if view is None else view.round.plays
    seat_mark = Html(f' data-by="{plays[-1].seat}"' if plays else "")
    end_layer = Html(f'<g id="{prefix}t{len(arrangement.tiles)}"{seat_mark}>{_rising_points(view, arrangement)}</g>')
    return Html(
        f'{_svg_tag(drawing, shape)}<g id="{prefix}camera">'
        f"{ground_layer}{_tiles_html(drawing.layout, shape)}{end_layer}</g></svg>"
    )


def _svg_tag(drawing: Drawing[Layout], shape: Shape) -> Html:
    """Return the opening tag of a drawing. ``board.css`` shows the one whose class fits the felt."""
    x, y, width, height = drawing.arrange(shape).window
    classes = Html(f' class="{escape(shape)}"' if len(drawing.shapes) > 1 else "")
    return Html(f'<svg{classes} viewBox="{x} {y} {width} {height}" aria-hidden="true">')


@lru_cache(maxsize=512)
def _tiles_html(layout: Layout, shape: Shape) -> Html:
    """Return the tiles on the table, rendered once for all audiences and languages."""
    drawing = drawing_of(layout)
    return Html("".join([drawing.tile(laid) for laid in drawing.arrange(shape).tiles]))


def ghost_tiles(layout: Layout, play: Play) -> Html:
    """Return drawings, one for each shape of felt, of a tile as it would lie at its place."""
    drawing = drawing_of(layout)
    return Html("".join([f"{_svg_tag(drawing, shape)}{drawing.ghost(play, shape)}</svg>" for shape in drawing.shapes]))


def spots_html(view: View | None, words: Words, places: Mapping[Play, Points], shape: Shape | None = None) -> Html:
    """Return the marks of the chosen tile's places. ``places`` maps placements to their points.

    They are for pointers only: the hand has them as buttons.
    """
    if view is None or not places:
        return NO_SPOTS
    drawing = drawing_of(view.round.layout)
    # If the felt is known, a script names the places on the table, so the axis labels are not needed.
    labels = drawing.axis_labels() if shape is None else NO_MARKS
    drawings = Html(
        "".join(
            [
                _place_marks(drawing, places, words, drawn_shape, labels)
                for drawn_shape in _drawn_shapes(drawing, shape)
            ]
        )
    )
    return Html(f'<div id="spots">{drawings}</div>')


def _place_marks(
    drawing: Drawing[Layout], places: Mapping[Play, Points], words: Words, shape: Shape, labels: Html
) -> Html:
    squares = [play.place.partition("=")[0] for play in places]
    marks = [
        drawing.place_mark(
            play, points, escape(words.rules.move_text(play)), shape, already_marked=squares[index] in squares[:index]
        )
        for index, (play, points) in enumerate(places.items())
    ]
    return Html(f"{_svg_tag(drawing, shape)}<g{drawing.font_size()}>{''.join(marks)}{labels}</g></svg>")


def _visible_layout(view: View | None, words: Words) -> Layout:
    return words.rules.layout if view is None else view.round.layout


def shape_of(variant: str, shape: Shape) -> Shape:
    """Return the shape that the variant is drawn for on such a felt: most games have only one drawing."""
    return shape if shape in drawing_of(rules_for(variant).layout).shapes else Shape.EVEN


def _drawn_shapes(drawing: Drawing[Layout], shape: Shape | None) -> tuple[Shape, ...]:
    """Return the shapes to draw: the requested one if this family has it, otherwise all."""
    return (shape,) if shape in drawing.shapes else drawing.shapes


def offers_hints(variant: str) -> bool:
    """Return True if a variant has hints: the numbers that still fit on free squares."""
    return drawing_of(rules_for(variant).layout).has_hints


def hint_layer(view: View | None, words: Words) -> Html:
    """Return the hints as an overlay of the board and in words."""
    drawing = drawing_of(_visible_layout(view, words))
    return Html(
        f'<div id="hints">{_svg_tag(drawing, Shape.EVEN)}<g id="hints-camera">{drawing.hints()}</g></svg>'
        f'<p class="visually-hidden">{drawing.hints_text(words)}</p></div>'
    )


def _open_ends_sum(view: View | None, words: Words) -> Html:
    """Return the sum of the open ends, "" in games without one. Its element is empty before the first tile.

    Every move gives the sum a new id, so that screen readers announce it.
    """
    if not words.rules.counts_ends:
        return Html("")
    text = "" if view is None else words.rules.ends_count_text(view.round)
    if view is None or not text:
        return Html('<div id="tally"></div>')
    terms, _, total = text.rpartition(" = ")
    marks = Html(' class="tally scored"' if _points_of_last_tile(view) else ' class="tally"')
    sign = Html(f"{escape(terms)} = " if terms != total else "")
    count = Html(f"<span>{words['count']}</span> {sign}<b>{escape(total)}</b>")
    return Html(f'<div id="tally"><p id="tally{len(view.round.plays)}"{marks}>{count}</p></div>')


def _rising_points(view: View | None, arrangement: Arrangement) -> Html:
    """Return the points that rise from the last tile if it scored. The status has them in words."""
    points = 0 if view is None else _points_of_last_tile(view)
    if not points:
        return Html("")
    x, y, _ = arrangement.tiles[-1].spot
    size = Html(f"scale({1 / arrangement.scale:.3g})" if arrangement.scale < 1 else "")
    mark = Html(f"<circle/><text>+{points}</text>")
    return Html(f'<g class="flash" transform="translate({x} {y}){size}">{mark}</g>')


def _points_of_last_tile(view: View) -> int:
    """Return the points of the last move if it was a placement, otherwise 0."""
    return view.round.plays[-1].points.total if view.round.moves and view.round.moves[-1].act == "play" else 0
