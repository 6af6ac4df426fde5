"""Stalling, worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.engine.events import Drew, Event, MatchStarted, Passed, Played, SeatReturned
from games.moderation.detectors import facts, stalling
from games.moderation.detectors.stalling import Slowness, Turn

BEGAN = datetime(2026, 3, 12, 14, tzinfo=UTC)


def turns(**parts: list[float]) -> list[Turn]:
    return [Turn(int(seat[1:]), part) for seat, taken in parts.items() for part in taken]


def test_slow_turns_count_less_those_of_the_others() -> None:
    # 12 of 14 turns are slow, and 1 of the others' 10: 12/14 - 1/10.
    taken = turns(s0=[0.95] * 12 + [0.2] * 2, s1=[1.4] + [0.9] * 4, s2=[0.5] + [0.1] * 4)
    found = stalling.slowness(taken, 0)
    assert found == Slowness(12, 14, 0.1)
    assert found.measure == pytest.approx(0.757, abs=0.001)
    assert found.measure >= stalling.THRESHOLD


def test_nobody_stalls_where_all_are_slow_or_few_turns_are_known() -> None:
    slow = [1.0] * 8
    assert stalling.slowness(turns(s0=slow, s1=slow), 0).measure == 0
    assert stalling.slowness(turns(s0=slow[1:], s1=[0.1] * 8), 0).measure == 0
    assert stalling.slowness(turns(s0=slow, s1=[0.1] * 7), 0).measure == 0
    assert stalling.slowness(turns(s0=slow, s1=[0.1] * 8), 0).measure == 1


def test_the_record_says_how_long_people_took_for_moves_of_their_own() -> None:
    happened: list[tuple[Event, int]] = [
        (MatchStarted("kozel", 2, (), 1), 0),
        (Played(0, (6, 4), "first", 1), 3),
        (Drew(1, (1, 1), 1), 15),
        (Played(1, (6, 1), "left", 0), 16),
        (Passed(0, 1), 17),
        (Played(1, (1, 0), "left", 0, by="clock"), 92),
        (SeatReturned(0), 93),
        (Played(0, (2, 0), "left", 1), 94),
        (Played(1, (2, 1), "left", 0), 109),
    ]
    record = [(seq, event, BEGAN + timedelta(seconds=at)) for seq, (event, at) in enumerate(happened, 1)]
    # The fast clock has 15 seconds for a move. What the clock did, and the move after a return, are not counted.
    expected = [Turn(0, 3 / 15), Turn(1, 12 / 15), Turn(1, 1 / 15), Turn(1, 1.0)]
    assert list(facts.turns_of(record, "fast")) == expected
    assert list(facts.turns_of(record, "1-day")) == list(facts.turns_of(record, "none")) == []
