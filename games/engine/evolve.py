"""Apply events to a state. Legality is not checked here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import Any

from games.engine.events import (
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    MoveEvent,
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
from games.engine.state import Act, MoveMade, Round, Setup, State, replace_fields
from games.engine.tiles import Tile
from games.engine.variants import rules_for


def start_state(event: MatchStarted) -> State:
    """Return the state before the first deal. Raises ``UnknownVariant``."""
    rules = rules_for(event.variant)
    recorded = dict(event.options)
    implied = [(option.name, option.default) for option in rules.options if option.implied]
    options = (*event.options, *(choice for choice in implied if choice[0] not in recorded))
    sides = rules.sides(event.seats, dict(options))
    return State(
        setup=Setup(event.variant, event.rules_version, event.seats, options, sides),
        round=Round(rules.layout),
        standing=(rules.first_standing,) * len(set(sides)),
        hands=((),) * event.seats,
    )


def evolve(state: State, event: Event) -> State:
    """Return the state after the event. Raises ``KeyError`` for ``MatchStarted``, which ``start_state`` applies."""
    return APPLY_BY_TYPE[type(event)](state, event)


def fold(events: Iterable[Event]) -> State:
    """Return the state after all events. Raises ``ValueError`` unless the first is ``MatchStarted``.

    From before the last deal only the ``RoundEnded`` and seat events are needed.
    """
    first, *rest = events
    if not isinstance(first, MatchStarted):
        raise ValueError("A record begins with MatchStarted.")
    return reduce(evolve, rest, start_state(first))


@lru_cache(maxsize=1024)
def starting_layout(rules: Rules, start: tuple[str, ...]) -> Layout:
    """Return the layout after the deal, with the placements of ``start`` only."""
    layout = rules.layout
    for text in start:
        if placement := layout.read(text):
            layout = layout.place(*placement)
    return layout


def _deal(state: State, event: RoundDealt) -> State:
    round_ = Round(
        number=event.round,
        attempt=event.attempt,
        commitment=event.commitment,
        start=event.start,
        layout=starting_layout(rules_for(state.setup.variant), event.start),
        to_move=event.to_move,
        leader=event.to_move,
        peak=max(standing.points for standing in event.standing),
    )
    return replace_fields(
        state,
        round=round_,
        standing=event.standing,
        hands=event.hands,
        boneyard=event.boneyard,
        aside=event.aside,
        must_lead=event.must_lead,
        lead_rule=event.rule if event.must_lead else "",
        standing_set=StandingSet(event.standing, event.pot),
    )


def _play(state: State, event: Played) -> State:
    hand = list(state.hands[event.seat])
    hand.remove(event.tile)
    before = state.round
    table = {
        "layout": before.layout.place(event.tile, event.place),
        "plays": (*before.plays, event),
        "drawn": 0,
        "passes": 0,
    }
    return _move(state, event, "play", table, hands=_with_hand(state, event.seat, tuple(hand)))


def _draw(state: State, event: Drew) -> State:
    hands = _with_hand(state, event.seat, (*state.hands[event.seat], event.tile))
    return _move(state, event, "draw", {"drawn": state.round.drawn + 1}, hands=hands, boneyard=state.boneyard[1:])


def _pass(state: State, event: Passed) -> State:
    return _move(state, event, "pass", {"drawn": 0, "passes": state.round.passes + 1})


def _move(state: State, event: MoveEvent, act: Act, table: dict[str, Any], **changes: Any) -> State:
    """Return the state after a move with its points. ``table`` are changes of the round, ``changes`` of the state."""
    before, gained = state.round, event.points.total
    if gained:
        side = state.setup.sides[event.seat]
        side_standing = state.standing[side].plus(gained)
        changes["standing"] = (*state.standing[:side], side_standing, *state.standing[side + 1 :])
        table["peak"] = max(before.peak, side_standing.points)
    moves = (*before.moves, MoveMade(event.seat, act, event.points, event.by))
    after = replace_fields(before, moves=moves, to_move=event.to_move, scored=gained, **table)
    return replace_fields(state, round=after, **changes)


def _with_hand(state: State, seat: int, hand: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


def _end_round(state: State, event: RoundEnded) -> State:
    return replace_fields(
        state,
        round=replace_fields(state.round, number=event.round, to_move=None, over=event),
        standing=event.standing,
        lead=event.lead,
        standing_set=None,
        rounds=(*state.rounds, event),
    )


def _forfeit(state: State, event: SeatForfeited) -> State:
    absent = (*_without(state.absent, event.seat), event.seat)
    return replace_fields(state, absent=absent, forfeited=(*state.forfeited, event.seat))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


APPLY_BY_TYPE: Mapping[type[Event], Callable[[State, Any], State]] = MappingProxyType(
    {
        RoundDealt: _deal,
        Played: _play,
        Drew: _draw,
        Passed: _pass,
        RoundEnded: _end_round,
        MatchEnded: lambda state, event: replace_fields(
            state, round=replace_fields(state.round, to_move=None), match_over=event
        ),
        StandingSet: lambda state, event: replace_fields(state, standing=event.standing, standing_set=event),
        DealVoided: lambda state, _event: state,
        KeyRevealed: lambda state, event: replace_fields(state, round=replace_fields(state.round, key=event.key)),
        SecretRevealed: lambda state, event: replace_fields(state, secret=event.secret),
        SeatHeld: lambda state, event: replace_fields(state, absent=(*state.absent, event.seat)),
        SeatReturned: lambda state, event: replace_fields(state, absent=_without(state.absent, event.seat)),
        SeatForfeited: _forfeit,
    }
)
