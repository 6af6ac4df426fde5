"""Markup as a type: text that may go into a page unescaped, because all outside text in it is escaped."""

from __future__ import annotations

import html
from functools import lru_cache
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    # ``scripts/mypy_html.py`` checks that ``Html(f"…")`` contains only markup, numbers and literals.
    Html = NewType("Html", str)
else:
    Html = str  # calling a NewType takes twice as long, and a frame makes hundreds of calls
EMPTY_HTML = Html("")


def escape(text: object) -> Html:
    """Return a text as markup."""
    return _escape_cached(str(text))


@lru_cache(maxsize=5000)
def _escape_cached(text: str) -> Html:
    """Cached because a move escapes about sixty texts, and nearly all are the same as in the move before."""
    return html.escape(text)  # type: ignore[return-value]


def mark_trusted(text: str) -> Html:
    """Return a text as markup if the types of its parts cannot show that it is safe."""
    return text  # type: ignore[return-value]
