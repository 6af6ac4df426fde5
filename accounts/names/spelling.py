"""The normal form of user names, and the joiners that some scripts need.

U+200C and U+200D are invisible. They are allowed where they change the shape of the letters around them, as in Persian
and in the scripts of India (UAX 31, RFC 5892). Names are compared without them.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

from idna import valid_contextj

JOINERS = "\u200c\u200d"
WITHOUT_JOINERS = str.maketrans("", "", JOINERS)
PLAIN_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ø": "o", "Ø": "O", "ß": "ss"})


def normalize_username(text: str) -> str:
    """Return the form in which user names are stored and looked up."""
    return remove_joiners(unicodedata.normalize("NFKC", text)).lower()


def remove_accents(text: str, form: Literal["NFD", "NFKD"] = "NFD") -> str:
    """Return the text with plain letters, also for those that Unicode does not decompose, as in Łukasz."""
    decomposed = unicodedata.normalize(form, text)
    plain = "".join(character for character in decomposed if unicodedata.category(character)[0] != "M")
    return plain.translate(PLAIN_LETTERS)


def remove_joiners(text: str) -> str:
    return text.translate(WITHOUT_JOINERS)


def has_stray_joiner(text: str) -> bool:
    """Return True if a joiner is anywhere but between letters that it joins or separates."""
    indexes = [index for index, character in enumerate(text) if character in JOINERS]
    return not all(_is_letter(text[index + 1 : index + 2]) and valid_contextj(text, index) for index in indexes)


def has_stray_mark(text: str) -> bool:
    """Return True if a combining mark is on anything but a letter."""
    plain = remove_joiners(text)
    pairs = zip(f" {plain}", plain, strict=False)
    return any(unicodedata.category(character)[0] == "M" and not _is_letter(before) for before, character in pairs)


def _is_letter(character: str) -> bool:
    """Return True for a letter or a combining mark."""
    return bool(character) and unicodedata.category(character)[0] in "LM"
