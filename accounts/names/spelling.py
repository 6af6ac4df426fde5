"""The normal form of user names, and the joiners that some scripts need.

U+200C and U+200D are invisible. They are allowed where they change the shape of the letters around them, as in Persian
and in the scripts of India (UAX 31, RFC 5892). Names are compared without them.
"""

from __future__ import annotations

import unicodedata

from idna import valid_contextj

JOINERS = "\u200c\u200d"
WITHOUT_JOINERS = str.maketrans("", "", JOINERS)


def normal_username(text: str) -> str:
    """Return the form in which user names are stored and looked up."""
    return without_joiners(unicodedata.normalize("NFKC", text)).lower()


def without_joiners(text: str) -> str:
    return text.translate(WITHOUT_JOINERS)


def has_stray_joiner(text: str) -> bool:
    """Return True if a joiner is anywhere but between letters that it joins or separates."""
    places = [place for place, sign in enumerate(text) if sign in JOINERS]
    return not all(_is_letter(text[place + 1 : place + 2]) and valid_contextj(text, place) for place in places)


def has_stray_mark(text: str) -> bool:
    """Return True if a combining mark is on anything but a letter."""
    plain = without_joiners(text)
    pairs = zip(f" {plain}", plain, strict=False)
    return any(unicodedata.category(sign)[0] == "M" and not _is_letter(before) for before, sign in pairs)


def _is_letter(sign: str) -> bool:
    """Return True for a letter or a combining mark."""
    return bool(sign) and unicodedata.category(sign)[0] in "LM"
