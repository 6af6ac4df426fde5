"""What a record proves about its deals: that a replay gives the same events, complete and in order.

docs/fair-dealing.md specifies it; static/js/proof.js checks the same without the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from games.engine.deal import commitment, nonce_commitment, round_key
from games.engine.events import (
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
    SecretRevealed,
    StandingSet,
)
from games.engine.notation import KINDS, BadRecord
from games.engine.replay import BROKEN, differences, started

LETTERS: Mapping[type[Event], str] = MappingProxyType(
    {
        MatchStarted: "S",
        DealVoided: "v",
        RoundDealt: "d",
        Played: "m",
        Drew: "m",
        Passed: "m",
        RoundEnded: "e",
        KeyRevealed: "k",
        MatchEnded: "x",
        SecretRevealed: "s",
        StandingSet: "",  # the referee's, wherever it likes
        SeatHeld: "",  # at any moment
        SeatReturned: "",
        SeatForfeited: "",
    }
)
FINISHED = "f"
"""The end of a match by its last round; any other end is written x."""
RUNNING = re.compile("S(?:v*dm*ek)*(?:xs?|v*(?:dm*(?:xk?s?|e(?:fk?s?)?)?)?)?")
"""The order of events: rounds, each with its void deals before it and its key after it, and then the end."""
OVER = re.compile("S(?:v*dm*ek)*(?:xs|v*dm*(?:xks|efks))")


def verify(events: Iterable[Event]) -> list[str]:
    """Check everything that proves the deals fair. Return in words what does not hold or is not revealed yet."""
    record, found = list(events), list[str]()
    try:
        found.extend(wrong(record))  # what was found before it breaks stays
    except BadRecord as error:
        return [*found, str(error)]
    except BROKEN as error:
        return [*found, repr(error)]
    return [*found, *missing(record)]


def wrong(record: Sequence[Event]) -> Iterator[str]:
    """Yield what does not hold in a record, whether the match is over or not. Raises ``BadRecord``.

    Everything is decided again by the rules of today. A caller that stops at the first finding has applied nothing
    that they would not make.
    """
    start = started(record)
    yield from nonce_differences(start)
    yield from order_differences(record)
    yield from key_differences(start, record)
    yield from differences(record)


def missing(record: Sequence[Event]) -> list[str]:
    """Return what is not revealed yet."""
    if OVER.fullmatch(letters(record)):
        return []
    ended = any(isinstance(event, MatchEnded) for event in record)
    return ["The secret was not revealed." if ended else "The match is not over."]


def letters(record: Iterable[Event]) -> str:
    """Return a letter for each event."""
    return "".join(
        FINISHED if isinstance(event, MatchEnded) and event.reason == "finished" else LETTERS[type(event)]
        for event in record
    )


def nonce_differences(start: MatchStarted) -> Iterator[str]:
    """Compare the nonces with their commitments. A record without any proves less, but nothing in it is wrong."""
    promises = start.nonce_commitments
    if len(start.nonces) != start.seats:
        yield "There is not one nonce a seat."
    if not promises:
        if start.bots:
            yield "The seats of bots are told, but the commitments to the nonces are missing."
        return
    if len(promises) != start.seats:
        yield "There is not one commitment to a nonce a seat."
    if list(start.bots) != sorted(set(start.bots).intersection(range(start.seats))):
        yield "The seats of bots are no seats, or are not in order."
    for seat, (nonce, promise) in enumerate(zip(start.nonces, promises, strict=False)):
        if seat in start.bots and (nonce or promise):
            yield f"Seat {seat}: a bot must not have a nonce."
        if nonce and promise != nonce_commitment(nonce):
            yield f"Seat {seat}: the nonce is not the one that was committed to."


def order_differences(record: Sequence[Event]) -> Iterator[str]:
    """Return the first event that is out of order."""
    due = RUNNING.match(letters(record))
    seqs = [seq for seq, event in enumerate(record, 1) if LETTERS[type(event)]]
    for seq in seqs[due.end() if due else 0 :][:1]:
        yield f"Event {seq}: {KINDS[type(record[seq - 1])]} cannot stand here."


def key_differences(start: MatchStarted, record: Iterable[Event]) -> Iterator[str]:
    """Check that each round has one key, committed to with its deals, and that the keys come from the secret."""
    number, keys, deals = 1, dict[int, str](), list[DealVoided | RoundDealt]()
    for event in record:
        if isinstance(event, DealVoided | RoundDealt):
            deals.append(event)
        elif isinstance(event, KeyRevealed):
            if {event.round, *(deal.round for deal in deals)} != {number}:
                yield f"Round {event.round}: round {number} is due."
            for deal in deals:
                if deal.commitment != commitment(event.key):
                    yield f"Round {number}, attempt {deal.attempt}: the key is not the one committed to."
            keys[event.round] = event.key
            number, deals = number + 1, []
        elif isinstance(event, SecretRevealed):
            yield from _secret_differences(start, event.secret, keys)


def _secret_differences(start: MatchStarted, secret: str, keys: Mapping[int, str]) -> Iterator[str]:
    if commitment(secret) != start.commitment:
        yield "The secret is not the one committed to."
    for number, key in keys.items():
        if round_key(secret, start.match, number) != key:
            yield f"Round {number}: the key does not come from the secret."
