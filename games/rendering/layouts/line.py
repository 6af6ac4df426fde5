"""The line of play: the positions of its tiles, and its description."""

from __future__ import annotations

from games.engine.layout.line import LEFT, RIGHT, Line
from games.engine.moves import Play
from games.geometry.line import arrange, spot_of_placement
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
        return spot_of_placement(self.layout, play.tile, play.place, shape)

    def description(self, words: Words) -> Html:
        """List the open ends, then the tiles from left to right."""
        layout = self.layout
        if layout.left_end is None or layout.right_end is None:
            return words["empty_board"]
        ends = words.fill("ends", left=layout.left_end, right=layout.right_end)
        tiles = Html(", ".join([tile_name(placed.tile) for placed in layout.tiles]))
        return Html(f"{ends} {words['line']} {tiles}")

    def open_ends(self, words: Words) -> Html:
        layout = self.layout
        if layout.left_end is None or layout.right_end is None:
            return Html("")
        if layout.left_end == layout.right_end:
            return escape(layout.left_end)
        return words.fill("or", one=layout.left_end, other=layout.right_end)

    def place_name(self, place: str, words: Words) -> Html:
        if place == LEFT and self.layout.left_end is not None:
            return words.fill("left", value=self.layout.left_end)
        if place == RIGHT and self.layout.right_end is not None:
            return words.fill("right", value=self.layout.right_end)
        return words["place"]
