"""Fair dealing as pure functions, from the committed secret to every tile. Specified in docs/fair-dealing.md."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

WORD = 4
"""Bytes of one random number."""


def commitment(key: str) -> str:
    """Return SHA-256 of the bytes of a secret or a round key; all in hexadecimal. Raises ``ValueError``."""
    return sha256(bytes.fromhex(key)).hexdigest()


def nonce_commitment(nonce: str) -> str:
    """Return SHA-256 of the UTF-8 of a nonce in hexadecimal, "" for none.

    >>> nonce_commitment("abc")[:16], nonce_commitment("")
    ('ba7816bf8f01cfea', '')
    """
    return sha256(nonce.encode()).hexdigest() if nonce else ""


def round_key(secret: str, match: str, number: int) -> str:
    """Return the key of a round, derived from the match's secret; both in hexadecimal."""
    return _hmac(secret, "round", match, str(number)).hex()


def permutation(
    key: str, match: str, number: int, attempt: int, *, nonces: Sequence[str], count: int
) -> tuple[int, ...]:
    """Return the order of ``count`` indices that the round key deals in this attempt (Fisher-Yates).

    >>> permutation("00" * 32, "a match", 1, 1, nonces=("mine", "yours"), count=6)
    (5, 0, 2, 3, 4, 1)
    """
    words = _words(key, match, number, attempt, nonces)
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        chosen = below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def shuffler(
    key: str, match: str, number: int, *, nonces: Sequence[str], count: int
) -> Callable[[int], tuple[int, ...]]:
    """Return the shuffle of a round for ``deal_round``: the order of the set for each attempt."""
    return lambda attempt: permutation(key, match, number, attempt, nonces=nonces, count=count)


def _hmac(key: str, *fields: str) -> bytes:
    """HMAC-SHA256 over the fields, each preceded by its length in bytes (4 bytes, big-endian)."""
    encoded = [field.encode() for field in fields]
    message = b"".join(len(field).to_bytes(4, "big") + field for field in encoded)
    return hmac.digest(bytes.fromhex(key), message, "sha256")


def _words(key: str, match: str, number: int, attempt: int, nonces: Sequence[str]) -> Iterator[int]:
    """Yield random numbers of 32 bits without end, eight from each block."""
    block = 0
    while True:
        fields = ("deal", match, str(number), str(attempt), str(block), str(len(nonces)), *nonces)
        digest = _hmac(key, *fields)
        yield from (int.from_bytes(digest[at : at + WORD], "big") for at in range(0, len(digest), WORD))
        block += 1


def below(limit: int, words: Iterator[int]) -> int:
    """Return a number from 0 to limit - 1, each equally likely: words beyond the last full multiple are rejected.

    >>> below(10, iter([2**32 - 1, 47]))
    7
    """
    space = 256**WORD
    usable = space - space % limit
    return next(word for word in words if word < usable) % limit
