"""Fair dealing: from a committed secret to every tile, as pure functions. docs/fair-dealing.md specifies it."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256

from games.engine.decide import lot_of
from games.engine.events import DealVoided, Event, KeyRevealed, MatchStarted, RoundDealt, SecretRevealed
from games.engine.evolve import start_state
from games.engine.rules import Deal
from games.engine.tiles import tile_text
from games.engine.variants import rules_for

WORD = 4
"""Bytes of one random number."""


def commitment(key: str) -> str:
    """Return SHA-256 of the bytes of a secret or a round key; all in hexadecimal. Raise ``ValueError``."""
    return sha256(bytes.fromhex(key)).hexdigest()


def round_key(secret: str, match: str, number: int) -> str:
    """Return the key of a round, derived from the match's secret; both in hexadecimal."""
    return _hmac(secret, "round", match, str(number)).hex()


def permutation(
    key: str, match: str, number: int, attempt: int, *, nonces: Sequence[str], count: int
) -> tuple[int, ...]:
    """Return the order of ``count`` indices that the round key deals in this attempt (Fisher-Yates)."""
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


def verify(events: Iterable[Event]) -> list[str]:
    """Check every deal of a record against what was committed and revealed. Return the differences in words."""
    record = list(events)
    started = record[0] if record else None
    if not isinstance(started, MatchStarted):
        return ["The record does not begin with the start of a match."]
    keys = {event.round: event.key for event in record if isinstance(event, KeyRevealed)}
    secret = next((event.secret for event in record if isinstance(event, SecretRevealed)), "")
    differences = _secret_differences(started, secret, keys)
    for event in record:
        if isinstance(event, DealVoided | RoundDealt):
            differences += _deal_differences(started, event, keys.get(event.round, ""))
    return differences


def _secret_differences(started: MatchStarted, secret: str, keys: dict[int, str]) -> list[str]:
    if not secret:
        return ["The secret was not revealed."]
    if commitment(secret) != started.commitment:
        return ["The secret is not the one committed to."]
    return [
        f"Round {number}: the key does not come from the secret."
        for number, key in keys.items()
        if round_key(secret, started.match, number) != key
    ]


def _deal_differences(started: MatchStarted, event: DealVoided | RoundDealt, key: str) -> list[str]:
    where = f"Round {event.round}, attempt {event.attempt}"
    if not key:
        return [f"{where}: the key was not revealed."]
    if commitment(key) != event.commitment:
        return [f"{where}: the key is not the one committed to."]
    rules = rules_for(started.variant)
    count = len(rules.tile_set)
    shuffle = shuffler(key, started.match, event.round, nonces=started.nonces, count=count)
    dealt = _texts(event)
    expected = _texts(rules.deal(start_state(started), shuffle(event.attempt)))
    if len(dealt) != len(expected):
        return [f"{where}: {len(dealt)} tiles instead of {len(expected)}."]
    differences = [
        f"{where}, tile {number}: {was} instead of {right}."
        for number, (was, right) in enumerate(zip(dealt, expected, strict=True), 1)
        if was != right
    ]
    if isinstance(event, RoundDealt) and event.lots and event.to_move != lot_of(shuffle)(event.lots):
        differences.append(f"{where}: another seat leads than the lot fell on.")
    return differences


def _texts(deal: Deal | DealVoided | RoundDealt) -> list[str]:
    """Write everything dealt, in the order in which it comes out of the shuffle."""
    tiles = [tile_text(tile) for part in (*deal.hands, deal.boneyard, deal.aside) for tile in part]
    return [*tiles, *deal.start]


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
    """Return a number from 0 to limit - 1, each equally likely: words of the incomplete last run are thrown away."""
    space = 256**WORD
    usable = space - space % limit
    return next(word for word in words if word < usable) % limit
