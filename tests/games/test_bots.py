"""The players: they know what a viewer knows, think the same thought twice, and beat chance."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from benchmarks.bots import contest
from games.bots import NoPlayer, choose, player_of
from games.bots.guess import groups_of, guesses
from games.engine.decide import deal_round, decide, new_match
from games.engine.evolve import evolve, start_state
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.view import view_for
from games.words import offered

VARIANTS = [
    pytest.param(rules, seats, id=f"{rules.key}-{seats}")
    for rules in offered().values()
    for seats in rules.seat_counts
]


def positions(rules: Rules, seats: int, seed: str, rounds: int = 6) -> Iterator[State]:
    """Yield every position of random play in which somebody is to move."""
    random = Random(seed)
    state = start_state(new_match(rules, seats, {}))
    size = len(rules.tile_set)
    while state.round <= rounds and not state.match_over:
        if state.to_move is None:
            events = deal_round(rules, state, lambda _attempt: random.sample(range(size), size))
        else:
            yield state
            events = decide(rules, state, state.to_move, random.choice(rules.legal_moves(state)))
        for event in events:
            state = evolve(state, event)


def test_every_variant_has_a_player():
    for key in offered():
        assert player_of(key)


def test_an_unknown_variant_has_none():
    with pytest.raises(NoPlayer):
        player_of("tiddlywinks")


@pytest.mark.parametrize(("rules", "seats"), VARIANTS)
def test_a_guessed_position_looks_to_the_viewer_like_the_real_one(rules: Rules, seats: int):
    for state in islice(positions(rules, seats, "looks"), 0, None, 3):
        view = view_for(rules, state, state.to_move)
        for guess in islice(guesses(rules, view, Random("guess")), 2):
            assert view_for(rules, guess, state.to_move) == view
            assert sorted([*sum(guess.hands, ()), *guess.boneyard]) == sorted([*sum(state.hands, ()), *state.boneyard])


@pytest.mark.parametrize(("rules", "seats"), VARIANTS)
def test_what_is_held_for_certain_is_true(rules: Rules, seats: int):
    for state in positions(rules, seats, "certain", rounds=30):
        view = view_for(rules, state, None)
        for seat, hand in enumerate(state.hands):
            groups = groups_of(rules, view, seat)
            assert sum(group.count for group in groups) == len(hand)
            certain = 0
            for group in groups:  # each group's tiles include those of the groups before it
                certain += group.count
                assert sum(tile in group.tiles for tile in hand) >= certain


def test_who_draws_is_known_to_hold_nothing_that_fitted():
    """K-21 seen from outside: at ends 5/3 seat 0 draws three tiles and plays the last, 6-3: it keeps no 5 and no 3."""
    rules = offered()["kozel"]
    state = replace(
        start_state(new_match(rules, 2, {})),
        round=1,
        hands=(((1, 0), (2, 2)), ((5, 3), (6, 6))),
        boneyard=((6, 4), (6, 0), (6, 3), (1, 1)),
        to_move=1,
    )
    for text in ("5-3", "draw", "draw", "draw", "6-3 right"):
        for event in decide(rules, state, state.to_move, rules.parse_move(state, text)):
            state = evolve(state, event)
    groups = groups_of(rules, view_for(rules, state, 1), 0)
    assert sum(group.count for group in groups) == 4
    assert not any(3 in tile or 5 in tile for group in groups for tile in group.tiles)


@pytest.mark.parametrize(("rules", "seats"), VARIANTS)
def test_a_choice_is_legal_and_the_same_again(rules: Rules, seats: int):
    for state in islice(positions(rules, seats, "again"), 0, None, 9):
        view = view_for(rules, state, state.to_move)
        text = choose(view, 3)
        assert rules.parse_move(state, text) in view.legal
        assert choose(pickle.loads(pickle.dumps(view)), 3) == text


def test_a_seat_that_is_not_to_move_has_nothing_to_choose():
    rules = offered()["kozel"]
    state = next(positions(rules, 2, "wait"))
    with pytest.raises(ValueError, match="turn"):
        choose(view_for(rules, state, 1 - state.to_move), 1)


def test_a_player_thinks_without_django():
    code = "import sys, games.bots; games.bots.player_of('kozel'); sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("fish", ["all", "one"])
def test_kozel_is_won_against_chance(fish: str):
    """The true share is two thirds (benchmarks/bots.py); one sample of 100 in 150 falls below 55."""
    tally = contest(offered()["kozel"], {"fish": fish}, rounds=100, seed="sample")
    assert tally.won >= 55
