"""Simulations agree with the rules: both play the same random moves and are compared at every position.

The rounds are those of whole matches, over all seat counts and options in turn. One simulation plays each round from
the lead on; another starts at each position, as a bot's does. ``make soak`` plays 100,000 moves of each game.
"""

from __future__ import annotations

import os
from itertools import cycle
from random import Random

import pytest

from games.engine.decide import advance, deal_round, new_match
from games.engine.evolve import evolve, start_state
from games.engine.rules import Rules
from games.engine.simulation.simulation import Simulation
from games.engine.simulation.variants import SIMULATIONS, simulate
from games.engine.state import State
from games.engine.variants import registry
from tests.engine.matches import tables

MOVES = 100_000 if os.environ.get("SOAK") else 300
PLANTED_MOVES = 300  # enough to find a planted error
MAX_ROUNDS = 8  # of a match: where scores may sink, random play need not end


def compare_random_moves(rules: Rules, moves: int, seed: str) -> int:
    """Compare at least ``moves`` random moves and return their number; a difference raises ``AssertionError``."""
    random, compared = Random(seed), 0
    configurations = tables(rules)
    random.shuffle(configurations)
    for seats, options in cycle(configurations):
        state = start_state(new_match(rules, seats, options))
        while not state.match_over and state.round.number < MAX_ROUNDS and compared < moves:
            state = compare_round(rules, deal(rules, state, random), random)
            compared += len(state.round.moves)
        if compared >= moves:
            break
    return compared


def deal(rules: Rules, state: State, random: Random) -> State:
    size = len(rules.tile_set)
    for event in deal_round(rules, state, lambda _attempt: random.sample(range(size), size)):
        state = evolve(state, event)
    return state


def compare_round(rules: Rules, state: State, random: Random) -> State:
    """Play a random round and return the state after it."""
    from_lead = simulate(state)
    while state.round.to_move is not None:
        from_here = simulate(state)
        for simulation in (from_lead, from_here):
            compare_moves(rules, state, simulation)
        move = random.choice(rules.legal_moves(state))
        _, state = advance(rules, state, state.round.to_move, move)
        for simulation in (from_lead, from_here):
            simulation.make_move(*simulation.numbers([move]))
            compare_seats(state, simulation)
    for simulation in (from_lead, from_here):
        ended = simulation.final_state()
        assert ended.match_over == state.match_over
        assert ended.standing == state.standing
        assert ended.rounds[-1].reason == state.rounds[-1].reason
    return state


def compare_moves(rules: Rules, state: State, simulation: Simulation) -> None:
    """Compare the legal moves and the points of each."""
    legal, numbers = rules.legal_moves(state), simulation.moves()
    assert sorted(map(repr, map(simulation.move, numbers))) == sorted(map(repr, legal))
    assert simulation.numbers(map(simulation.move, numbers)) == list(numbers)
    for move, number in zip(legal, simulation.numbers(legal), strict=True):
        assert simulation.points(number) == rules.move_points(state, move).total


def compare_seats(state: State, simulation: Simulation) -> None:
    """Compare hands, boneyard, score and turn."""
    assert (None if simulation.over else simulation.to_move) == state.round.to_move
    assert [sorted(simulation.tiles_of(hand)) for hand in simulation.hands] == list(map(sorted, state.hands))
    assert [simulation.rules.tile_set[index] for index in reversed(simulation.boneyard)] == list(state.boneyard)
    assert tuple(simulation.standing) == state.standing


@pytest.mark.parametrize("key", registry())
def test_simulation_agrees_with_the_rules(key: str) -> None:
    assert compare_random_moves(registry()[key], MOVES, "small") >= MOVES


@pytest.mark.parametrize("key", registry())
def test_missing_legal_move_is_found(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = SIMULATIONS[key]
    honest = kind.moves
    monkeypatch.setattr(kind, "moves", lambda game: honest(game)[:1])
    with pytest.raises(AssertionError):
        compare_random_moves(registry()[key], PLANTED_MOVES, "planted")


@pytest.mark.parametrize("key", registry())
def test_wrong_hand_is_found(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = SIMULATIONS[key]
    honest = kind.play

    def careless(game: Simulation, seat: int, move: int) -> bool:
        over = honest(game, seat, move)
        game.hands[seat] ^= 1
        return over

    monkeypatch.setattr(kind, "play", careless)
    with pytest.raises(AssertionError):
        compare_random_moves(registry()[key], PLANTED_MOVES, "planted")


@pytest.mark.parametrize("key", registry())
def test_wrong_points_are_found(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SIMULATIONS[key], "points", lambda _game, _move: 7)
    with pytest.raises(AssertionError):
        compare_random_moves(registry()[key], PLANTED_MOVES, "planted")
