"""What names look alike: skeletons after Unicode Technical Standard 39, and the scripts a name is written in.

The tables are Unicode's ``confusables.txt`` and ``Scripts.txt``, as the package ``confusable_homoglyphs`` ships them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from confusable_homoglyphs import categories, utils

from accounts.names.spelling import without_joiners

LONGEST = 60
"""As much of a skeleton is kept."""
DIRECTION_MARKS = "\u200e\u200f"
"""Stand around some signs of the table, so that it can be read in one direction."""
NAMED_AFTER_LETTER = re.compile(
    "(?:LATIN LETTER SMALL CAPITAL|(?:CROSSED )?NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER"
    "|REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])"
)
"""Unicode confuses these with no letter, or with Cherokee ones: small capitals, white letters on black, flags."""
SUPPLEMENT = str.maketrans({"ʍ": "m", "ĸ": "k", "l": "i", "|": "i", "w": "vv"})
"""What the table leaves apart: the prototypes of м and к, a small L beside a capital I, two V for a W."""
MULTIPLE_SCRIPTS = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""What is written together: "highly restrictive" in the standard's words."""
OF_ALL_SCRIPTS = frozenset({"COMMON", "INHERITED"})


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name in all its cases: those of Greek capitals and small letters differ."""
    return frozenset(map(skeleton, (name, name.lower(), name.upper())))


def look_alike(one: str, other: str) -> bool:
    """Return whether two names could be taken for each other."""
    return not skeletons(one).isdisjoint(skeletons(other))


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return what is the same for names that look alike: the letters and digits by their shapes, with their accents.

    Neither case nor spaces nor signs matter, unless the name has nothing else.
    """
    shapes = [(sign, _shape(sign)) for sign in unicodedata.normalize("NFC", without_joiners(name))]
    counted = [shape for sign, shape in shapes if _counts(sign) or shape.isalnum()]
    return "".join(counted or [shape for _sign, shape in shapes])[:LONGEST]


def without_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if unicodedata.category(sign)[0] != "M")


def is_of_one_script(name: str) -> bool:
    """Return whether the letters are of one script, or of scripts that are written together."""
    scripts = {categories.alias(sign) for sign in name} - OF_ALL_SCRIPTS
    return len(scripts) <= 1 or any(scripts <= allowed for allowed in MULTIPLE_SCRIPTS)


@lru_cache(maxsize=4096)
def _shape(sign: str) -> str:
    """Return the skeleton of a sign in the case in which it looks like a Latin letter, if there is one."""
    for case in (sign, sign.swapcase()):
        shape = _prototype(case).casefold()
        if shape.isascii():
            break
    else:
        shape = _prototype(sign.casefold())
    return "".join(map(_prototype, shape.translate(SUPPLEMENT))).casefold().translate(SUPPLEMENT)


def _prototype(text: str) -> str:
    """Return the skeleton of the standard, of signs that stand for letters by those letters."""
    plain = "".join(map(_letter, unicodedata.normalize("NFKC", text)))
    prototypes = _prototypes()
    signs = "".join(prototypes.get(sign, sign) for sign in unicodedata.normalize("NFD", plain))
    return unicodedata.normalize("NFD", "".join(map(_letter, signs)))


def _letter(sign: str) -> str:
    """Return the letter that a sign is named after, or the sign."""
    named = NAMED_AFTER_LETTER.fullmatch(unicodedata.name(sign, ""))
    return named[1].lower() if named else sign


def _counts(sign: str) -> bool:
    return sign.isalnum() or (unicodedata.category(sign)[0] == "M" and not _is_variation(sign))


def _is_variation(sign: str) -> bool:
    """Return whether a sign only asks for another drawing of the one before."""
    return "VARIATION SELECTOR" in unicodedata.name(sign, "")


@cache
def _prototypes() -> dict[str, str]:
    """Return what each confusable sign stands for in a skeleton.

    The package has the table in both directions: what several signs look like is their prototype, and of two that
    only look like each other it may be either.
    """
    table = {
        sign.strip(DIRECTION_MARKS): {other["c"].strip(DIRECTION_MARKS) for other in others}
        for sign, others in utils.load("confusables.json").items()
    }
    pairs = ((sign, *others) for sign, others in table.items() if len(sign) == len(others) == 1)
    return {sign: other for sign, other in pairs if len(other) > 1 or len(table.get(other, ())) > 1 or other < sign}
