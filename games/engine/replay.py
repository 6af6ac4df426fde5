"""Replaying a record: what the rules of today decide about everything that was done in a match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from games.engine.deal import round_key, shuffler
from games.engine.decide import deal_round, decide, forfeit, hold, leave, new_match, stop, take_back
from games.engine.events import (
    STOPS,
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    RoundDealt,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
    SecretRevealed,
)
from games.engine.evolve import evolve, start_state
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.notation import BadRecord
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.steps import cut
from games.engine.variants import UnknownVariant, rules_for

BROKEN = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What is raised when events that make no sense are applied."""


class Decision(NamedTuple):
    """One decision: the number of its first event, the state before it, and the facts it led to."""

    seq: int
    state: State
    facts: tuple[Event, ...]


def started(events: Sequence[Event]) -> MatchStarted:
    """Return how the match began. Raises ``BadRecord`` if there is no start, or no such variant."""
    first = events[0] if events else None
    if not isinstance(first, MatchStarted):
        raise BadRecord("A match begins with MatchStarted.")
    try:
        rules_for(first.variant)
    except UnknownVariant as error:
        raise BadRecord(f"No variant of ours: {first.variant!r}") from error
    return first


def decisions(events: Sequence[Event]) -> Iterator[Decision]:
    """Yield every decision after the start. Raises ``BadRecord`` where the events make no sense."""
    state = checked_start(started(events))
    for seq, facts in islice(cut(events), 1, None):
        yield Decision(seq, state, facts)
        for event in facts:
            state = applied(state, event, seq)


def applied(state: State, event: Event, seq: int) -> State:
    """Return the state after an event of a record from any source. Raises ``BadRecord`` if it cannot have happened."""
    try:
        return evolve(state, event)
    except BROKEN as error:
        raise BadRecord(f"Event {seq} cannot have happened.") from error


def keys_of(events: Sequence[Event]) -> dict[int, str]:
    """Return the keys of the rounds that were revealed or can be derived from the secret."""
    start = started(events)
    secret = next((event.secret for event in events if isinstance(event, SecretRevealed)), "")
    rounds = [event.round for event in events if isinstance(event, RoundDealt)]
    keys = {number: round_key(secret, start.match, number) for number in rounds} if secret else {}
    return keys | {event.round: event.key for event in events if isinstance(event, KeyRevealed)}


def made_again(start: MatchStarted, decision: Decision, keys: Mapping[int, str]) -> tuple[Event, ...]:
    """Return the facts that the rules of today make of a decision. Raises ``Refusal`` where they forbid it.

    What was set or revealed is returned as it is, and so is a deal whose key is not known yet.
    """
    rules, state, first = rules_for(start.variant), decision.state, decision.facts[0]
    if isinstance(first, Played | Drew | Passed):
        return decide(rules, state, first.seat, move_of(first), by=first.by)
    if isinstance(first, SeatHeld | SeatReturned | SeatForfeited):
        return seat_again(state, first)
    if isinstance(first, DealVoided | RoundDealt) and first.round in keys:
        return dealt_again(rules, start, state, keys[first.round], first.commitment)
    if isinstance(first, MatchEnded):
        return ended_again(rules, state, first.reason, first.seat)
    return decision.facts


def dealt_again(rules: Rules, start: MatchStarted, state: State, key: str, commitment: str) -> tuple[Event, ...]:
    """Deal the next round again with its key. Raises ``Refusal``, or ``ValueError`` if the key is not one."""
    count = len(rules.tile_set)
    shuffle = shuffler(key, start.match, state.round.number + 1, nonces=start.nonces, count=count)
    return deal_round(rules, state, shuffle, commitment=commitment)


def seat_again(state: State, event: SeatHeld | SeatReturned | SeatForfeited) -> tuple[Event, ...]:
    """Return what happens to a seat again. Raises ``Refusal``."""
    if isinstance(event, SeatReturned):
        return take_back(state, event.seat)
    return (hold if isinstance(event, SeatHeld) else forfeit)(state, event.seat, event.reason)


def ended_again(rules: Rules, state: State, reason: str, seat: int | None) -> tuple[Event, ...]:
    """Return the end of a match that a seat left or that was stopped. Raises ``Refusal``."""
    if seat is not None and seat not in range(state.setup.seats):
        raise Refusal("bad_request")
    if seat is None or reason in STOPS:
        return stop(state, reason, seat)
    return leave(rules, state, seat, reason)


def move_of(event: Played | Drew | Passed) -> Move:
    """Return the move that the event records."""
    if isinstance(event, Played):
        return Play(event.tile, event.place)
    return Draw() if isinstance(event, Drew) else Pass()


def differences(events: Sequence[Event]) -> Iterator[str]:
    """Decide everything again and describe each difference. Raises ``BadRecord``.

    A caller that stops at the first difference has applied nothing that the rules of today would not make, except
    ends of rounds and scores that were recorded on their own.
    """
    start, keys = started(events), keys_of(events)
    for decision in decisions(events):
        try:
            made = made_again(start, decision, keys)
        except Refusal as refusal:
            yield f"Event {decision.seq}: refused today, {refusal.rule or refusal.code}."
            continue
        if made != decision.facts:
            yield f"Event {decision.seq}: {_named(decision.facts)}; today {_named(made)}."


def checked_start(event: MatchStarted) -> State:
    """Return the state before the first deal of a match from any source. Raises ``BadRecord``."""
    rules = rules_for(event.variant)
    if type(event.rules_version) is not int:
        raise BadRecord("The version of the rules is no number.")
    if type(event.seats) is not int or not 0 < event.seats <= len(rules.tile_set):
        raise BadRecord("No rules ever had so many seats.")
    try:
        if rules.knows(event.rules_version):
            new_match(rules, event.seats, dict(event.options))
        return start_state(event)
    except (Refusal, *BROKEN) as error:
        raise BadRecord("No match can start so.") from error


def _named(facts: Iterable[Event]) -> str:
    return ", ".join(map(repr, facts))
