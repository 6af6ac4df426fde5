"""What a layout says in words. One implementation a layout family, found by type."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from games.engine.layout.line import LEFT, RIGHT, Line
from games.engine.tiles import tile_text
from games.wording import Words


@singledispatch
def described(layout: Any, words: Words) -> str:
    """Return the whole layout for people who do not see it, as HTML."""
    return words["board"]


@singledispatch
def open_ends(layout: Any, words: Words) -> str:
    """Return the values one may play on (``6 or 2``), "" where there are none or too many to name."""
    return ""


@singledispatch
def place_text(layout: Any, place: str, words: Words) -> str:
    """Return the name of a place as a button: ``Left, on 6``."""
    return words["place"]


@described.register
def _(layout: Line, words: Words) -> str:
    if not layout.tiles:
        return words["empty_board"]
    ends = words["ends"] % {"left": layout.left, "right": layout.right}
    return f"{ends} {words['line']} {', '.join([tile_text(placed.tile) for placed in layout.tiles])}"


@open_ends.register
def _(layout: Line, words: Words) -> str:
    if layout.left is None:
        return ""
    if layout.left == layout.right:
        return str(layout.left)
    return words["or"] % {"one": layout.left, "other": layout.right}


@place_text.register
def _(layout: Line, place: str, words: Words) -> str:
    if place == LEFT:
        return words["left"] % {"value": layout.left}
    if place == RIGHT:
        return words["right"] % {"value": layout.right}
    return words["place"]
