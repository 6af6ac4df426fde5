"""How layout families differ in drawings and descriptions: one module for each family.

The functions here find the family by the type of the layout, and hold the common case for those without their own.
A family with much to draw has a second module, for its marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from games.engine.events import Points
from games.engine.moves import Play
from games.engine.tiles import Tile
from games.geometry import spot_of
from games.geometry.families import take_up
from games.geometry.spots import Laid, Shape
from games.html import Html
from games.rendering.pieces import NO_MARKS, bones, tile_name
from games.words.lookup import Words


@singledispatch
def described(layout: Any, words: Words) -> Html:
    """Return the whole layout for people who do not see it, as HTML."""
    return words["board"]


@singledispatch
def described_over(layout: Any, words: Words) -> Html:
    """Return the same once a round is over, when nobody asks what fits."""
    return described(layout, words)


@singledispatch
def open_ends(layout: Any, words: Words) -> Html:
    """Return the values one may play on (``6 or 2``), "" where there are none or too many to name."""
    return Html("")


@singledispatch
def place_text(layout: Any, place: str, words: Words) -> Html:
    """Return the name of a place as a button: ``Left, on 6``."""
    return words["place"]


@singledispatch
def built(layout: Any, place: str, words: Words) -> Html:
    """Return the name of what a tile builds at a place, such as ``bridge``, or ""."""
    return Html("")


@singledispatch
def vain_moves(layout: Any, held: tuple[Tile, ...]) -> tuple[str, ...]:
    """Return for each tile its move as if it fitted nowhere, so that the refusal cites the rule."""
    return tuple(map(tile_name, held))


@singledispatch
def tried(layout: Any) -> bool:
    """Return whether placements have a preview: then a tile asks for its place even if there is only one."""
    return False


@singledispatch
def sprites(layout: Any, tile_set: Sequence[Tile]) -> Html:
    """Return the drawings of every tile of the set, of a row face down (``#backs``) and of a place (``#slot``)."""
    return bones.sprites(tile_set)


@singledispatch
def laid_tile(layout: Any, laid: Laid, marks: Html) -> Html:
    """Return a tile on the table. ``marks`` are attributes of its element."""
    return bones.laid_tile(laid, marks)


@singledispatch
def ghost(layout: Any, play: Play, shape: Shape = Shape.EVEN) -> Html:
    """Return a tile as it would lie at its place."""
    return bones.laid_tile(Laid(play.tile, spot_of(layout, play.tile, play.place, shape), 0), NO_MARKS)


@singledispatch
def ground(layout: Any, words: Words) -> Html:
    """Return what is drawn below the tiles."""
    return Html("")


@singledispatch
def figures(layout: Any) -> Html:
    """Return the size of the figures at places as an attribute, "" where places have none."""
    return Html("")


@singledispatch
def scale(layout: Any) -> Html:
    """Return the numbers of rows and columns, drawn around the tiles, "" where places have other names."""
    return Html("")


@singledispatch
def hints(layout: Any, words: Words) -> Html:
    """Return the hints (which numbers may still come where), drawn over the tiles, "" in games without.

    Whether a table offers hints is asked of the empty layout, so it must not depend on the tiles.
    """
    return Html("")


@singledispatch
def hints_text(layout: Any, words: Words) -> Html:
    """Return the hints in words, as HTML."""
    return Html("")


@singledispatch
def place_mark(
    layout: Any, play: Play, points: Points, move: Html, shape: Shape = Shape.EVEN, *, again: bool = False
) -> Html:
    """Return the mark of one placement of the chosen tile. Its element carries ``data-move`` and is pressed to play.

    What is shown only in the preview goes into an element of class ``look``. ``again``: the tile has a mark
    there already, laid another way, which shows what all ways have in common.
    """
    x, y, angle = spot_of(layout, play.tile, play.place, shape)
    return Html(f'<use class="place" href="#slot" data-move="{move}" transform="translate({x} {y})rotate({angle})"/>')


take_up(
    __name__,
    __path__,
    described,
    described_over,
    open_ends,
    place_text,
    built,
    vain_moves,
    tried,
    sprites,
    laid_tile,
    ghost,
    ground,
    figures,
    scale,
    hints,
    hints_text,
    place_mark,
)
