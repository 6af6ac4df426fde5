"""The picture of each game: a real position, drawn like a table. A page may show several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from xml.etree.ElementTree import Element, fromstring, tostring

from django.utils.safestring import SafeString

from games.engine.layout import Layout
from games.engine.variants import rules_for
from games.html import Html, trusted
from games.rendering import figures
from games.rendering.sprites import sheet
from games.words import offered, words_of
from games.words.lookup import words_for

NAME = re.compile(r"(?<=#)[\w-]+")
"""How an attribute refers to another drawing: ``#s64``, ``url(#shade)``; or it names a colour."""


def pictures() -> SafeString:
    """Return the pictures of all games as symbols ``picture-<key>``, to which pages and lists refer."""
    return SafeString("".join(map(picture, offered())))


@cache
def picture(variant: str) -> Html:
    """Return the picture as a symbol ``picture-<variant>`` after the sprites it uses, "" for a game without one."""
    if not words_of(variant).picture:
        return Html("")
    drawn = _tree(figures.layout(position(variant), words_for(variant, "en")))
    sprites = {sprite.attrib["id"]: sprite for sprite in _tree(sheet(variant))[0]}
    used = [sprites[name] for name in dict.fromkeys(_used(drawn, sprites))]
    symbol = Element("symbol", {"id": "picture", "viewBox": drawn.attrib["viewBox"]})
    symbol.extend(drawn)
    own = {name: f"{name}-{variant}" for each in (*used, symbol) for part in each.iter() if (name := part.get("id"))}
    return trusted("".join(tostring(_renamed(each, own), encoding="unicode") for each in (*used, symbol)))


def position(variant: str) -> Layout:
    """Return the layout after the moves of the picture. Raises ``ValueError`` if one of them is no placement."""
    return reduce(_placed, words_of(variant).picture, rules_for(variant).layout)


def _placed(layout: Layout, move: str) -> Layout:
    found = layout.read(move)
    if found is None:
        raise ValueError(move)
    return layout.place(*found)


def _used(drawn: Element, sprites: Mapping[str, Element]) -> Iterator[str]:
    """Yield the names of the sprites that a drawing refers to, and those that these refer to."""
    for element in drawn.iter():
        for name in NAME.findall(" ".join(element.attrib.values())):
            if name in sprites:
                yield name
                yield from _used(sprites[name], sprites)


def _renamed(drawn: Element, own: Mapping[str, str]) -> Element:
    """Return a copy with unique ids: ``s64`` is a different drawing in each game."""
    attributes = {
        key: own[value] if key == "id" else NAME.sub(lambda found: own.get(found[0], found[0]), value)
        for key, value in drawn.attrib.items()
    }
    copy = Element(drawn.tag, attributes)
    copy.text, copy.tail = drawn.text, drawn.tail
    copy.extend(_renamed(each, own) for each in drawn)
    return copy


def _tree(html: str) -> Element:
    return fromstring(html)  # noqa: S314 (put together by this package)
