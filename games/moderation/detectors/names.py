"""Names that imitate: what the rules of names let through, and is still read as somebody else's.

Nobody can take a name that looks like an account's (``accounts.names.confusables``). What is left differs to the eye,
and is overlooked: an accent, a digit for a letter, a letter twice, two neighbours that changed places, one letter of
many.
"""

from __future__ import annotations

import re

from accounts.names.confusables import look_alike, skeleton, without_accents

SHORTEST, LONG = 5, 10
"""Letters of a name that can be imitated, and of one in which a single letter more, less or other is overlooked."""
NUMBER = re.compile(r"\d+$")
DIGITS = str.maketrans("0134578", "oieastb")
"""The digits that stand for letters, as the skeletons write those."""
REPEATED = re.compile(r"(.)\1+")


def imitates(name: str, other: str) -> bool:
    """Return whether one name is easily read as another, although it does not look the same.

    Names that look the same are refused by the rules of names. Numbers at the end are left as they are: the site
    suggests them itself, and they are meant to distinguish people.
    """
    if _number(name) != _number(other) or look_alike(name, other):
        return False
    one, two = _letters(name), _letters(other)
    if min(len(one), len(two)) < SHORTEST:
        return False
    return one == two or _swapped(one, two) or (min(len(one), len(two)) >= LONG and _one_letter(one, two))


def _number(name: str) -> str:
    found = NUMBER.search(name)
    return found[0] if found else ""


def _letters(name: str) -> str:
    """Return a name as it is read with half an eye: each letter once, without accents."""
    letters = NUMBER.sub("", without_accents(name)).casefold().translate(DIGITS)
    return without_accents(skeleton(REPEATED.sub(r"\1", letters)))


def _swapped(one: str, two: str) -> bool:
    """Return whether two neighbours changed places."""
    differ = [place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b]
    if len(one) != len(two) or len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    first, second = differ
    return one[first] == two[second] and one[second] == two[first]


def _one_letter(one: str, two: str) -> bool:
    """Return whether one letter is another, or more, or missing."""
    short, long = sorted((one, two), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]
