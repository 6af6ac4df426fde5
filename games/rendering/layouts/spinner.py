"""The line with a spinner in words, and the mark on the spinner itself."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.layout.line import Placed
from games.engine.layout.spinner import SpinnerLine
from games.engine.tiles import Tile, tile_text
from games.geometry.spots import Laid
from games.rendering.pieces import bones
from games.words.lookup import Words

HUB = (
    '<g id="hub" class="hub"><circle r="5.2"/>'
    '<path d="M0-4.2L1.2-1.2 4.2 0 1.2 1.2 0 4.2-1.2 1.2-4.2 0-1.2-1.2z"/></g>'
)
"""A brass boss with a star of four points, one for each arm."""


def described(layout: SpinnerLine, words: Words) -> str:
    """Return the open ends, then the tiles arm by arm."""
    if not layout.line:
        return words["empty_board"]
    ends = ", ".join([words[f"end_{place}"] % {"value": value} for place, value in layout.ends])
    arms = (("line", layout.line), ("arm_up", layout.up), ("arm_down", layout.down))
    runs = [f"{words[name]} {_run(tiles)}." for name, tiles in arms if tiles]
    spinner = [words["spinner"] % {"tile": tile_text(layout.spinner.tile)}] if layout.spinner else []
    return " ".join([words["open_ends"] % {"ends": ends}, *spinner, *runs])


def open_ends(layout: SpinnerLine, words: Words) -> str:
    """Return the values of the open ends, each once: ``6, 2 or 3``."""
    return words.one_of(tuple(dict.fromkeys(value for _, value in layout.ends)))


def place_text(layout: SpinnerLine, place: str, words: Words) -> str:
    """Return the end and its value."""
    return words[place] % {"value": dict(layout.ends)[place]} if place else words["place"]


def sprites(layout: SpinnerLine, tile_set: Sequence[Tile]) -> str:
    """Return the tiles, and the mark of the spinner."""
    return bones.sprites(tile_set) + HUB


def laid_tile(layout: SpinnerLine, laid: Laid, marks: str) -> str:
    """Return a tile on the table, the spinner with its mark."""
    if layout.spinner is None or laid.order != layout.spinner.order:
        return bones.laid_tile(laid, marks)
    x, y, _ = laid.spot
    return f'<g{marks}>{bones.laid_tile(laid, "")}<use href="#hub" x="{x}" y="{y}"/></g>'


def _run(tiles: Sequence[Placed]) -> str:
    return ", ".join([tile_text(placed.tile) for placed in tiles])
