"""Entries of a timeline are in the order of time, and folded around what was reported."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.moderation.cases.timeline import LINE, STEP, Entry, Folded, Part, folded, merged, time_text

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)


def move(second: int, **facts: Any) -> Entry:
    return Entry(STEP, NOON + timedelta(seconds=second), second, "Ann", f"move {second}", **facts)


def line(second: int, text: str = "", room: str = "table", **facts: Any) -> Entry:
    return Entry(LINE, NOON + timedelta(seconds=second), second, "Ben", text or f"line {second}", room=room, **facts)


def texts(parts: list[Part]) -> list[str | int]:
    return [part.count if isinstance(part, Folded) else part.text for part in parts]


def test_what_was_said_at_the_moment_of_a_move_comes_after_it() -> None:
    assert texts([*merged([line(1), line(2)], [move(2), move(3)])]) == ["line 1", "move 2", "line 2", "move 3"]


def test_six_entries_are_shown_before_and_after_what_was_reported() -> None:
    entries = [move(number, reported=number == 20) for number in range(40)]
    assert texts(folded(entries)) == [14, *(f"move {number}" for number in range(14, 27)), 13]


def test_a_reported_line_is_shown_with_five_lines_of_its_room_before_and_after_however_far_they_are() -> None:
    moves = [move(number) for number in range(100)]
    said = [line(number, reported=number == 50) for number in range(0, 100, 10)]
    aside = [line(number, "aside", room="spectators") for number in (1, 99)]
    found = texts(folded(merged(moves, said, aside)))
    assert [text for text in found if str(text).startswith("line")] == [
        f"line {number}" for number in range(0, 100, 10)
    ]
    assert "aside" not in found
    assert sum(isinstance(text, int) for text in found) == 9 + 1, "between ten lines, and at the end"


def test_a_single_entry_is_not_folded() -> None:
    assert texts(folded([move(number, reported=number == 7) for number in range(15)]))[:2] == ["move 0", "move 1"]


def test_without_a_place_it_opens_at_what_is_notable_or_at_the_end() -> None:
    assert texts(folded([move(number, notable=number == 0) for number in range(9)]))[-1] == 2
    assert texts(folded([move(number) for number in range(9)])) == [2, *(f"move {number}" for number in range(2, 9))]
    assert folded([]) == []


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0.04, "0.0 s"), (59.9, "59.9 s"), (60, "1:00"), (3599, "59:59"), (3700, "1 h 1 min")]
)
def test_times_are_read_as_on_clocks(seconds: float, expected: str) -> None:
    assert time_text(timedelta(seconds=seconds)) == expected


def test_an_entry_says_what_the_move_took_and_what_was_left() -> None:
    took = Entry(STEP, NOON, 3, "Ann", "6-4", timedelta(seconds=42.5), timedelta(seconds=107.5))
    assert took.clock == "42.5 s · 1:47 left"
