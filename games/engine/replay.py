"""Replay a record: decide everything in a match again by the current rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from games.engine.deal import deal_source
from games.engine.decide import (
    deal_round,
    decide,
    forfeit_seat,
    give_back_seat,
    hold_seat,
    leave_match,
    new_match,
    stop_match,
)
from games.engine.events import (
    STOP_REASONS,
    DealEvent,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    MoveEvent,
    RoundDealt,
    SeatEvent,
    SeatHeld,
    SeatReturned,
    SecretRevealed,
    move_of,
)
from games.engine.evolve import evolve, start_state
from games.engine.notation import BadRecord
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.steps import split_into_steps
from games.engine.variants import UnknownVariant, rules_for

# Raised when impossible events are applied.
IMPOSSIBLE_EVENT_ERRORS = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class Decision(NamedTuple):
    """The number of a decision's first event, the state before it, and its events."""

    seq: int
    state: State
    events: tuple[Event, ...]


def start_event(events: Sequence[Event]) -> MatchStarted:
    """Return the first event. Raises ``BadRecord`` if it is not the start of a match of a known variant."""
    first = events[0] if events else None
    if not isinstance(first, MatchStarted):
        raise BadRecord("A match begins with MatchStarted.")
    try:
        rules_for(first.variant)
    except UnknownVariant as error:
        raise BadRecord(f"No variant of ours: {first.variant!r}") from error
    return first


def decisions(events: Sequence[Event]) -> Iterator[Decision]:
    """Yield every decision after the start. Raises ``BadRecord`` for impossible events."""
    state = initial_state(start_event(events))
    for seq, step in islice(split_into_steps(events), 1, None):
        yield Decision(seq, state, step)
        for event in step:
            state = apply_untrusted(state, event, seq)


def apply_untrusted(state: State, event: Event, seq: int) -> State:
    """Return the state after an event from any source. Raises ``BadRecord`` if it is impossible."""
    try:
        return evolve(state, event)
    except IMPOSSIBLE_EVENT_ERRORS as error:
        raise BadRecord(f"Event {seq} cannot have happened.") from error


def round_keys(events: Sequence[Event]) -> dict[int, str]:
    """Return the keys of the rounds that are published or can be derived from the secret."""
    start = start_event(events)
    secret = next((event.secret for event in events if isinstance(event, SecretRevealed)), "")
    rounds = [event.round for event in events if isinstance(event, RoundDealt)]
    keys = {number: deal_source(start).round_key(secret, number) for number in rounds} if secret else {}
    return keys | {event.round: event.key for event in events if isinstance(event, KeyRevealed)}


def decide_again(start: MatchStarted, decision: Decision, keys: Mapping[int, str]) -> tuple[Event, ...]:
    """Return the events of a decision by the current rules. Raises ``Refusal`` if they forbid it.

    Revealed keys, set scores and deals without a known key are returned unchanged.
    """
    rules, state, first = rules_for(start.variant), decision.state, decision.events[0]
    if isinstance(first, MoveEvent):
        return decide(rules, state, first.seat, move_of(first), by=first.by)
    if isinstance(first, SeatReturned):
        return give_back_seat(state, first.seat)
    if isinstance(first, SeatEvent):
        return (hold_seat if isinstance(first, SeatHeld) else forfeit_seat)(state, first.seat, first.reason)
    if isinstance(first, DealEvent) and first.round in keys:
        return repeat_deal(rules, start, state, keys[first.round], first.commitment)
    if isinstance(first, MatchEnded):
        return repeat_match_end(rules, state, first.reason, first.seat)
    return decision.events


def repeat_deal(rules: Rules, start: MatchStarted, state: State, key: str, commitment: str) -> tuple[Event, ...]:
    """Deal the next round with its key. Raises ``Refusal``, or ``ValueError`` for a malformed key."""
    count = len(rules.tile_set)
    shuffle = deal_source(start).shuffler(key, state.round.number + 1, count)
    return deal_round(rules, state, shuffle, commitment=commitment)


def repeat_match_end(rules: Rules, state: State, reason: str, seat: int | None) -> tuple[Event, ...]:
    """Return the end of a match that a seat left or that was stopped. Raises ``Refusal``."""
    if seat is not None and seat not in range(state.setup.seats):
        raise Refusal("bad_request")
    if seat is None or reason in STOP_REASONS:
        return stop_match(state, reason, seat)
    return leave_match(rules, state, seat, reason)


def replay_differences(events: Sequence[Event]) -> Iterator[str]:
    """Decide everything again and yield a sentence for each difference. Raises ``BadRecord``.

    Up to the first difference only events that the current rules allow are applied, except ends of rounds and scores
    that are not the consequence of a move.
    """
    start, keys = start_event(events), round_keys(events)
    for decision in decisions(events):
        try:
            current = decide_again(start, decision, keys)
        except Refusal as refusal:
            yield f"Event {decision.seq}: refused today, {refusal.rule or refusal.code}."
            continue
        if current != decision.events:
            recorded, today = (", ".join(map(repr, step)) for step in (decision.events, current))
            yield f"Event {decision.seq}: {recorded}; today {today}."


def initial_state(event: MatchStarted) -> State:
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
    except (Refusal, *IMPOSSIBLE_EVENT_ERRORS) as error:
        raise BadRecord("No match can start so.") from error
