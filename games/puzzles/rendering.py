"""Renders the moves of a puzzle with their values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.engine.view import View
from games.html import Html
from games.rendering.page import as_safe_string
from games.review.analysis_rendering import describe_move
from games.words.lookup import number_text, words_for


class MoveLine(NamedTuple):
    """A move in words, and its value in points."""

    text: SafeString
    value: str


def move_lines(view: View, values: Iterable[tuple[str, float]], language: str) -> list[MoveLine]:
    """Return moves in words, given in notation with their values in points."""
    words = words_for(view.rules.key, language)
    legal = {view.rules.move_text(move): move for move in view.legal}
    return [
        MoveLine(as_safe_string(describe_move(view, legal[move], words)), value_text(value)) for move, value in values
    ]


def value_text(value: float) -> Html:
    """Return a value with its sign and one decimal: ``+3.5``."""
    return Html(f"{'+' if value >= 0 else ''}{number_text(round(value, 1))}")
