"""The drawn animal next to a name, always the same for the same name."""

from __future__ import annotations

import zlib
from functools import lru_cache

from accounts.names import confusables
from accounts.names.reserved import BOT_NAMES

# Names of the drawings in ``static/img/faces``.
FACES = (
    *("badger", "bear", "beaver", "cat", "falcon", "fox", "frog", "goat", "hamster", "hare", "hedgehog", "heron"),
    *("lynx", "marten", "mole", "otter", "owl", "raven", "robin", "seal", "squirrel", "swan", "wolf"),
)


@lru_cache(maxsize=8192)
def face_of(name: str) -> str:
    """Return the animal of a name: the one that it begins with, or else one that its skeleton determines.

    No two bots have the same face.
    """
    first, _, _rest = name.casefold().partition(" ")
    if first in FACES:
        return first
    number = BOT_NAMES.index(name) if name in BOT_NAMES else zlib.crc32(confusables.skeleton(name).encode())
    return FACES[number % len(FACES)]
