"""Pictures of the games: real positions, drawn like tables. A page may show several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache, reduce
from xml.etree.ElementTree import Element, fromstring, tostring

from django.utils.safestring import SafeString

from games.engine.layout import Layout
from games.engine.variants import rules_for
from games.html import Html, mark_trusted
from games.rendering import figures
from games.rendering.layouts import drawing_of
from games.rendering.sprites import sprite_sheet
from games.words import offered_variants, words_of
from games.words.lookup import Words, words_for

SPRITE_NAME = re.compile(r"(?<=#)[\w-]+")  # in references to drawings (``#s64``, ``url(#shade)``) and in colours


def game_pictures() -> SafeString:
    """Return the pictures of all games as symbols ``picture-<key>``, for pages and lists to refer to."""
    return SafeString("".join(map(game_picture, offered_variants())))


@cache
def game_picture(variant: str) -> Html:
    """Return the symbol ``picture-<variant>`` after the sprites it uses, "" for a game without a picture.

    Its sprites get ids of their own (``_with_own_sprites``).
    """
    if not words_of(variant).picture:
        return Html("")
    figure = _parse_svg(figures.layout_figure(picture_layout(variant), words_for(variant, "en")))
    symbol = Element("symbol", {"id": "picture", "viewBox": figure.attrib["viewBox"]})
    symbol.extend(figure)
    drawings = _with_own_sprites(symbol, variant, variant)
    return mark_trusted("".join(tostring(drawing, encoding="unicode") for drawing in drawings))


@lru_cache(maxsize=256)
def small_board(layout: Layout, words: Words, name: str) -> Html:
    """Return the tiles on a table as a drawing, "" for none. A page may show several with different names."""
    if not drawing_of(layout).arrange().tiles:
        return Html("")
    figure = _parse_svg(figures.layout_figure(layout, words))
    *sprites, drawing = _with_own_sprites(figure, words.variant, name)
    board = Element("svg", drawing.attrib)
    board.extend([*sprites, *drawing])
    return mark_trusted(tostring(board, encoding="unicode"))


def _with_own_sprites(drawing: Element, variant: str, name: str) -> list[Element]:
    """Return the sprites that a drawing uses, and the drawing, all with ids that end in a name.

    ``s64`` is a different drawing in each game.
    """
    sprites = _sprites(variant)
    drawings = [*(sprites[sprite] for sprite in dict.fromkeys(_sprite_names(drawing, sprites))), drawing]
    parts = [part for element in drawings for part in element.iter()]
    ids = {part.attrib["id"]: f"{part.attrib['id']}-{name}" for part in parts if "id" in part.attrib}
    return [_with_ids(element, ids) for element in drawings]


@cache
def _sprites(variant: str) -> dict[str, Element]:
    return {sprite.attrib["id"]: sprite for sprite in _parse_svg(sprite_sheet(variant))[0]}


def picture_layout(variant: str) -> Layout:
    """Return the layout after the moves of the picture. Raises ``ValueError`` if one of them is no placement."""
    return reduce(_with_placement, words_of(variant).picture, rules_for(variant).layout)


def _with_placement(layout: Layout, move: str) -> Layout:
    placement = layout.read(move)
    if placement is None:
        raise ValueError(move)
    return layout.place(*placement)


def _sprite_names(drawing: Element, sprites: Mapping[str, Element]) -> Iterator[str]:
    """Yield the names of the sprites that a drawing refers to, directly or through other sprites."""
    for element in drawing.iter():
        for name in SPRITE_NAME.findall(" ".join(element.attrib.values())):
            if name in sprites:
                yield name
                yield from _sprite_names(sprites[name], sprites)


def _with_ids(drawing: Element, ids: Mapping[str, str]) -> Element:
    """Return a copy with new ids."""
    attributes = {
        key: ids[value] if key == "id" else SPRITE_NAME.sub(lambda match: ids.get(match[0], match[0]), value)
        for key, value in drawing.attrib.items()
    }
    copy = Element(drawing.tag, attributes)
    copy.text, copy.tail = drawing.text, drawing.tail
    copy.extend(_with_ids(child, ids) for child in drawing)
    return copy


def _parse_svg(html: str) -> Element:
    return fromstring(html)  # noqa: S314 (built by this package)
