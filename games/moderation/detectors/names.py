"""Imitating names: those that the rules for names allow but that are easily read as somebody else's.

Nobody can take a name that looks the same as an account's (``accounts.names.confusables``). This finds visible
differences that readers overlook: an accent, a digit for a letter, a doubled letter, two swapped neighbours, or one
letter of many.
"""

from __future__ import annotations

import re

from accounts.names.confusables import look_alike, skeleton
from accounts.names.spelling import remove_accents

MIN_LETTERS = 5  # shorter names are not compared
MIN_LETTERS_OF_LONG_NAME = 10  # letters of a name in which one added, missing or different letter is overlooked
TRAILING_NUMBER = re.compile(r"\d+$")
DIGITS_AS_LETTERS = str.maketrans("0134578", "oieastb")  # digits read as letters, spelt as in skeletons
REPEATED_LETTER = re.compile(r"(.)\1+")


def imitates(name: str, other: str) -> bool:
    """Return True if one name is easily read as another without looking the same.

    Different numbers at the end never imitate: the site itself suggests them to tell people apart.
    """
    if _trailing_number(name) != _trailing_number(other) or look_alike(name, other):
        return False
    one, two = _letters_as_read(name), _letters_as_read(other)
    if min(len(one), len(two)) < MIN_LETTERS:
        return False
    return (
        one == two
        or _differ_by_swap(one, two)
        or (min(len(one), len(two)) >= MIN_LETTERS_OF_LONG_NAME and _differ_by_one_letter(one, two))
    )


def _trailing_number(name: str) -> str:
    match = TRAILING_NUMBER.search(name)
    return match[0] if match else ""


def _letters_as_read(name: str) -> str:
    """Return a name as it is read carelessly: without accents, and doubled letters once."""
    letters = TRAILING_NUMBER.sub("", remove_accents(name)).casefold().translate(DIGITS_AS_LETTERS)
    return remove_accents(skeleton(REPEATED_LETTER.sub(r"\1", letters)))


def _differ_by_swap(one: str, two: str) -> bool:
    """Return True if the words differ by two swapped neighbours."""
    differences = [index for index, (a, b) in enumerate(zip(one, two, strict=False)) if a != b]
    if len(one) != len(two) or len(differences) != 2 or differences[1] != differences[0] + 1:
        return False
    first, second = differences
    return one[first] == two[second] and one[second] == two[first]


def _differ_by_one_letter(one: str, two: str) -> bool:
    """Return True if exactly one letter is different, added or missing."""
    short, long = sorted((one, two), key=len)
    if len(long) - len(short) > 1:
        return False
    common_prefix = next((index for index, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[common_prefix + (len(short) == len(long)) :] == long[common_prefix + 1 :]
