"""The line with a spinner: the positions of its tiles, its description, and the mark on the spinner."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.layout.line import LineTile
from games.engine.layout.spinner import SpinnerLine
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry.spinner import arrange, spot_of_placement
from games.geometry.spots import SHAPES, ArrangedTile, Arrangement, Shape, Spot
from games.html import Html
from games.rendering.layouts.drawing import Drawing
from games.rendering.pieces import NO_MARKS, bones, tile_name, use_sprite
from games.words.lookup import Words

HUB_NAME = Html("hub")
# A brass boss with a four-pointed star, one point for each arm.
HUB_SPRITE = Html(
    '<g id="hub" class="hub"><circle r="5.2"/>'
    '<path d="M0-4.2L1.2-1.2 4.2 0 1.2 1.2 0 4.2-1.2 1.2-4.2 0-1.2-1.2z"/></g>'
)


class SpinnerDrawing(Drawing[SpinnerLine]):
    """Draws a line with a spinner."""

    shapes = SHAPES

    def arrange(self, shape: Shape = Shape.EVEN) -> Arrangement:
        return arrange(self.layout, shape)

    def spot(self, play: Play, shape: Shape = Shape.EVEN) -> Spot:
        return spot_of_placement(self.layout, play.tile, play.place, shape)

    def description(self, words: Words) -> Html:
        """List the open ends, then the tiles arm by arm."""
        layout = self.layout
        if not layout.line:
            return words["empty_board"]
        ends = Html(", ".join([words.fill(f"end_{place}", value=value) for place, value in layout.ends]))
        arms = (("line", layout.line), ("arm_up", layout.up), ("arm_down", layout.down))
        runs = [Html(f"{words[name]} {_tile_list(tiles)}.") for name, tiles in arms if tiles]
        spinner = [words.fill("spinner", tile=tile_name(layout.spinner.tile))] if layout.spinner else []
        return Html(" ".join([words.fill("open_ends", ends=ends), *spinner, *runs]))

    def open_ends(self, words: Words) -> Html:
        """Return each open value once: ``6, 2 or 3``."""
        return words.one_of(tuple(dict.fromkeys(value for _, value in self.layout.ends)))

    def place_name(self, place: str, words: Words) -> Html:
        return words.fill(place, value=dict(self.layout.ends)[place]) if place else words["place"]

    @staticmethod
    def sprites(tile_set: Sequence[Tile]) -> Html:
        return Html(bones.sprites(tile_set) + HUB_SPRITE)

    def tile(self, laid: ArrangedTile, marks: Html = NO_MARKS) -> Html:
        spinner = self.layout.spinner
        if spinner is None or laid.order != spinner.order:
            return bones.laid_tile(laid, marks)
        x, y, _ = laid.spot
        return Html(f"<g{marks}>{bones.laid_tile(laid, NO_MARKS)}{use_sprite(HUB_NAME, x, y)}</g>")


def _tile_list(tiles: Sequence[LineTile]) -> Html:
    return Html(", ".join([tile_name(placed.tile) for placed in tiles]))
