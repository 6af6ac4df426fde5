"""Markup as a type: text that may go into a page as it is, because whatever came from outside is escaped in it."""

from __future__ import annotations

import html
from functools import lru_cache
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    Html = NewType("Html", str)
    """``Html(f"…")`` takes markup, numbers and fixed texts only: ``scripts/mypy_html.py`` looks at every part."""
else:
    Html = str  # a call of a NewType takes twice as long, and a frame makes hundreds


def escape(text: object) -> Html:
    """Return a text as it is read, with no meaning as markup."""
    return _escaped(str(text))


@lru_cache(maxsize=5000)
def _escaped(text: str) -> Html:
    """A move escapes some sixty texts, nearly all of them the same as in the move before."""
    return html.escape(text)  # type: ignore[return-value]


def trusted(text: str) -> Html:
    """Take a text for markup that is known to be some, though nothing in its parts shows it."""
    return text  # type: ignore[return-value]
