"""Finds names that look alike, by skeletons as in Unicode Technical Standard 39, and checks the scripts of a name.

The package ``confusable_homoglyphs`` has Unicode's tables ``confusables.txt`` and ``Scripts.txt``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from confusable_homoglyphs import categories, utils

from accounts.names.spelling import remove_joiners

MAX_SKELETON_LENGTH = 60  # characters
DIRECTION_MARKS = "\u200e\u200f"  # around some characters of the table
# Small capitals, white letters on black and flags, which the table maps to no letter or to Cherokee ones.
LETTER_IN_UNICODE_NAME = re.compile(
    "(?:LATIN LETTER SMALL CAPITAL|(?:CROSSED )?NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER"
    "|REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])"
)
# Not in the table: the prototypes of м and к, a small L like a capital I, two V like a W.
EXTRA_PROTOTYPES = str.maketrans({"ʍ": "m", "ĸ": "k", "l": "i", "|": "i", "w": "vv"})
# Scripts that may be mixed: "highly restrictive" in the standard.
SCRIPT_COMBINATIONS = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
COMMON_SCRIPTS = frozenset({"COMMON", "INHERITED"})


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name in upper, lower and its own case, which differ for Greek letters."""
    return frozenset(map(skeleton, (name, name.lower(), name.upper())))


def look_alike(one: str, other: str) -> bool:
    """Return True if two names can be confused."""
    return not skeletons(one).isdisjoint(skeletons(other))


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return a string that is the same for names that look alike: the shapes of their letters, digits and accents.

    Case, spaces and other characters do not matter, unless the name has nothing else.
    """
    shapes = [
        (character, _character_skeleton(character)) for character in unicodedata.normalize("NFC", remove_joiners(name))
    ]
    counted = [shape for character, shape in shapes if _is_significant(character) or shape.isalnum()]
    return "".join(counted or [shape for _sign, shape in shapes])[:MAX_SKELETON_LENGTH]


def has_one_script(name: str) -> bool:
    """Return True if the letters are from one script, or from scripts that may be mixed."""
    scripts = {categories.alias(character) for character in name} - COMMON_SCRIPTS
    return len(scripts) <= 1 or any(scripts <= allowed for allowed in SCRIPT_COMBINATIONS)


@lru_cache(maxsize=4096)
def _character_skeleton(character: str) -> str:
    """Return the skeleton of a character, in the case in which it looks like a Latin letter if there is one."""
    for case in (character, character.swapcase()):
        shape = _prototype(case).casefold()
        if shape.isascii():
            break
    else:
        shape = _prototype(character.casefold())
    return "".join(map(_prototype, shape.translate(EXTRA_PROTOTYPES))).casefold().translate(EXTRA_PROTOTYPES)


def _prototype(text: str) -> str:
    """Return the skeleton of the standard. Signs named after letters count as these letters."""
    plain = "".join(map(_letter_named_by, unicodedata.normalize("NFKC", text)))
    prototypes = _prototypes()
    characters = "".join(prototypes.get(character, character) for character in unicodedata.normalize("NFD", plain))
    return unicodedata.normalize("NFD", "".join(map(_letter_named_by, characters)))


def _letter_named_by(character: str) -> str:
    """Return the letter in the Unicode name of a character, or the character itself."""
    match = LETTER_IN_UNICODE_NAME.fullmatch(unicodedata.name(character, ""))
    return match[1].lower() if match else character


def _is_significant(character: str) -> bool:
    return character.isalnum() or (unicodedata.category(character)[0] == "M" and not _is_variation_selector(character))


def _is_variation_selector(character: str) -> bool:
    """Return True if a character only selects a variant of the one before."""
    return "VARIATION SELECTOR" in unicodedata.name(character, "")


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of every confusable character.

    The package has the table in both directions: the character that several others look like is their prototype. If
    only two look like each other, either can be.
    """
    table = {
        character.strip(DIRECTION_MARKS): {similar["c"].strip(DIRECTION_MARKS) for similar in row}
        for character, row in utils.load("confusables.json").items()
    }
    pairs = ((character, *similar) for character, similar in table.items() if len(character) == len(similar) == 1)
    return {
        character: other
        for character, other in pairs
        if len(other) > 1 or len(table.get(other, ())) > 1 or other < character
    }
