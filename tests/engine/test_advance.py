"""Making a move at once, judged or not: the same facts and the same state as judging and applying."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.decide import CLOCK, advance, deal_round, decide, hold, make_move, new_match
from games.engine.events import MatchStarted
from games.engine.evolve import APPLY, evolve, start_state
from games.engine.notation import EVENT_TYPES
from games.engine.rules import Rules
from games.engine.variants import registry


@pytest.mark.parametrize("rules", registry().values(), ids=registry())
def test_advancing_is_deciding_and_booking(rules: Rules) -> None:
    chance = Random("advance")
    size = len(rules.tile_set)
    for seats in rules.seat_counts:
        state = start_state(new_match(rules, seats, {}))
        for event in deal_round(rules, state, lambda _attempt: chance.sample(range(size), size)):
            state = evolve(state, event)
        for event in hold(state, 0, "gone"):
            state = evolve(state, event)
        while state.round.to_move is not None:
            move = chance.choice(rules.legal_moves(state))
            seat, by, before = state.round.to_move, chance.choice(("", CLOCK)), state
            events = decide(rules, before, seat, move, by=by)
            for event in events:
                state = evolve(state, event)
            assert make_move(rules, before, seat, move, by=by) == (events, state)
            assert advance(rules, before, seat, move, by=by) == (events, state)


def test_every_kind_of_event_but_the_first_is_applied() -> None:
    assert APPLY.keys() == set(EVENT_TYPES) - {MatchStarted}
