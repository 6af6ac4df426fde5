"""Template tags of the rules pages: rules with their anchors, and figures of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils import formats
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.engine.events import Points, Standing
from games.engine.tiles import Tile, tile_text
from games.examples.placements import PlacementExample
from games.rendering import figures
from games.rendering.sprites import sprite_sheet
from games.rendering.standing import standing_score
from games.words import words_of
from games.words.lookup import Words, number_text, words_for

register = template.Library()
register.filter("number", number_text)
HTML_TAG = re.compile(r"(<[^>]*>)")
TILE_HYPHEN = re.compile(r"(?<=\d)-(?=\d)")


@register.simple_block_tag
def capture(content: str) -> str:
    """Render a block before the page around it and store it (``as``), because the page depends on its result."""
    return content


@register.simple_block_tag(takes_context=True)
def page_part(context: Context, content: str, name: str, title: str) -> SafeString:
    """Show a part of the page under its title, and add it to the table of contents."""
    context["contents"].append((name, title))
    return format_html(
        '<section class="rules-part" aria-labelledby="part-{name}"><h2 id="part-{name}">{title}</h2>'
        "{content}</section>",
        name=name,
        title=title,
        content=content,
    )


@register.simple_block_tag(takes_context=True)
def rule(context: Context, content: str, rule_id: str) -> SafeString:
    """Show a rule under its title. Refusals and scores link to its id."""
    return format_html(
        '<section class="rule" id="{id}"><h3>{title} <a class="rule-link" href="#{id}" aria-label="{label}">#</a></h3>'
        "{content}</section>",
        id=rule_id,
        title=words_of(context["variant"]).rules[rule_id],
        label=_("Link to this rule"),
        content=SafeString(unbroken_tiles(content)),
    )


@register.filter
def unbroken_tiles(content: str) -> str:
    """Prevent line breaks within tiles like 5-2 in the text between tags."""
    parts = HTML_TAG.split(str(content))
    return "".join(
        part if HTML_TAG.fullmatch(part) else TILE_HYPHEN.sub("\N{NON-BREAKING HYPHEN}", part) for part in parts
    )


@register.simple_tag
def hand(tiles: Sequence[Tile]) -> SafeString:
    """Draw a hand."""
    return SafeString(figures.hand_figure(tuple(tiles)))


@register.simple_tag(takes_context=True)
def layout(context: Context, tiles: Any, *, with_hints: bool = False) -> SafeString:
    """Draw the tiles on the table, with hints if ``with_hints``."""
    return SafeString(figures.layout_figure(tiles, _words(context), with_hints=with_hints))


@register.simple_tag(takes_context=True)
def placement_example(context: Context, example: PlacementExample) -> SafeString:
    """Draw a worked example of a placement."""
    points = None if example.refusing_rule else example.points
    return SafeString(figures.placement_figure(example.before, example.play, points, _words(context)))


@register.simple_tag(takes_context=True)
def sprites(context: Context) -> SafeString:
    """Insert the drawings of the tiles, once for all figures of the page."""
    return SafeString(sprite_sheet(context["variant"]))


@register.simple_tag(takes_context=True)
def score(context: Context, standing: Standing) -> SafeString:
    """Show a score as it looks next to a name."""
    return SafeString(standing_score(standing, _words(context)))


@register.filter
def points_with_sum(points: Points) -> str:
    """Write points with their sum: ``3 + 40 = 43``."""
    return f"{sum_text(points)} = {number_text(points.total)}".replace(" ", "\N{NO-BREAK SPACE}")


@register.filter
def with_decimal_mark(calculation: str) -> str:
    """Write a calculation of the engine with the decimal mark of the active language."""
    return calculation.replace(".", formats.get_format("DECIMAL_SEPARATOR"))


@register.filter
def tile_texts(tiles: Sequence[Tile]) -> str:
    """Write tiles: ``6-4 1-1``."""
    return " ".join(map(tile_text, tiles))


def sum_text(points: Points) -> str:
    """Write the terms of a sum, a single term by its own text."""
    if len(points.terms) == 1:
        return points.terms[0].text
    values = [number_text(term.value) for term in points.terms]
    return " + ".join(values).replace("+ −", "− ")


def _words(context: Context) -> Words:
    return words_for(context["variant"], get_language() or settings.LANGUAGE_CODE)
