"""Combining marks: never so many on a letter that they paint over the lines around it ("zalgo")."""

from __future__ import annotations

import unicodedata

STACKED = 2
"""So many marks may pile up above, below or over a letter: Vietnamese needs two."""
TOGETHER = 4
"""So many may stand on a letter at all: Burmese vowels and tones keep to places of their own."""
OVERLAY, PILED = 1, 200
"""Combining classes: marks drawn across a letter, and (from here on) those that pile up around it."""


def few_marks(text: str) -> str:
    """Return the text in its normal form without the marks that are too many, or twice on a letter."""
    kept: list[str] = []
    worn: list[str] = []
    for sign in unicodedata.normalize("NFD", text):
        if unicodedata.category(sign) not in ("Mn", "Me"):
            worn.clear()
        elif _is_too_much(sign, worn):
            continue
        else:
            worn.append(sign)
        kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept))


def _is_too_much(mark: str, worn: list[str]) -> bool:
    if mark in worn or len(worn) >= TOGETHER:
        return True
    return _piles_up(mark) and sum(map(_piles_up, worn)) >= STACKED


def _piles_up(mark: str) -> bool:
    order = unicodedata.combining(mark)
    return order == OVERLAY or order >= PILED or unicodedata.category(mark) == "Me"
