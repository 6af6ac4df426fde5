"""The line of play in words."""

from __future__ import annotations

from games.engine.layout.line import LEFT, RIGHT, Line
from games.engine.tiles import tile_text
from games.words.lookup import Words


def described(layout: Line, words: Words) -> str:
    """Return the open ends and the tiles from left to right."""
    if not layout.tiles:
        return words["empty_board"]
    ends = words["ends"] % {"left": layout.left, "right": layout.right}
    return f"{ends} {words['line']} {', '.join([tile_text(placed.tile) for placed in layout.tiles])}"


def open_ends(layout: Line, words: Words) -> str:
    """Return the values of both ends."""
    if layout.left is None:
        return ""
    if layout.left == layout.right:
        return str(layout.left)
    return words["or"] % {"one": layout.left, "other": layout.right}


def place_text(layout: Line, place: str, words: Words) -> str:
    """Return the end and its value."""
    if place == LEFT:
        return words["left"] % {"value": layout.left}
    if place == RIGHT:
        return words["right"] % {"value": layout.right}
    return words["place"]
