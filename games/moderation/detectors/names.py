"""Imitating names: those that the rules for names allow but that are easily read as somebody else's.

Nobody can take a name that looks the same as an account's (``accounts.names.confusables``). This finds visible
differences that readers overlook: an accent, a digit for a letter, a doubled letter, two swapped neighbours, or one
letter of many.
"""

from __future__ import annotations

import re

from accounts.names.confusables import look_alike, remove_accents, skeleton

MIN_LETTERS = 5  # shorter names are not compared
MIN_LONG = 10  # letters of a name in which one added, missing or different letter is overlooked
NUMBER = re.compile(r"\d+$")
DIGITS = str.maketrans("0134578", "oieastb")  # digits read as letters, spelt as in skeletons
REPEATED = re.compile(r"(.)\1+")


def imitates(name: str, other: str) -> bool:
    """Return True if one name is easily read as another without looking the same.

    Different numbers at the end never imitate: the site itself suggests them to tell people apart.
    """
    if _number(name) != _number(other) or look_alike(name, other):
        return False
    one, two = _letters(name), _letters(other)
    if min(len(one), len(two)) < MIN_LETTERS:
        return False
    return one == two or _swapped(one, two) or (min(len(one), len(two)) >= MIN_LONG and _one_letter(one, two))


def _number(name: str) -> str:
    match = NUMBER.search(name)
    return match[0] if match else ""


def _letters(name: str) -> str:
    """Return a name as it is read carelessly: without accents, and doubled letters once."""
    letters = NUMBER.sub("", remove_accents(name)).casefold().translate(DIGITS)
    return remove_accents(skeleton(REPEATED.sub(r"\1", letters)))


def _swapped(one: str, two: str) -> bool:
    """Return True if the words differ by two swapped neighbours."""
    differ = [place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b]
    if len(one) != len(two) or len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    first, second = differ
    return one[first] == two[second] and one[second] == two[first]


def _one_letter(one: str, two: str) -> bool:
    """Return True if exactly one letter is different, added or missing."""
    short, long = sorted((one, two), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]
