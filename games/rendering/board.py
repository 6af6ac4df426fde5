"""The tiles on the table, and the marks where the chosen tile would go."""

from __future__ import annotations

from games.engine.moves import Play
from games.engine.view import View
from games.geometry import arrange
from games.geometry.spots import Arrangement, Laid
from games.html import Html, escape
from games.rendering.layouts import described, ground, hints, hints_text, laid_tile, place_mark, scale
from games.words.lookup import Words, words_for


def board(view: View | None, words: Words) -> Html:
    """Return the table itself. Only the last tile has a class, so only it is animated when it is new."""
    layout = words.rules.layout if view is None else view.round.layout
    drawn = arrange(layout)
    by = view.round.plays[-1].seat if view is not None and view.round.plays else None
    newest = len(drawn.tiles) - 1 if by is not None else None
    tiles = Html("".join([laid_tile(layout, laid, _marks(laid, newest, by)) for laid in drawn.tiles]))
    return Html(
        f'<div id="board" class="board"><svg viewBox="{window(drawn)}" aria-hidden="true">'
        f'<g id="camera" transform="{camera(drawn)}">{ground(layout, words)}{tiles}{_flash(view, drawn)}</g></svg>'
        f'{_tally(view, words)}<p id="board-text" class="visually-hidden">{described(layout, words)}</p></div>'
    )


def spots(view: View | None, words: Words, plays: list[Play]) -> Html:
    """Return the marks of the chosen tile's placements. They are for pointers only: the hand has them as buttons."""
    layout = words.rules.layout if view is None else view.round.layout
    drawn = arrange(layout)
    marks = [] if view is None else [_spot(view, play, words) for play in plays]
    return Html(
        f'<svg id="spots" class="spots" viewBox="{window(drawn)}" aria-hidden="true">'
        f'<g transform="{camera(drawn)}">{"".join(marks)}{scale(layout) if marks else ""}</g></svg>'
    )


def _spot(view: View, play: Play, words: Words) -> Html:
    """Return the mark of one placement, with what it scores."""
    points = words.rules.play_points(view.round, play)
    return place_mark(view.round.layout, play, points, escape(words.rules.move_text(play)))


def offers_hints(variant: str, language: str) -> bool:
    """Return whether tables of a variant have hints: which numbers may still come where."""
    words = words_for(variant, language)
    return bool(hints(words.rules.layout, words))


def hint_layer(view: View | None, words: Words, *, asked: bool) -> Html:
    """Return the hints as an overlay of the board and in words, empty for viewers who did not ask for them."""
    layout = words.rules.layout if view is None else view.round.layout
    layer = Html(hints(layout, words) if asked else "")
    if not layer:
        return Html('<div id="hints"></div>')
    drawn = arrange(layout)
    return Html(
        f'<div id="hints"><svg viewBox="{window(drawn)}" aria-hidden="true">'
        f'<g id="hints-camera" transform="{camera(drawn)}">{layer}</g></svg>'
        f'<p class="visually-hidden">{hints_text(layout, words)}</p></div>'
    )


def window(drawn: Arrangement) -> Html:
    """Return the window of a drawing as a viewBox."""
    x, y, width, height = drawn.window
    return Html(f"{x} {y} {width} {height}")


def camera(drawn: Arrangement) -> Html:
    """Return the transformation that brings a drawing into its window."""
    x, y = drawn.shift
    moved = Html(f"translate({x} {y})")
    return Html(moved if drawn.scale == 1 else f"scale({drawn.scale:.3f}){moved}")


def _tally(view: View | None, words: Words) -> Html:
    """Return the running count of the table with its sum. Each has its own id, so that screen readers announce it."""
    text = "" if view is None else words.rules.count_text(view.round)
    if view is None or not text:
        return Html("")
    terms, _, total = text.rpartition(" = ")
    marks = Html(' class="tally scored"' if _scored(view) else ' class="tally"')
    sign = Html(f"{escape(terms)} = " if terms != total else "")
    return Html(
        f'<p id="tally{len(view.round.plays)}"{marks}><span>{words["count"]}</span> {sign}<b>{escape(total)}</b></p>'
    )


def _flash(view: View | None, drawn: Arrangement) -> Html:
    """Return the points that rise from the last tile if it scored. The status says the same in words."""
    points = 0 if view is None else _scored(view)
    if view is None or not points:
        return Html("")
    x, y, _ = drawn.tiles[-1].spot
    size = Html(f"scale({1 / drawn.scale:.2f})" if drawn.scale < 1 else "")
    mark = Html(f'<circle r="30"/><text>+{points}</text>')
    return Html(
        f'<g transform="translate({x} {y}){size}"><g id="flash{len(view.round.plays)}" class="flash">{mark}</g></g>'
    )


def _scored(view: View) -> int:
    """Return the points of the last move if it was a placement, otherwise 0."""
    return view.round.plays[-1].points.total if view.round.moves and view.round.moves[-1].act == "play" else 0


def _marks(laid: Laid, newest: int | None, by: int | None) -> Html:
    marks = Html(f' id="t{laid.order}"')
    return marks if by is None or laid.order != newest else Html(f'{marks} class="last by{by}"')
