"""The tiles on the table, and the marks where the chosen tile would go."""

from __future__ import annotations

from html import escape

from games.engine.moves import Play
from games.engine.view import View
from games.geometry import arrange
from games.geometry.spots import Arrangement, Laid
from games.rendering.layouts import described, ground, hints, hints_text, laid_tile, place_mark, scale
from games.words.lookup import Words, words_for


def board(view: View | None, words: Words) -> str:
    """Return the table itself. Only the tile laid last carries a class, so only it moves when it is new."""
    layout = words.rules.layout if view is None else view.round.layout
    drawn = arrange(layout)
    by = view.round.plays[-1].seat if view is not None and view.round.plays else None
    newest = len(drawn.tiles) - 1 if by is not None else None
    tiles = "".join([laid_tile(layout, laid, _marks(laid, newest, by)) for laid in drawn.tiles])
    return (
        f'<div id="board" class="board"><svg viewBox="{window(drawn)}" aria-hidden="true">'
        f'<g id="camera" transform="{camera(drawn)}">{ground(layout, words)}{tiles}{_flash(view, drawn)}</g></svg>'
        f'{_tally(view, words)}<p id="board-text" class="visually-hidden">{described(layout, words)}</p></div>'
    )


def spots(view: View | None, words: Words, plays: list[Play]) -> str:
    """Return the marks of the chosen tile's placements, pressed by pointer only: the hand has them as buttons."""
    rules = words.rules
    layout = rules.layout if view is None else view.round.layout
    drawn = arrange(layout)
    marks = [place_mark(layout, play, rules.play_points(layout, play), rules.move_text(play)) for play in plays]
    return (
        f'<svg id="spots" class="spots" viewBox="{window(drawn)}" aria-hidden="true">'
        f'<g transform="{camera(drawn)}">{"".join(marks)}{scale(layout) if marks else ""}</g></svg>'
    )


def offers_hints(variant: str, language: str) -> bool:
    """Tell whether the tables of a variant can show what may still come where."""
    words = words_for(variant, language)
    return bool(hints(words.rules.layout, words))


def hint_layer(view: View | None, words: Words, *, asked: bool) -> str:
    """Return what may still come where, as an overlay of the board and in words; empty for who did not ask."""
    layout = words.rules.layout if view is None else view.round.layout
    layer = hints(layout, words) if asked else ""
    if not layer:
        return '<div id="hints"></div>'
    drawn = arrange(layout)
    return (
        f'<div id="hints"><svg viewBox="{window(drawn)}" aria-hidden="true">'
        f'<g id="hints-camera" transform="{camera(drawn)}">{layer}</g></svg>'
        f'<p class="visually-hidden">{hints_text(layout, words)}</p></div>'
    )


def window(drawn: Arrangement) -> str:
    """Return what is seen of a drawing, as a viewBox."""
    return "{} {} {} {}".format(*drawn.window)


def camera(drawn: Arrangement) -> str:
    """Return how the whole drawing is moved to stay inside its window."""
    moved = "translate({} {})".format(*drawn.shift)
    return moved if drawn.scale == 1 else f"scale({drawn.scale:.3f}){moved}"


def _tally(view: View | None, words: Words) -> str:
    """Return the running count of the table with its sum. Each has an id of its own, so what it says comes anew."""
    text = "" if view is None else words.rules.count_text(view.round.layout)
    if view is None or not text:
        return ""
    terms, _, total = text.rpartition(" = ")
    marks = ' class="tally scored"' if _scored(view) else ' class="tally"'
    sign = f"{escape(terms)} = " if terms != total else ""
    return (
        f'<p id="tally{len(view.round.plays)}"{marks}><span>{words["count"]}</span> {sign}<b>{escape(total)}</b></p>'
    )


def _flash(view: View | None, drawn: Arrangement) -> str:
    """Return what rises from the tile laid last when it scored. The sentence in the status says the same."""
    points = 0 if view is None else _scored(view)
    if view is None or not points:
        return ""
    x, y, _ = drawn.tiles[-1].spot
    size = f"scale({1 / drawn.scale:.2f})" if drawn.scale < 1 else ""
    mark = f'<circle r="30"/><text>+{points}</text>'
    return f'<g transform="translate({x} {y}){size}"><g id="flash{len(view.round.plays)}" class="flash">{mark}</g></g>'


def _scored(view: View) -> int:
    """Return the points of the placement made last, 0 after any other move."""
    return view.round.plays[-1].points.total if view.round.steps and view.round.steps[-1].act == "play" else 0


def _marks(laid: Laid, newest: int | None, by: int | None) -> str:
    marks = f' id="t{laid.order}"'
    return f'{marks} class="last by{by}"' if laid.order == newest else marks
