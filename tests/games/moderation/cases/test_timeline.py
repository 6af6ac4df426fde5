"""A timeline is in order of time, and folded around reported entries."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.moderation.cases.timeline import (
    LINE,
    STEP,
    TimelineEntry,
    TimelineGap,
    TimelinePart,
    clock_text,
    fold_entries,
    merge_entries,
)

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)


def move(second: int, **fields: Any) -> TimelineEntry:
    return TimelineEntry(STEP, NOON + timedelta(seconds=second), second, "Ann", f"move {second}", **fields)


def line(second: int, text: str = "", room: str = "table", **fields: Any) -> TimelineEntry:
    return TimelineEntry(
        LINE, NOON + timedelta(seconds=second), second, "Ben", text or f"line {second}", room=room, **fields
    )


def texts(parts: list[TimelinePart]) -> list[str | int]:
    return [part.count if isinstance(part, TimelineGap) else part.text for part in parts]


def test_chat_at_the_time_of_a_move_comes_after_it() -> None:
    assert texts([*merge_entries([line(1), line(2)], [move(2), move(3)])]) == ["line 1", "move 2", "line 2", "move 3"]


def test_keeps_six_entries_around_a_reported_one() -> None:
    entries = [move(number, reported=number == 20) for number in range(40)]
    assert texts(fold_entries(entries)) == [14, *(f"move {number}" for number in range(14, 27)), 13]


def test_keeps_five_lines_of_the_same_chat_around_a_reported_line() -> None:
    moves = [move(number) for number in range(100)]
    chat = [line(number, reported=number == 50) for number in range(0, 100, 10)]
    aside = [line(number, "aside", room="spectators") for number in (1, 99)]
    parts = texts(fold_entries(merge_entries(moves, chat, aside)))
    assert [text for text in parts if str(text).startswith("line")] == [
        f"line {number}" for number in range(0, 100, 10)
    ]
    assert "aside" not in parts
    assert sum(isinstance(text, int) for text in parts) == 9 + 1, "between ten lines, and at the end"


def test_a_single_entry_is_not_fold() -> None:
    assert texts(fold_entries([move(number, reported=number == 7) for number in range(15)]))[:2] == [
        "move 0",
        "move 1",
    ]


def test_without_a_reported_entry_it_keeps_notable_ones_or_the_end() -> None:
    assert texts(fold_entries([move(number, notable=number == 0) for number in range(9)]))[-1] == 2
    assert texts(fold_entries([move(number) for number in range(9)])) == [
        2,
        *(f"move {number}" for number in range(2, 9)),
    ]
    assert fold_entries([]) == []


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0.04, "0.0 s"), (59.9, "59.9 s"), (60, "1:00"), (3599, "59:59"), (3700, "1 h 1 min")]
)
def test_times_have_the_format_of_clocks(seconds: float, expected: str) -> None:
    assert clock_text(timedelta(seconds=seconds)) == expected


def test_measures_of_an_entry_are_the_time_of_the_move_the_bank_and_the_cost() -> None:
    entry = TimelineEntry(STEP, NOON, 3, "Ann", "6-4", timedelta(seconds=42.5), timedelta(seconds=107.5))
    assert entry.measures == "42.5 s · 1:47 left"
    assert replace(entry, loss=7.13).measures == "42.5 s · 1:47 left · cost 7.1"
    assert replace(entry, loss=0.0).measures == "42.5 s · 1:47 left · best move"
