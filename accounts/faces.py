"""The face beside a name: a drawn animal on the person's colour, always the same for the same name."""

from __future__ import annotations

import zlib
from functools import lru_cache

from accounts.names import confusables
from accounts.names.reserved import BOT_NAMES

FACES = (
    *("badger", "bear", "cat", "fox", "frog", "goat", "hare"),
    *("hedgehog", "mole", "otter", "owl", "robin", "seal", "wolf"),
)
"""The names of the drawings in ``static/img/faces``."""


@lru_cache(maxsize=8192)
def face_of(name: str) -> str:
    """Return the animal of a name: that which a suggested name begins with, any other by the name's look-alikes.

    No two bots have the same.
    """
    first, _, _rest = name.casefold().partition(" ")
    if first in FACES:
        return first
    number = BOT_NAMES.index(name) if name in BOT_NAMES else zlib.crc32(confusables.skeleton(name).encode())
    return FACES[number % len(FACES)]
