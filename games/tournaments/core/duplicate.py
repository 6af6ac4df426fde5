"""The seats, sets and entropy of duplicate boards. docs/fair-dealing.md specifies how keys become tiles."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from games.engine.deal import mac

DAILY_BOARDS = 8
ENTRANTS_PER_SET = 16
# With 64 sets a friend has the same deals one day in 64, and more hardly help. The close lets the bots of all levels
# play each set, a second of a worker, so this bounds it even if somebody creates accounts to multiply the sets.
MAX_SETS = 64
LENGTH_BYTES = 4  # before each nonce


def seat_of_board(board: int, seats: int) -> int:
    """Return the seat of the person on a daily board, which are numbered from 1."""
    return (board - 1) % seats


def set_count(ranked_entrants: int) -> int:
    """Return the number of sets of a day from the ranked people of the day before.

    People talk, so not all get the same deals.

    >>> [set_count(entrants) for entrants in (0, 23, 24, 40, 160, 5000)]
    [1, 1, 2, 3, 10, 64]
    """
    return min(MAX_SETS, max(1, (2 * ranked_entrants + ENTRANTS_PER_SET) // (2 * ENTRANTS_PER_SET)))


def set_of_person(secret: str, person: str, sets: int) -> int:
    """Return the set of a person, below ``sets``. Nobody can know it before the day's secret is used."""
    return int.from_bytes(mac(secret, "set", person), "big") % sets


def entropy(nonces: Sequence[str]) -> str:
    """Return the SHA-256 of opened nonces in order of entry, each after its length in bytes; "" was not opened.

    >>> entropy(["ab"]) == sha256(bytes([0, 0, 0, 2]) + b"ab").hexdigest()
    True
    """
    encoded = [nonce.encode() for nonce in nonces]
    return sha256(b"".join(len(nonce).to_bytes(LENGTH_BYTES, "big") + nonce for nonce in encoded)).hexdigest()
