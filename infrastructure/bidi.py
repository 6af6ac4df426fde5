"""Names and texts that are written from right to left, within sentences that are written from left to right.

Templates isolate a name by ``<bdi>``. Sentences, which may stand in attributes, titles and mails, isolate it by
control characters, and so do the frames of a table, whose bytes count: most names need none.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
RIGHT_TO_LEFT = {"R", "AL"}


@lru_cache(maxsize=5000)
def isolate(text: str) -> str:
    """Return a text that does not change the order of what is around it: with marks if it is right-to-left."""
    if not any(unicodedata.bidirectional(character) in RIGHT_TO_LEFT for character in text):
        return text
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"
