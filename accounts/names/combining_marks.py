"""Limits the combining marks on a letter, so that they do not cover other lines ("zalgo")."""

from __future__ import annotations

import unicodedata

MAX_STACKED_MARKS = 2  # marks above, below or across a letter; Vietnamese needs two
MAX_MARKS = 4  # marks of any kind on a letter; Burmese vowels and tones do not stack
OVERLAY_CLASS = 1  # the combining class of marks drawn across a letter
MIN_STACKING_CLASS = 200  # the first combining class of marks that stack around a letter


def limit_marks(text: str) -> str:
    """Return the text in NFC, without excess marks and repeated marks on a letter."""
    characters: list[str] = []
    marks: list[str] = []  # of the current letter
    for character in unicodedata.normalize("NFD", text):
        if unicodedata.category(character) not in ("Mn", "Me"):
            marks.clear()
        elif _is_excess_mark(character, marks):
            continue
        else:
            marks.append(character)
        characters.append(character)
    return unicodedata.normalize("NFC", "".join(characters))


def _is_excess_mark(mark: str, marks: list[str]) -> bool:
    if mark in marks or len(marks) >= MAX_MARKS:
        return True
    return _stacks(mark) and sum(map(_stacks, marks)) >= MAX_STACKED_MARKS


def _stacks(mark: str) -> bool:
    combining_class = unicodedata.combining(mark)
    return (
        combining_class == OVERLAY_CLASS or combining_class >= MIN_STACKING_CLASS or unicodedata.category(mark) == "Me"
    )
