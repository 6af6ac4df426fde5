"""The line of play: where its tiles lie, and its description."""

from __future__ import annotations

from games.engine.layout.line import LEFT, RIGHT, Line
from games.engine.moves import Play
from games.geometry.line import arrange, spot_of
from games.geometry.spots import SHAPES, Arrangement, Shape, Spot
from games.html import Html, escape
from games.rendering.layouts.drawing import Drawing
from games.rendering.pieces import tile_name
from games.words.lookup import Words


class LineDrawing(Drawing[Line]):
    """Draws a line."""

    shapes = SHAPES

    def arrange(self, shape: Shape = Shape.EVEN) -> Arrangement:
        return arrange(self.layout, shape)

    def spot(self, play: Play, shape: Shape = Shape.EVEN) -> Spot:
        return spot_of(self.layout, play.tile, play.place, shape)

    def description(self, words: Words) -> Html:
        """List the open ends, then the tiles from left to right."""
        left, right = self.layout.left_end, self.layout.right_end
        if left is None or right is None:
            return words["empty_board"]
        ends = words.say("ends", left=left, right=right)
        tiles = Html(", ".join([tile_name(placed.tile) for placed in self.layout.tiles]))
        return Html(f"{ends} {words['line']} {tiles}")

    def open_ends(self, words: Words) -> Html:
        left, right = self.layout.left_end, self.layout.right_end
        if left is None or right is None:
            return Html("")
        return escape(left) if left == right else words.say("or", one=left, other=right)

    def place_name(self, place: str, words: Words) -> Html:
        left, right = self.layout.left_end, self.layout.right_end
        if place == LEFT and left is not None:
            return words.say("left", value=left)
        if place == RIGHT and right is not None:
            return words.say("right", value=right)
        return words["place"]
