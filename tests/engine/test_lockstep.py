"""A little of what benchmarks/lockstep.py does at length, and that it would find what is wrong."""

from __future__ import annotations

import pytest

from benchmarks.lockstep import lockstep
from games.engine.simulation.simulation import Simulation
from games.engine.simulation.variants import SIMULATIONS
from games.engine.variants import registry

MOVES = 300


@pytest.mark.parametrize("key", registry())
def test_a_simulation_agrees_with_the_rules(key: str) -> None:
    assert lockstep(registry()[key], MOVES, "small") >= MOVES


@pytest.mark.parametrize("key", registry())
def test_a_legal_move_that_is_missing_is_found(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = SIMULATIONS[key]
    honest = kind.moves
    monkeypatch.setattr(kind, "moves", lambda game: honest(game)[:1])
    with pytest.raises(AssertionError):
        lockstep(registry()[key], MOVES, "planted")


@pytest.mark.parametrize("key", registry())
def test_a_hand_that_is_wrong_is_found(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = SIMULATIONS[key]
    honest = kind.play

    def careless(game: Simulation, seat: int, move: int) -> bool:
        over = honest(game, seat, move)
        game.hands[seat] ^= 1
        return over

    monkeypatch.setattr(kind, "play", careless)
    with pytest.raises(AssertionError):
        lockstep(registry()[key], MOVES, "planted")


@pytest.mark.parametrize("key", registry())
def test_points_that_are_wrong_are_found(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SIMULATIONS[key], "points", lambda _game, _move: 7)
    with pytest.raises(AssertionError):
        lockstep(registry()[key], MOVES, "planted")
