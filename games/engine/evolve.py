"""Applying events: a state and an event make the next state. Nothing is judged here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
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
    RoundDealt,
    RoundEnded,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
    SecretRevealed,
    StandingSet,
)
from games.engine.layout import Layout
from games.engine.rules import Rules
from games.engine.state import Act, MoveMade, Round, Setup, State, changed
from games.engine.tiles import Tile
from games.engine.variants import rules_for


def start_state(event: MatchStarted) -> State:
    """Return the state before the first deal. Raises ``UnknownVariant``."""
    rules = rules_for(event.variant)
    options = _with_implied(rules, event.options)
    sides = rules.sides(event.seats, dict(options))
    return State(
        setup=Setup(event.variant, event.rules_version, event.seats, options, sides),
        round=Round(rules.layout),
        standing=(rules.first_standing,) * len(set(sides)),
        hands=((),) * event.seats,
    )


def _with_implied(rules: Rules, options: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return the options of a record with the defaults that it leaves out."""
    given = dict(options)
    implied = [(option.name, option.default) for option in rules.options if option.implied]
    return options + tuple(choice for choice in implied if choice[0] not in given)


def evolve(state: State, event: Event) -> State:
    """Return the state after the event."""
    return APPLY[type(event)](state, event)


def fold(events: Iterable[Event]) -> State:
    """Return the state after all events; the first is ``MatchStarted``.

    Of the rounds before the last deal only their ``RoundEnded`` are needed, and what happened to seats: the result is
    the same.
    """
    rest = iter(events)
    first = next(rest)
    if not isinstance(first, MatchStarted):
        raise ValueError("A record begins with MatchStarted.")
    state = start_state(first)
    for event in rest:
        state = evolve(state, event)
    return state


@lru_cache(maxsize=1024)
def laid_out(rules: Rules, start: tuple[str, ...]) -> Layout:
    """Return the layout right after the deal, with nothing on it but these placements."""
    layout = rules.layout
    for text in start:
        found = layout.read(text)
        if found:
            layout = layout.place(*found)
    return layout


def _dealt(state: State, event: RoundDealt) -> State:
    dealt = Round(
        number=event.round,
        attempt=event.attempt,
        commitment=event.commitment,
        start=event.start,
        layout=laid_out(rules_for(state.setup.variant), event.start),
        to_move=event.to_move,
        leader=event.to_move,
        peak=max(standing.points for standing in event.standing),
    )
    return changed(
        state,
        round=dealt,
        standing=event.standing,
        hands=event.hands,
        boneyard=event.boneyard,
        aside=event.aside,
        must_lead=event.must_lead,
        lead_rule=event.rule if event.must_lead else "",
        standing_set=StandingSet(event.standing, event.pot),
    )


def _played(state: State, event: Played) -> State:
    hand = list(state.hands[event.seat])
    hand.remove(event.tile)
    before = state.round
    table = {
        "layout": before.layout.place(event.tile, event.place),
        "plays": (*before.plays, event),
        "drawn": 0,
        "passes": 0,
    }
    return _moved(state, event, "play", table, hands=_with_hand(state, event.seat, tuple(hand)))


def _drew(state: State, event: Drew) -> State:
    hands = _with_hand(state, event.seat, (*state.hands[event.seat], event.tile))
    table = {"drawn": state.round.drawn + 1}
    return _moved(state, event, "draw", table, hands=hands, boneyard=state.boneyard[1:])


def _passed(state: State, event: Passed) -> State:
    return _moved(state, event, "pass", {"drawn": 0, "passes": state.round.passes + 1})


def _moved(state: State, event: Played | Drew | Passed, act: Act, table: dict[str, Any], **changes: Any) -> State:
    """Return the state after a move, with what it scored, and with changes of its own to the round and elsewhere."""
    before, gained = state.round, event.points.total
    if gained:
        side = state.setup.sides[event.seat]
        standing = state.standing[side].plus(gained)
        changes["standing"] = (*state.standing[:side], standing, *state.standing[side + 1 :])
        table["peak"] = max(before.peak, standing.points)
    moves = (*before.moves, MoveMade(event.seat, act, event.points, event.by))
    after = changed(before, moves=moves, to_move=event.to_move, scored=gained, **table)
    return changed(state, round=after, **changes)


def _round_ended(state: State, event: RoundEnded) -> State:
    return changed(
        state,
        round=changed(state.round, number=event.round, to_move=None, over=event),
        standing=event.standing,
        lead=event.lead,
        standing_set=None,
        rounds=(*state.rounds, event),
    )


def _match_ended(state: State, event: MatchEnded) -> State:
    return changed(state, round=changed(state.round, to_move=None), match_over=event)


def _standing_set(state: State, event: StandingSet) -> State:
    return changed(state, standing=event.standing, standing_set=event)


def _key_revealed(state: State, event: KeyRevealed) -> State:
    return changed(state, round=changed(state.round, key=event.key))


def _secret_revealed(state: State, event: SecretRevealed) -> State:
    return changed(state, secret=event.secret)


def _seat_held(state: State, event: SeatHeld) -> State:
    return changed(state, absent=(*state.absent, event.seat))


def _seat_returned(state: State, event: SeatReturned) -> State:
    return changed(state, absent=_without(state.absent, event.seat))


def _seat_forfeited(state: State, event: SeatForfeited) -> State:
    absent = (*_without(state.absent, event.seat), event.seat)
    return changed(state, absent=absent, forfeited=(*state.forfeited, event.seat))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


def _unchanged(state: State, event: DealVoided) -> State:
    return state


def _with_hand(state: State, seat: int, hand: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


APPLY: Mapping[type[Event], Callable[[State, Any], State]] = MappingProxyType(
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
        SeatHeld: _seat_held,
        SeatReturned: _seat_returned,
        SeatForfeited: _seat_forfeited,
    }
)
