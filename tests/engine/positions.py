"""Positions, moves and results in notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any, TypeVar

import pytest

from games.engine.decide import deal_round, decide, new_match
from games.engine.events import Event, MatchEnded, MatchStarted, Played, RoundDealt, RoundEnded
from games.engine.evolve import evolve, start_state
from games.engine.layout import Layout
from games.engine.layout.line import Line, LineTile
from games.engine.moves import Move
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile

LayoutT = TypeVar("LayoutT", bound=Layout)


def tile(text: str) -> Tile:
    """Read a two-sided tile with its halves in either order."""
    one, other = sorted(map(int, text.split("-")))
    return (other, one)


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(tile, text.split()))


def line(text: str) -> Line:
    """Read a line of play from left to right: ``2-4 4-1``."""
    halves = [tuple(map(int, part.split("-"))) for part in text.split()]
    assert all(one[1] == other[0] for one, other in pairwise(halves)), text
    placed = tuple(LineTile(tile(f"{one}-{other}"), one, other, order) for order, (one, other) in enumerate(halves))
    return Line(placed, halves[0][0], halves[-1][1]) if placed else Line()


def board(empty: Layout, text: str) -> Any:
    """Return the layout after these placements: ``U(0,0)=4/4/5 D(0,0)=...`` or ``6-6, 6-3 left``."""
    for part in text.split(", ") if ", " in text else text.split():
        placement = empty.read(part)
        assert placement, part
        empty = empty.place(*placement)
    return empty


def begun(event: Event) -> State:
    """Return the state after the first event of a record."""
    assert isinstance(event, MatchStarted)
    return start_state(event)


def layout_of(state: State, family: type[LayoutT]) -> LayoutT:
    layout = state.round.layout
    assert isinstance(layout, family)
    return layout


def position(
    rules: Rules,
    *,
    hands: Sequence[str],
    laid: str = "",
    start: str = "",
    boneyard: str = "",
    to_move: int = 0,
    standing: Sequence[object] = (),
    pot: int = 0,
    options: dict[str, str] | None = None,
) -> State:
    """Return a position in the middle of round 2, in which any tile may be led.

    ``laid`` is a line from left to right, or placements in order; ``start`` are placements of the deal.
    """
    state = start_state(new_match(rules, len(hands), options or {}))
    scores = tuple(rules.read_standing(text) for text in standing) or state.standing
    dealt = RoundDealt(
        round=2,
        attempt=1,
        hands=tuple(map(rules.read_tiles, hands)),
        boneyard=rules.read_tiles(boneyard),
        to_move=to_move,
        must_lead=(),
        rule="",
        standing=scores,
        pot=pot,
        start=tuple(start.split()),
    )
    state = evolve(state, dealt)
    layout = line(laid) if isinstance(rules.layout, Line) else board(state.round.layout, laid)
    plays = tuple(Played(0, placed.tile, "", 0) for placed in layout.tiles[len(dealt.start) :])
    return in_round(state, layout=layout, plays=plays)


def in_round(state: State, **changes: Any) -> State:
    return replace(state, round=replace(state.round, **changes))


def somewhere(rules: Rules, seed: object, seats: int, moves: int, options: dict[str, str] | None = None) -> State:
    """Return the position after this number of random moves of the first round, or before its last move."""
    chance = Random(f"{rules.key} {seed}")
    size = len(rules.tile_set)
    state = start_state(new_match(rules, seats, options or {}))
    for event in deal_round(rules, state, lambda attempt: chance.sample(range(size), size)):
        state = evolve(state, event)
    for _ in range(moves):
        assert state.round.to_move is not None
        (move_events, *_) = decide(rules, state, state.round.to_move, chance.choice(rules.legal_moves(state)))
        after = evolve(state, move_events)
        if after.round.to_move is None:
            break
        state = after
    return state


def legal(rules: Rules, state: State) -> list[str]:
    return sorted(map(rules.move_text, rules.legal_moves(state)))


def refused(rules: Rules, state: State, text: str, seat: int | None = None) -> tuple[str, str | None]:
    """Return the code and the rule of the refusal of a move, by default of the seat to move."""
    acting = state.round.to_move if seat is None else seat
    assert acting is not None
    with pytest.raises(Refusal) as caught:
        decide(rules, state, acting, rules.parse_move(state, text))
    return caught.value.code, caught.value.rule


def broken(rules: Rules, state: State, move: Move) -> str:
    """Return the rule that a move breaks, "" for a legal move."""
    assert state.round.to_move is not None
    try:
        decide(rules, state, state.round.to_move, move)
    except Refusal as refusal:
        return refusal.rule or refusal.code
    return ""


def move(rules: Rules, state: State, *texts: str) -> State:
    """Return the state after these moves."""
    for text in texts:
        for event in move_events(rules, state, text):
            state = evolve(state, event)
    return state


def move_events(rules: Rules, state: State, text: str) -> tuple[Event, ...]:
    """Return the events of a move."""
    assert state.round.to_move is not None
    return decide(rules, state, state.round.to_move, rules.parse_move(state, text))


def round_end(rules: Rules, state: State, text: str) -> RoundEnded:
    """Return the end of the round by this move."""
    ended = move(rules, state, text).round.over
    assert ended is not None, "The round goes on."
    return ended


def match_end(rules: Rules, state: State, text: str) -> MatchEnded:
    """Return the end of the match by this move."""
    ended = move(rules, state, text).match_over
    assert ended is not None, "The match goes on."
    return ended


def scores(rules: Rules, ended: RoundEnded) -> list[str]:
    """Return the scores after the round as texts."""
    return [rules.standing_text(standing) for standing in ended.standing]


def totals(ended: RoundEnded) -> list[int]:
    """Return the points for the end of the round."""
    return [points.total for points in ended.points]
