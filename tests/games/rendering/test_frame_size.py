"""The largest frames: the whole table, which a new page gets, and the places of a chosen tile."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from django.utils import translation

from games.engine.decide import apply_move, deal_round, new_match
from games.engine.evolve import evolve, start_state
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.view import view_for
from games.match.table import AgreedTerms, Person, Table, Timer
from games.rendering.hand import placements_by_tile
from games.rendering.pieces import tile_name
from games.words import offered_variants
from tests.games.rendering.positions import frame_of

MAX_BYTES = 8300
ROUNDS = 6
NAMES = ("Masha", "Alexander the Great", "Ольга", "Serg")
COMMITMENT = "0f" * 32


def positions(rules: Rules) -> Iterator[State]:
    """Yield the state after each move of random rounds at the fullest table."""
    random, size = Random(1), len(rules.tile_set)
    start = start_state(new_match(rules, max(rules.seat_counts), {}))
    state, rounds = start, 0
    while rounds < ROUNDS:
        if state.match_over:
            state = start
        if state.round.to_move is None:
            rounds += 1
            for event in deal_round(rules, state, lambda _: random.sample(range(size), size), commitment=COMMITMENT):
                state = evolve(state, event)
        assert state.round.to_move is not None
        _, state = apply_move(rules, state, state.round.to_move, random.choice(rules.legal_moves(state)))
        yield state


def table_of(state: State) -> Table:
    moves = len(state.round.moves)
    people = tuple(
        Person(seat, name, "teal", "human", seat + 1, bank_ms=60_000 - moves)
        for seat, name in enumerate(NAMES[: state.setup.seats])
    )
    now = 1_800_000_000_000 + moves * 4321
    return Table(
        match_id=1,
        slug="abcdefgh2345",
        agreed=AgreedTerms(state.setup.variant, state.setup.options, True, "public", "fast"),
        people=people,
        status="running",
        commitment=COMMITMENT,
        host_id=1,
        version=moves,
        revision=moves,
        round=state.round.number,
        timer=Timer(15_000, now, now + 75_000, "timeout"),
    )


def whole_frames(rules: Rules, state: State) -> list[str]:
    """Return the whole frame of every seat."""
    table, views = table_of(state), [view_for(rules, state, seat) for seat in range(state.setup.seats)]
    return [frame_of(table, view).full_update for view in views]


def choice_frames(rules: Rules, state: State) -> list[str]:
    """Return the updates that show the places of a tile, for all tiles of the hand with several places."""
    view, table = view_for(rules, state, state.round.to_move), table_of(state)
    tiles = [tile_name(tile) for tile, plays in placements_by_tile(view).items() if len(plays) > 1]
    before = frame_of(table, view)
    return [frame_of(table, view, chosen=tile).update_from(before) for tile in tiles]


@pytest.mark.parametrize("rules", [pytest.param(rules, id=key) for key, rules in offered_variants().items()])
def test_no_frame_has_more_than_8_kb(rules: Rules) -> None:
    playing, over, choosing = [], [], []
    with translation.override("en"):
        for state in positions(rules):
            if state.round.to_move is None:
                over += whole_frames(rules, state)
            else:
                playing += whole_frames(rules, state)
                choosing += choice_frames(rules, state)
    for frames in (playing, over, choosing):
        assert frames
        assert max(len(frame.encode()) for frame in frames) <= MAX_BYTES
