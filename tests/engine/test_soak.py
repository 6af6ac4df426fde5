"""A little of what benchmarks/soak.py does at length, and that it would find what is wrong."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks import soak
from games.engine.events import RoundDealt
from games.engine.moves import Move
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry
from tests.engine.matches import Match

ROUNDS = 60
ILLEGAL = 800
EVERY = [pytest.param(rules, id=key) for key, rules in registry().items()]


@pytest.mark.parametrize("rules", EVERY)
def test_random_rounds_end_conserve_tiles_and_replay(rules: Rules) -> None:
    assert soak.play_rounds(rules, ROUNDS, "small").rounds >= ROUNDS


@pytest.mark.parametrize("rules", EVERY)
def test_random_illegal_moves_are_refused_and_change_nothing(rules: Rules) -> None:
    refused = soak.try_illegal_moves(rules, ILLEGAL, "small")
    assert refused.codes["illegal_move"] >= ILLEGAL
    assert refused.codes["bad_move"]
    assert refused.codes["not_your_turn"]
    assert len(refused.rules) > 1


def a_match(rules: Rules) -> Match:
    return next(soak.random_matches(rules, "planted"))


@pytest.mark.parametrize("rules", EVERY)
def test_a_tile_that_lies_in_two_places_is_found(rules: Rules) -> None:
    started, dealt, *rest = a_match(rules).events
    assert isinstance(dealt, RoundDealt)
    hands = (dealt.hands[1], *dealt.hands[1:])
    with pytest.raises(AssertionError):
        soak.check(Match(rules, (started, replace(dealt, hands=hands), *rest)))


@pytest.mark.parametrize("rules", EVERY)
def test_a_seat_without_a_legal_move_is_found(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    match = a_match(rules)
    monkeypatch.setattr(type(rules), "legal_moves", lambda _self, _state: ())
    with pytest.raises(AssertionError):
        soak.check(match)


@pytest.mark.parametrize("rules", EVERY)
def test_a_refusal_without_a_rule_is_found(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(_self: Rules, _state: State, _move: Move) -> str:
        return "unheard.of"

    state = a_match(rules).running()[0]
    monkeypatch.setattr(type(rules), "broken_rule", careless)
    with pytest.raises((AssertionError, KeyError)):
        soak.try_here(rules, state, Random("planted"), soak.Refused())
