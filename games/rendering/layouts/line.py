"""The line of play in words."""

from __future__ import annotations

from games.engine.layout.line import LEFT, RIGHT, Line
from games.html import Html, escape
from games.rendering.pieces import tile_name
from games.words.lookup import Words


def described(layout: Line, words: Words) -> Html:
    """Return the open ends and the tiles from left to right."""
    if layout.left is None or layout.right is None:
        return words["empty_board"]
    ends = words.say("ends", left=layout.left, right=layout.right)
    return Html(f"{ends} {words['line']} {', '.join([tile_name(placed.tile) for placed in layout.tiles])}")


def open_ends(layout: Line, words: Words) -> Html:
    """Return the values of both ends."""
    if layout.left is None or layout.right is None:
        return Html("")
    if layout.left == layout.right:
        return escape(layout.left)
    return words.say("or", one=layout.left, other=layout.right)


def place_text(layout: Line, place: str, words: Words) -> Html:
    """Return the end and its value."""
    if place == LEFT and layout.left is not None:
        return words.say("left", value=layout.left)
    if place == RIGHT and layout.right is not None:
        return words.say("right", value=layout.right)
    return words["place"]
