"""Isolates right-to-left names and texts in left-to-right sentences.

Templates use ``<bdi>``. Sentences use control characters, because they may be in attributes, titles and mails. Frames
of tables use them too, to save bytes: most names need none.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
RIGHT_TO_LEFT = {"R", "AL"}


@lru_cache(maxsize=5000)
def isolate(text: str) -> str:
    """Return the text; if it is right-to-left, between control characters that keep the order around it."""
    if not any(unicodedata.bidirectional(character) in RIGHT_TO_LEFT for character in text):
        return text
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"
