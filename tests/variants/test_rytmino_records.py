"""The recorded matches of Rytmino show what their table says."""

from __future__ import annotations

import json
from pathlib import Path

from games.engine.events import DealVoided, Event, MatchEnded, Played, RoundDealt
from games.engine.evolve import fold
from games.engine.notation import import_match
from games.engine.state import State

FOLDER = Path(__file__).parents[1] / "records" / "rytmino"


def events(name: str) -> tuple[Event, ...]:
    return import_match(json.loads((FOLDER / f"{name}.json").read_text()))


def end(name: str) -> State:
    return fold(events(name))


def over(name: str) -> MatchEnded:
    ended = end(name).match_over
    assert isinstance(ended, MatchEnded)
    return ended


def deals(name: str) -> list[RoundDealt]:
    return [event for event in events(name) if isinstance(event, RoundDealt)]


def sums(name: str) -> list[str]:
    """Return how the points of every placement came about."""
    return [event.points.terms[0].text for event in events(name) if isinstance(event, Played)]


def test_void_deals() -> None:
    for name in ("two-void", "three-deals-void"):
        assert any(isinstance(event, DealVoided) for event in events(name))
    assert any(text.count("×") == 2 and "(" not in text for text in sums("two-void"))


def test_deals_for_each_player_are_led_in_turn() -> None:
    for name, seats in {"two-deals-shared": 2, "three-deals-void": 3, "four-deals": 4}.items():
        leaders = [deal.to_move for deal in deals(name)]
        assert leaders == [(leaders[0] + number) % seats for number in range(seats)]
        assert [bool(deal.lots) for deal in deals(name)] == [True] + [False] * (seats - 1)
    assert all(len(deal.aside) == 1 for deal in deals("three-deals-void"))
    assert any(text.startswith("(") and text.count("×") == 3 for text in sums("four-deals"))


def test_shared_first_places() -> None:
    for name in ("two-deals-shared", "three-sackson-deals", "four-shared", "four-sackson-blocked"):
        assert over(name).places.count(1) == 2


def test_going_out_with_and_without_turns_left() -> None:
    state = end("three-out")
    assert state.rounds[0].reason == "out"
    assert state.round.moves[-1].seat == state.rounds[0].seat
    for name in ("two-sackson-out", "three-sackson"):
        state = end(name)
        assert state.rounds[0].reason == "out"
        turns = [sum(move.seat == seat for move in state.round.moves) for seat in range(state.setup.seats)]
        assert len(set(turns)) == 1
        assert any(points.total < 0 for points in state.rounds[0].points)
    assert end("two-sackson-out").round.moves[0].seat == end("two-sackson-out").rounds[0].seat
    assert end("two-sackson-out").round.moves[-1].seat != end("two-sackson-out").rounds[0].seat


def test_blocked_deals() -> None:
    assert {ended.reason for ended in end("two-sackson-deals").rounds} == {"out", "blocked"}
    assert [ended.reason for ended in end("four-sackson-blocked").rounds] == ["blocked"]
    assert "out" in {ended.reason for ended in end("four-sackson-deals").rounds}


def test_a_timeout() -> None:
    ended = over("three-timeout")
    assert (ended.reason, ended.losers) == ("timeout", (ended.seat,))
