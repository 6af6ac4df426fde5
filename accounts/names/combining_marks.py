"""Limits the combining marks on a letter, so that they do not cover other lines ("zalgo")."""

from __future__ import annotations

import unicodedata

MAX_STACKED = 2  # marks above, below or across a letter; Vietnamese needs two
MAX_MARKS = 4  # marks of any kind on a letter; Burmese vowels and tones do not stack
OVERLAY = 1  # combining class of marks drawn across a letter
STACKING = 200  # first combining class of marks that stack around a letter


def few_marks(text: str) -> str:
    """Return the text in NFC, without excess marks and repeated marks on a letter."""
    signs: list[str] = []
    marks: list[str] = []  # of the current letter
    for sign in unicodedata.normalize("NFD", text):
        if unicodedata.category(sign) not in ("Mn", "Me"):
            marks.clear()
        elif _is_too_much(sign, marks):
            continue
        else:
            marks.append(sign)
        signs.append(sign)
    return unicodedata.normalize("NFC", "".join(signs))


def _is_too_much(mark: str, marks: list[str]) -> bool:
    if mark in marks or len(marks) >= MAX_MARKS:
        return True
    return _stacks(mark) and sum(map(_stacks, marks)) >= MAX_STACKED


def _stacks(mark: str) -> bool:
    order = unicodedata.combining(mark)
    return order == OVERLAY or order >= STACKING or unicodedata.category(mark) == "Me"
