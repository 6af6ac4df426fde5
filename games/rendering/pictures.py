"""Pictures of the games: real positions, drawn like tables. A page may show several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from xml.etree.ElementTree import Element, fromstring, tostring

from django.utils.safestring import SafeString

from games.engine.layout import Layout
from games.engine.variants import rules_for
from games.html import Html, mark_trusted
from games.rendering import figures
from games.rendering.sprites import sprite_sheet
from games.words import offered_variants, words_of
from games.words.lookup import words_for

SPRITE_NAME = re.compile(r"(?<=#)[\w-]+")  # in references to drawings (``#s64``, ``url(#shade)``) and in colours


def game_pictures() -> SafeString:
    """Return the pictures of all games as symbols ``picture-<key>``, for pages and lists to refer to."""
    return SafeString("".join(map(game_picture, offered_variants())))


@cache
def game_picture(variant: str) -> Html:
    """Return the symbol ``picture-<variant>`` after the sprites it uses, "" for a game without a picture.

    Sprites get ids of their own, because ``s64`` is a different drawing in each game.
    """
    if not words_of(variant).picture:
        return Html("")
    figure = _parse_svg(figures.layout_figure(picture_layout(variant), words_for(variant, "en")))
    sprites = {sprite.attrib["id"]: sprite for sprite in _parse_svg(sprite_sheet(variant))[0]}
    symbol = Element("symbol", {"id": "picture", "viewBox": figure.attrib["viewBox"]})
    symbol.extend(figure)
    drawings = [*(sprites[name] for name in dict.fromkeys(_sprite_names(figure, sprites))), symbol]
    ids = {name: f"{name}-{variant}" for drawing in drawings for part in drawing.iter() if (name := part.get("id"))}
    return mark_trusted("".join(tostring(_with_ids(drawing, ids), encoding="unicode") for drawing in drawings))


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
