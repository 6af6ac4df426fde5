"""Finds names that look alike, by skeletons as in Unicode Technical Standard 39, and checks the scripts of a name.

The package ``confusable_homoglyphs`` has Unicode's tables ``confusables.txt`` and ``Scripts.txt``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from confusable_homoglyphs import categories, utils

from accounts.names.spelling import without_joiners

MAX_SKELETON = 60  # characters
DIRECTION_MARKS = "\u200e\u200f"  # around some signs of the table
# Small capitals, white letters on black and flags, which the table maps to no letter or to Cherokee ones.
NAMED_AFTER_LETTER = re.compile(
    "(?:LATIN LETTER SMALL CAPITAL|(?:CROSSED )?NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER"
    "|REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])"
)
# Not in the table: the prototypes of м and к, a small L like a capital I, two V like a W.
SUPPLEMENT = str.maketrans({"ʍ": "m", "ĸ": "k", "l": "i", "|": "i", "w": "vv"})
# Scripts that may be mixed: "highly restrictive" in the standard.
MULTIPLE_SCRIPTS = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
OF_ALL_SCRIPTS = frozenset({"COMMON", "INHERITED"})


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name in upper, lower and its own case, which differ for Greek letters."""
    return frozenset(map(skeleton, (name, name.lower(), name.upper())))


def look_alike(one: str, other: str) -> bool:
    """Return True if two names can be confused."""
    return not skeletons(one).isdisjoint(skeletons(other))


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return a string that is the same for names that look alike: the shapes of their letters, digits and accents.

    Case, spaces and other signs do not matter, unless the name has nothing else.
    """
    shapes = [(sign, _shape(sign)) for sign in unicodedata.normalize("NFC", without_joiners(name))]
    counted = [shape for sign, shape in shapes if _counts(sign) or shape.isalnum()]
    return "".join(counted or [shape for _sign, shape in shapes])[:MAX_SKELETON]


def without_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if unicodedata.category(sign)[0] != "M")


def is_of_one_script(name: str) -> bool:
    """Return True if the letters are from one script, or from scripts that may be mixed."""
    scripts = {categories.alias(sign) for sign in name} - OF_ALL_SCRIPTS
    return len(scripts) <= 1 or any(scripts <= allowed for allowed in MULTIPLE_SCRIPTS)


@lru_cache(maxsize=4096)
def _shape(sign: str) -> str:
    """Return the skeleton of a sign, in the case in which it looks like a Latin letter if there is one."""
    for case in (sign, sign.swapcase()):
        shape = _prototype(case).casefold()
        if shape.isascii():
            break
    else:
        shape = _prototype(sign.casefold())
    return "".join(map(_prototype, shape.translate(SUPPLEMENT))).casefold().translate(SUPPLEMENT)


def _prototype(text: str) -> str:
    """Return the skeleton of the standard. Signs named after letters count as these letters."""
    plain = "".join(map(_letter, unicodedata.normalize("NFKC", text)))
    prototypes = _prototypes()
    signs = "".join(prototypes.get(sign, sign) for sign in unicodedata.normalize("NFD", plain))
    return unicodedata.normalize("NFD", "".join(map(_letter, signs)))


def _letter(sign: str) -> str:
    """Return the letter in the Unicode name of a sign, or the sign itself."""
    named = NAMED_AFTER_LETTER.fullmatch(unicodedata.name(sign, ""))
    return named[1].lower() if named else sign


def _counts(sign: str) -> bool:
    return sign.isalnum() or (unicodedata.category(sign)[0] == "M" and not _is_variation(sign))


def _is_variation(sign: str) -> bool:
    """Return True if a sign only selects a variant of the one before."""
    return "VARIATION SELECTOR" in unicodedata.name(sign, "")


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of every confusable sign.

    The package has the table in both directions: the sign that several others look like is their prototype. If only
    two look like each other, either can be.
    """
    table = {
        sign.strip(DIRECTION_MARKS): {similar["c"].strip(DIRECTION_MARKS) for similar in row}
        for sign, row in utils.load("confusables.json").items()
    }
    pairs = ((sign, *similar) for sign, similar in table.items() if len(sign) == len(similar) == 1)
    return {sign: other for sign, other in pairs if len(other) > 1 or len(table.get(other, ())) > 1 or other < sign}
