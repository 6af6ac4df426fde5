"""A template tag for pages with seats."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.rendering.chances import chance_popover
from games.rendering.explanations import explanation_popovers as explanations_of
from games.rendering.page import as_safe_string
from games.words.lookup import words_for

register = template.Library()


@register.simple_tag
def explanations(variant: str, move_ms: int = 0) -> SafeString:
    """Return the explanations of numbers and marks. ``move_ms`` is the free time of a move, 0 without a clock."""
    return as_safe_string(explanations_of(words_for(variant, get_language() or "en"), move_ms))


@register.simple_tag
def chance_explanation(variant: str, *, is_match_over: bool = False) -> SafeString:
    """Return the explanation of the chance to win."""
    words = words_for(variant, get_language() or "en")
    return as_safe_string(chance_popover(words, is_match_over=is_match_over))
