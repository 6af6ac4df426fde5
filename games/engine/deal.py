"""Fair dealing: from the committed secret to the order of the tiles (specified in docs/fair-dealing.md).

Secrets, keys and commitments are hexadecimal texts.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from games.engine.events import MatchStarted

WORD_BYTES = 4  # bytes of one random number
BOT, PROBE = "bot", "probe"  # an opponent on a board, and a bot in the seat of a person, whose results it joins


class DealSource(NamedTuple):
    """The public texts from which the deals of a match follow, together with the secret.

    A match has its own name and nonces. A board has those of its set, whose boards are numbered on: ``first`` is the
    number of the first round.
    """

    name: str
    first: int
    nonces: tuple[str, ...]

    def round_key(self, secret: str, round_number: int) -> str:
        """Return the key of a round, derived from the secret."""
        return round_key(secret, self.name, self.first + round_number - 1)

    def shuffler(self, key: str, round_number: int, count: int) -> Callable[[int], tuple[int, ...]]:
        """Return the ``shuffle`` argument of ``deal_round``: attempt number -> permutation of ``count`` indices."""
        return shuffler(key, self.name, self.first + round_number - 1, nonces=self.nonces, count=count)


def deal_source(start: MatchStarted) -> DealSource:
    """Return what the deals of a match follow from, together with the secret."""
    if start.source:
        return DealSource(start.source, start.first, (start.entropy,))
    return DealSource(start.match, 1, start.nonces)


def commitment(key: str) -> str:
    """Return the SHA-256 of a secret or a round key. Raises ``ValueError`` if it is not hexadecimal."""
    return sha256(bytes.fromhex(key)).hexdigest()


def nonce_commitment(nonce: str) -> str:
    """Return the SHA-256 of a nonce in UTF-8, "" for an empty one.

    >>> nonce_commitment("abc")[:16], nonce_commitment("")
    ('ba7816bf8f01cfea', '')
    """
    return sha256(nonce.encode()).hexdigest() if nonce else ""


def round_key(secret: str, match: str, round_number: int) -> str:
    """Return the key of a round, derived from the secret of the match."""
    return mac(secret, "round", match, str(round_number)).hex()


def permutation(
    key: str, match: str, round_number: int, attempt: int, *, nonces: Sequence[str], count: int
) -> tuple[int, ...]:
    """Return a permutation of ``count`` indices by Fisher-Yates, for one attempt at dealing a round.

    >>> permutation("00" * 32, "a match", 1, 1, nonces=("mine", "yours"), count=6)
    (5, 0, 2, 3, 4, 1)
    """
    words = _random_words(key, match, round_number, attempt, nonces)
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = random_below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def shuffler(
    key: str, match: str, round_number: int, *, nonces: Sequence[str], count: int
) -> Callable[[int], tuple[int, ...]]:
    """Return the ``shuffle`` argument of ``deal_round``: attempt number -> permutation."""
    return lambda attempt: permutation(key, match, round_number, attempt, nonces=nonces, count=count)


def bot_seed(key: str, seat: int, moves: int, *, name: str = BOT) -> int:
    """Return the seed of a bot's choice on a board after ``moves`` moves: the same at every table and in any process.

    >>> bot_seed("00" * 32, 0, 0) == bot_seed("00" * 32, 0, 0, name=PROBE)
    False
    """
    return int.from_bytes(mac(key, name, str(seat), str(moves))[:WORD_BYTES], "big")


def mac(key: str, *fields: str) -> bytes:
    """HMAC-SHA256 over the fields, each preceded by its length in bytes (4 bytes, big-endian)."""
    encoded = [field.encode() for field in fields]
    message = b"".join(len(field).to_bytes(4, "big") + field for field in encoded)
    return hmac.digest(bytes.fromhex(key), message, "sha256")


def _random_words(key: str, match: str, round_number: int, attempt: int, nonces: Sequence[str]) -> Iterator[int]:
    """Yield random 32-bit numbers without end, eight per block."""
    block = 0
    while True:
        digest = mac(key, "deal", match, str(round_number), str(attempt), str(block), str(len(nonces)), *nonces)
        yield from (int.from_bytes(digest[at : at + WORD_BYTES], "big") for at in range(0, len(digest), WORD_BYTES))
        block += 1


def random_below(limit: int, words: Iterator[int]) -> int:
    """Return a uniform random number below ``limit``. Words beyond its last multiple are rejected.

    >>> random_below(10, iter([2**32 - 1, 47]))
    7
    """
    space = 256**WORD_BYTES
    usable = space - space % limit
    return next(word for word in words if word < usable) % limit
