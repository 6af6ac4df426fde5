"""The line with a spinner in words, and the mark on the spinner itself."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.layout.line import LineTile
from games.engine.layout.spinner import SpinnerLine
from games.engine.tiles import Tile
from games.geometry.spots import Laid
from games.html import Html
from games.rendering.pieces import NO_MARKS, bones, put, tile_name
from games.words.lookup import Words

HUB_NAME = Html("hub")
HUB = Html(
    '<g id="hub" class="hub"><circle r="5.2"/>'
    '<path d="M0-4.2L1.2-1.2 4.2 0 1.2 1.2 0 4.2-1.2 1.2-4.2 0-1.2-1.2z"/></g>'
)
"""A brass boss with a star of four points, one for each arm."""


def described(layout: SpinnerLine, words: Words) -> Html:
    """Return the open ends, then the tiles arm by arm."""
    if not layout.line:
        return words["empty_board"]
    ends = Html(", ".join([words.say(f"end_{place}", value=value) for place, value in layout.ends]))
    arms = (("line", layout.line), ("arm_up", layout.up), ("arm_down", layout.down))
    runs = [Html(f"{words[name]} {_run(tiles)}.") for name, tiles in arms if tiles]
    spinner = [words.say("spinner", tile=tile_name(layout.spinner.tile))] if layout.spinner else []
    return Html(" ".join([words.say("open_ends", ends=ends), *spinner, *runs]))


def open_ends(layout: SpinnerLine, words: Words) -> Html:
    """Return the values of the open ends, each once: ``6, 2 or 3``."""
    return words.one_of(tuple(dict.fromkeys(value for _, value in layout.ends)))


def place_text(layout: SpinnerLine, place: str, words: Words) -> Html:
    """Return the end and its value."""
    return words.say(place, value=dict(layout.ends)[place]) if place else words["place"]


def sprites(layout: SpinnerLine, tile_set: Sequence[Tile]) -> Html:
    """Return the tiles, and the mark of the spinner."""
    return Html(bones.sprites(tile_set) + HUB)


def laid_tile(layout: SpinnerLine, laid: Laid, marks: Html) -> Html:
    """Return a tile on the table, the spinner with its mark."""
    if layout.spinner is None or laid.order != layout.spinner.order:
        return bones.laid_tile(laid, marks)
    x, y, _ = laid.spot
    return Html(f"<g{marks}>{bones.laid_tile(laid, NO_MARKS)}{put(HUB_NAME, x, y)}</g>")


def _run(tiles: Sequence[LineTile]) -> Html:
    return Html(", ".join([tile_name(placed.tile) for placed in tiles]))
