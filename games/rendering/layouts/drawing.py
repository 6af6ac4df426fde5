"""The interface of a layout family to the table: coordinates, markup and descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from games.engine.events import Points
from games.engine.layout import Layout
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry.spots import ArrangedTile, Arrangement, Shape, Spot
from games.html import Html
from games.rendering.pieces import NO_MARKS, bones, tile_name
from games.words.lookup import Words

Layout_co = TypeVar("Layout_co", bound=Layout, covariant=True)


class Drawing(Generic[Layout_co]):
    """Draws and describes one layout. A family overrides what differs from the common case."""

    shapes: ClassVar[tuple[Shape, ...]] = (Shape.EVEN,)  # the shapes of felt that get a drawing of their own
    has_previews: ClassVar[bool] = False  # even a tile that fits in only one place is previewed there first
    has_hints: ClassVar[bool] = False  # players can see which numbers still fit where

    def __init__(self, layout: Layout_co) -> None:
        self.layout = layout

    def arrange(self, shape: Shape = Shape.EVEN) -> Arrangement:
        """Return the position of every tile."""
        raise NotImplementedError

    def spot(self, play: Play, shape: Shape = Shape.EVEN) -> Spot:
        """Return the position that a tile would get."""
        raise NotImplementedError

    def description(self, words: Words) -> Html:
        """Describe the whole layout for screen readers, as HTML."""
        raise NotImplementedError

    def final_description(self, words: Words) -> Html:
        """Describe the layout after the round, without what would fit."""
        return self.description(words)

    def open_ends(self, words: Words) -> Html:
        """Return the values to play on (``6 or 2``), "" if there are none or too many to name."""
        return Html("")

    def place_name(self, place: str, words: Words) -> Html:
        """Return the label of a place's button: ``Left, on 6``."""
        return words["place"]

    def built_figure(self, place: str, words: Words) -> Html:
        """Return the name of the figure that a tile would complete at a place, such as ``bridge``, or ""."""
        return Html("")

    def impossible_moves(self, hand: Sequence[Tile]) -> tuple[str, ...]:
        """Return an illegal move for each tile, whose refusal explains why the tile does not fit."""
        return tuple(map(tile_name, hand))

    @staticmethod
    def sprites(tile_set: Sequence[Tile]) -> Html:
        """Return the drawings of all tiles, of a face-down row (``#backs``) and of a place (``#slot``)."""
        return bones.sprites(tile_set)

    def tile(self, laid: ArrangedTile, marks: Html = NO_MARKS) -> Html:
        """Return a tile on the table. ``marks`` are attributes of its element."""
        return bones.laid_tile(laid, marks)

    def ghost(self, play: Play, shape: Shape = Shape.EVEN) -> Html:
        """Return a tile as it would lie at its place."""
        return bones.laid_tile(ArrangedTile(play.tile, self.spot(play, shape), 0), NO_MARKS)

    def ground(self) -> Html:
        """Return the drawing below the tiles."""
        return Html("")

    def font_size(self) -> Html:
        """Return the size of the figures at places as an attribute, "" if places have no figures."""
        return Html("")

    def axis_labels(self) -> Html:
        """Return the numbers of rows and columns around the tiles, "" if places are named otherwise."""
        return Html("")

    def hints(self) -> Html:
        """Return the numbers that still fit on free squares, drawn over the tiles. Only if ``has_hints``."""
        return Html("")

    def hints_text(self, words: Words) -> Html:
        """Return the hints in words, as HTML."""
        return Html("")

    def place_mark(
        self, play: Play, points: Points, move: Html, shape: Shape = Shape.EVEN, *, already_marked: bool = False
    ) -> Html:
        """Return the mark of one placement of the chosen tile. Pressing the element with ``data-move`` plays it.

        An element of class ``look`` holds the preview. ``already_marked``: the tile already has a mark on these
        squares, turned another way, so this mark omits the parts that both ways share.
        """
        x, y, angle = self.spot(play, shape)
        return Html(
            f'<use class="place" href="#slot" data-move="{move}" transform="translate({x} {y})rotate({angle})"/>'
        )
