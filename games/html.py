"""Markup as a type: text that may go into a page unescaped, because everything from outside is escaped in it."""

from __future__ import annotations

import html
from functools import lru_cache
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    Html = NewType("Html", str)
    """``Html(f"…")`` takes markup, numbers and fixed texts only: ``scripts/mypy_html.py`` looks at every part."""
else:
    Html = str  # calling a NewType takes twice as long, and a frame makes hundreds of calls


def escape(text: object) -> Html:
    """Return a text as markup that shows it."""
    return _escaped(str(text))


@lru_cache(maxsize=5000)
def _escaped(text: str) -> Html:
    """Cached: a move escapes some sixty texts, nearly all the same as in the move before."""
    return html.escape(text)  # type: ignore[return-value]


def trusted(text: str) -> Html:
    """Declare a text to be markup where the types of its parts cannot show that it is."""
    return text  # type: ignore[return-value]
