"""Booking the facts: a state and an event make the next state. Nothing is judged here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from games.engine.events import (
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Points,
    RoundDealt,
    RoundEnded,
    SecretRevealed,
    StandingSet,
)
from games.engine.layout import Layout
from games.engine.rules import Rules
from games.engine.state import State, Step
from games.engine.tiles import Tile
from games.engine.variants import rules_for


def start_state(event: MatchStarted) -> State:
    """Return the state before the first deal. Raise ``UnknownVariant``."""
    rules = rules_for(event.variant)
    sides = rules.sides(event.seats, dict(event.options))
    return State(
        variant=event.variant,
        seats=event.seats,
        options=event.options,
        standing=(rules.first_standing,) * len(set(sides)),
        layout=rules.layout,
        sides=sides,
        hands=((),) * event.seats,
    )


def evolve(state: State, event: Event) -> State:
    """Return the state after the event."""
    return BOOKING[type(event)](state, event)


def fold(events: Iterable[Event]) -> State:
    """Return the state after all events; the first is ``MatchStarted``.

    Of the rounds before the last deal only their ``RoundEnded`` are needed: the result is the same.
    """
    rest = iter(events)
    first = next(rest)
    if not isinstance(first, MatchStarted):
        raise ValueError("A record begins with MatchStarted.")
    state = start_state(first)
    for event in rest:
        state = evolve(state, event)
    return state


def laid_out(rules: Rules, start: Iterable[str]) -> Layout:
    """Return the layout as it lies from the deal on, with nothing but these placements."""
    layout = rules.layout
    for text in start:
        found = layout.read(text)
        if found:
            layout = layout.place(*found)
    return layout


def _dealt(state: State, event: RoundDealt) -> State:
    return replace(
        state,
        round=event.round,
        attempt=event.attempt,
        commitment=event.commitment,
        key="",
        hands=event.hands,
        boneyard=event.boneyard,
        aside=event.aside,
        start=event.start,
        layout=laid_out(rules_for(state.variant), event.start),
        plays=(),
        steps=(),
        to_move=event.to_move,
        must_lead=event.must_lead,
        lead_rule=event.rule if event.must_lead else "",
        drawn=0,
        passes=0,
        scored=0,
        peak=max(standing.points for standing in event.standing),
        standing=event.standing,
        pot=event.pot,
        round_over=None,
    )


def _played(state: State, event: Played) -> State:
    hand = list(state.hands[event.seat])
    hand.remove(event.tile)
    return replace(
        state,
        hands=_with_hand(state, event.seat, tuple(hand)),
        layout=state.layout.place(event.tile, event.place),
        plays=(*state.plays, event),
        steps=(*state.steps, Step(event.seat, "play", event.points)),
        to_move=event.to_move,
        drawn=0,
        passes=0,
        **_scored(state, event.seat, event.points),
    )


def _drew(state: State, event: Drew) -> State:
    return replace(
        state,
        hands=_with_hand(state, event.seat, (*state.hands[event.seat], event.tile)),
        boneyard=state.boneyard[1:],
        steps=(*state.steps, Step(event.seat, "draw", event.points)),
        to_move=event.to_move,
        drawn=state.drawn + 1,
        **_scored(state, event.seat, event.points),
    )


def _passed(state: State, event: Passed) -> State:
    return replace(
        state,
        steps=(*state.steps, Step(event.seat, "pass", event.points)),
        to_move=event.to_move,
        drawn=0,
        passes=state.passes + 1,
        **_scored(state, event.seat, event.points),
    )


def _round_ended(state: State, event: RoundEnded) -> State:
    return replace(
        state,
        round=event.round,
        to_move=None,
        lead=event.lead,
        standing=event.standing,
        pot=event.pot,
        rounds=(*state.rounds, event),
        round_over=event,
    )


def _match_ended(state: State, event: MatchEnded) -> State:
    return replace(state, to_move=None, pot=0, match_over=event)


def _standing_set(state: State, event: StandingSet) -> State:
    return replace(state, standing=event.standing, pot=event.pot)


def _key_revealed(state: State, event: KeyRevealed) -> State:
    return replace(state, key=event.key)


def _secret_revealed(state: State, event: SecretRevealed) -> State:
    return replace(state, secret=event.secret)


def _unchanged(state: State, event: DealVoided) -> State:
    return state


def _with_hand(state: State, seat: int, hand: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


def _scored(state: State, seat: int, points: Points) -> dict[str, Any]:
    """Return the fields that the points of a move change."""
    if not points.total:
        return {"scored": 0}
    side = state.sides[seat]
    standing = list(state.standing)
    now = standing[side].points + points.total
    standing[side] = replace(standing[side], points=now)
    return {"scored": points.total, "standing": tuple(standing), "peak": max(state.peak, now)}


BOOKING: Mapping[type[Event], Callable[[State, Any], State]] = MappingProxyType(
    {
        RoundDealt: _dealt,
        Played: _played,
        Drew: _drew,
        Passed: _passed,
        RoundEnded: _round_ended,
        MatchEnded: _match_ended,
        StandingSet: _standing_set,
        DealVoided: _unchanged,
        KeyRevealed: _key_revealed,
        SecretRevealed: _secret_revealed,
    }
)
