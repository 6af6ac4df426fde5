"""Verify a record: its commitments, and that a replay gives the same events, complete and in order.

Specified in docs/fair-dealing.md. static/js/proof.js checks the same without the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from games.engine.deal import commitment, deal_source, nonce_commitment
from games.engine.events import (
    DealEvent,
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
from games.engine.notation import EVENT_KINDS, BadRecord
from games.engine.replay import IMPOSSIBLE_EVENT_ERRORS, replay_differences, start_event

EVENT_LETTERS: Mapping[type[Event], str] = MappingProxyType(
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
        StandingSet: "",  # events without a letter may occur anywhere
        SeatHeld: "",
        SeatReturned: "",
        SeatForfeited: "",
    }
)
FINISHED_LETTER = "f"  # the match ended with its last round; "x" is any other end
# Valid order of events so far: rounds, each with void deals before it and its key after it; then the end.
RUNNING_ORDER = re.compile("S(?:v*dm*ek)*(?:xs?|v*(?:dm*(?:xk?s?|e(?:fk?s?)?)?)?)?")
COMPLETE_ORDER = re.compile("S(?:v*dm*ek)*(?:xs|v*dm*(?:xks|efks))")
ENTROPY_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)


def verify(events: Iterable[Event]) -> list[str]:
    """Return a sentence for each error in a record and for what is not published yet; [] if the deals were fair."""
    record, errors = list(events), list[str]()
    try:
        errors.extend(find_errors(record))  # keeps the errors before an exception
    except BadRecord as error:
        return [*errors, str(error)]
    except IMPOSSIBLE_EVENT_ERRORS as error:
        return [*errors, repr(error)]
    return [*errors, *missing_parts(record)]


def find_errors(record: Sequence[Event]) -> Iterator[str]:
    """Yield a sentence for each error in a record, whether the match is over or not. Raises ``BadRecord``.

    The current rules decide everything again. Up to the first error only events that they allow are applied.
    """
    start = start_event(record)
    yield from board_differences(start) if start.source else nonce_differences(start)
    yield from order_differences(record)
    yield from key_differences(start, record)
    yield from replay_differences(record)


def missing_parts(record: Sequence[Event]) -> list[str]:
    """Return a sentence if the match is not over or the secret is not published."""
    if COMPLETE_ORDER.fullmatch(event_letters(record)):
        return []
    ended = any(isinstance(event, MatchEnded) for event in record)
    return ["The secret was not revealed." if ended else "The match is not over."]


def event_letters(record: Iterable[Event]) -> str:
    """Return the record with one letter per event, for ``RUNNING_ORDER`` and ``COMPLETE_ORDER``."""
    return "".join(
        FINISHED_LETTER if isinstance(event, MatchEnded) and event.reason == "finished" else EVENT_LETTERS[type(event)]
        for event in record
    )


def board_differences(start: MatchStarted) -> Iterator[str]:
    """Check the fields of a board. Nonces of its own would let its players choose among deals."""
    if type(start.first) is not int or start.first < 1:
        yield "Boards are numbered from 1."
    if not ENTROPY_PATTERN.fullmatch(start.entropy):
        yield "The entropy of the set is not a SHA-256."
    if start.nonces or start.nonce_commitments:
        yield "A board has no nonces of its own."
    yield from _bot_differences(start)


def nonce_differences(start: MatchStarted) -> Iterator[str]:
    """Compare the nonces with their commitments. A record without commitments proves less, but is valid."""
    commitments = start.nonce_commitments
    if start.first != 1 or start.entropy:
        yield "The match has fields of a board, but names no set."
    if len(start.nonces) != start.seats:
        yield "The number of nonces is not the number of seats."
    if not commitments:
        if start.bots:
            yield "The seats of bots are listed, but the commitments to the nonces are missing."
        return
    if len(commitments) != start.seats:
        yield "The number of commitments to nonces is not the number of seats."
    yield from _bot_differences(start)
    for seat, (nonce, promised) in enumerate(zip(start.nonces, commitments, strict=False)):
        if seat in start.bots and (nonce or promised):
            yield f"Seat {seat}: a bot must not have a nonce."
        if nonce and promised != nonce_commitment(nonce):
            yield f"Seat {seat}: the nonce is not the one that was committed to."


def _bot_differences(start: MatchStarted) -> Iterator[str]:
    if list(start.bots) != sorted(set(start.bots).intersection(range(start.seats))):
        yield "The seats of bots are not existing seats in order."


def order_differences(record: Sequence[Event]) -> Iterator[str]:
    """Yield a sentence for the first event that is out of order."""
    ordered = RUNNING_ORDER.match(event_letters(record))
    seqs = [seq for seq, event in enumerate(record, 1) if EVENT_LETTERS[type(event)]]
    for seq in seqs[ordered.end() if ordered else 0 :][:1]:
        yield f"Event {seq}: {EVENT_KINDS[type(record[seq - 1])]} is out of order."


def key_differences(start: MatchStarted, record: Iterable[Event]) -> Iterator[str]:
    """Check that every round has one key, that its deals committed to it, and that the secret gives the keys."""
    number, keys, deals = 1, dict[int, str](), list[DealEvent]()
    for event in record:
        if isinstance(event, DealEvent):
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
        if deal_source(start).round_key(secret, number) != key:
            yield f"Round {number}: the key does not come from the secret."
