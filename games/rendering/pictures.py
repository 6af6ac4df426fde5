"""The picture of each game: a real position, drawn as a table draws it. Several may stand on one page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from typing import Any
from xml.etree.ElementTree import Element, fromstring, tostring

from games.engine.variants import rules_for
from games.rendering import figures
from games.rendering.sprites import sheet
from games.wording import words_for
from games.words import words_of

NAME = re.compile(r"(?<=#)[\w-]+")
"""How an attribute refers to another drawing: ``#s64``, ``url(#shade)``."""


@cache
def picture(variant: str) -> str:
    """Return the picture as a symbol ``picture-<variant>`` behind the drawings it uses; "" for a game without one."""
    laid = position(variant)
    if not laid.tiles:
        return ""
    drawn = _tree(figures.layout(laid, words_for(variant, "en")))
    sprites = {str(sprite.get("id")): sprite for sprite in _tree(sheet(variant))[0]}
    used = [sprites[name] for name in dict.fromkeys(_used(drawn, sprites))]
    symbol = Element("symbol", {"id": "picture", "viewBox": str(drawn.get("viewBox"))})
    symbol.extend(drawn)
    return "".join(tostring(_renamed(each, variant), encoding="unicode") for each in (*used, symbol))


def position(variant: str) -> Any:
    """Return the layout after the moves of the picture. Raise ``ValueError`` if one of them is no placement."""
    return reduce(_placed, words_of(variant).picture, rules_for(variant).layout)


def _placed(layout: Any, move: str) -> Any:
    found = layout.read(move)
    if found is None:
        raise ValueError(move)
    return layout.place(*found)


def _used(drawn: Element, sprites: Mapping[str, Element]) -> Iterator[str]:
    """Yield the names of the sprites that a drawing refers to, and those that these refer to."""
    for element in drawn.iter():
        for value in element.attrib.values():
            for name in NAME.findall(value):
                yield name
                yield from _used(sprites[name], sprites)


def _renamed(drawn: Element, variant: str) -> Element:
    """Return a copy in which every name ends in the variant's key: ``s64`` is another tile in another game."""
    attributes = {key: NAME.sub(lambda found: f"{found[0]}-{variant}", value) for key, value in drawn.attrib.items()}
    if "id" in attributes:
        attributes["id"] += f"-{variant}"
    copy = Element(drawn.tag, attributes)
    copy.text, copy.tail = drawn.text, drawn.tail
    copy.extend(_renamed(each, variant) for each in drawn)
    return copy


def _tree(html: str) -> Element:
    return fromstring(html)  # noqa: S314 (put together by this package)
