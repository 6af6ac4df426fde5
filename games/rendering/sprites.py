"""The sprites of a table: every tile, the backs, the signs.

They are sent once with the page. Frames only refer to them (``<use href="#s64"/>``), so a tile is one short element.
"""

from __future__ import annotations

from functools import cache

from games.engine.variants import rules_for
from games.html import Html
from games.rendering.layouts import drawing_of
from games.words.lookup import NamedStyle

SIGN_SPRITES = Html(
    '<symbol id="fish" viewBox="0 0 24 14"><path d="M1 7C5 .5 12 0 17 5.5L23 1v12l-6-4.5C12 14 5 13.5 1 7z"/>'
    '<circle class="eye" cx="6" cy="5.8" r="1.2"/></symbol>'
)


def symbol_icon(sign: NamedStyle) -> Html:
    """Return the symbol of a sign, such as a fish, for a line of text."""
    return Html(f'<svg class="sign" aria-hidden="true"><use href="#{sign.key}"/></svg>')


@cache
def sprite_sheet(variant: str) -> Html:
    """Return the sprites of a variant in an invisible drawing."""
    rules = rules_for(variant)
    parts = Html(SIGN_SPRITES + drawing_of(rules.layout).sprites(rules.tile_set))
    return Html(f'<svg class="sprites" width="0" height="0" aria-hidden="true"><defs>{parts}</defs></svg>')
