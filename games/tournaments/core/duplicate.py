"""The seats, sets and entropy of duplicate boards. docs/fair-dealing.md specifies how keys become tiles."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from games.engine.deal import mac

DAILY_BOARDS = 8
ENTRANTS_PER_SET = 16
LENGTH_BYTES = 4  # before each nonce


def seat_of_board(board: int, seats: int) -> int:
    """Return the seat of the person on a daily board, which are numbered from 1."""
    return (board - 1) % seats


def set_count(entrants_yesterday: int) -> int:
    """Return the number of sets of a day: people talk, so not all get the same deals.

    >>> [set_count(entrants) for entrants in (0, 23, 24, 40, 160)]
    [1, 1, 2, 3, 10]
    """
    return max(1, (2 * entrants_yesterday + ENTRANTS_PER_SET) // (2 * ENTRANTS_PER_SET))


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
