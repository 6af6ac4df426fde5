"""Worked examples of fading points, clean matches and doubling pauses."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from games.conduct import balance
from games.conduct.balance import ConductStanding, LedgerEntry, standing_after_entries

MONDAY = datetime(2026, 3, 9, 12, tzinfo=UTC)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def entry_after(hours: float, points: int) -> LedgerEntry:
    return LedgerEntry(MONDAY + hours * HOUR, points)


def after(hours: float, *entries: LedgerEntry) -> ConductStanding:
    return standing_after_entries(entries, MONDAY + hours * HOUR)


class TestPoints:
    def test_balance_starts_at_0(self) -> None:
        assert after(0) == ConductStanding()

    def test_points_add_up(self) -> None:
        assert after(2, entry_after(0, 1), entry_after(1, 2)).points == 3

    def test_first_point_fades_after_a_day(self) -> None:
        lines = entry_after(0, 1), entry_after(20, 2)
        assert after(23.9, *lines).points == 3
        assert after(24, *lines).points == 2
        assert after(47.9, *lines).points == 2
        assert after(48, *lines).points == 1
        assert after(72, *lines).points == 0

    def test_days_at_0_earn_no_credit(self) -> None:
        assert after(24 * 30, entry_after(0, 1), entry_after(24 * 30 - 1, 3)).points == 3

    def test_clean_match_removes_a_point_without_moving_the_next_fade(self) -> None:
        lines = entry_after(0, 3), entry_after(5, -1)
        assert after(6, *lines).points == 2
        assert after(24, *lines).points == 1

    def test_clean_matches_earn_no_credit(self) -> None:
        assert after(3, entry_after(0, 1), entry_after(1, -1), entry_after(2, -1), entry_after(3, 2)).points == 2

    def test_mark_without_points_changes_nothing(self) -> None:
        assert after(1, entry_after(0, 0)) == ConductStanding()
        assert after(30, entry_after(0, 2), entry_after(12, 0)) == after(30, entry_after(0, 2))

    def test_balance_has_the_time_of_the_next_fade(self) -> None:
        assert after(0, entry_after(0, 1)).fades_at == MONDAY + DAY
        assert after(30, entry_after(0, 3)).fades_at == MONDAY + 2 * DAY
        assert after(30, entry_after(0, 1)).fades_at is None


class TestPauses:
    def test_no_pause_below_the_threshold(self) -> None:
        assert after(0, entry_after(0, 5)).paused_until is None

    def test_first_pause_lasts_ten_minutes(self) -> None:
        lines = entry_after(0, 3), entry_after(1, 3)
        assert after(1, *lines).paused_until == MONDAY + HOUR + 10 * MINUTE
        assert after(1, *lines).cause == entry_after(1, 3)
        assert after(1 + 10 / 60, *lines).paused_until is None

    def test_further_marks_double_the_pause(self) -> None:
        marks = [entry_after(hour, 3) for hour in range(6)]
        assert [after(hour, *marks[: hour + 1]).paused_until for hour in range(6)] == [
            None,
            *(MONDAY + hour * HOUR + 10 * MINUTE * 2 ** (hour - 1) for hour in range(1, 6)),
        ]

    def test_mark_without_points_causes_no_pause(self) -> None:
        assert after(2, entry_after(0, 8), entry_after(1, -1), entry_after(2, 0)).pause_count == 1

    def test_falling_below_the_threshold_keeps_the_doubling(self) -> None:
        lines = entry_after(0, 6), entry_after(24, 1)
        assert after(24, *lines).paused_until == MONDAY + DAY + 20 * MINUTE

    def test_balance_of_0_resets_the_doubling(self) -> None:
        lines = entry_after(0, 6), entry_after(6 * 24, 6)
        assert after(6 * 24, *lines).paused_until == MONDAY + 6 * DAY + 10 * MINUTE

    def test_pauses_double(self) -> None:
        lengths = [balance.pause_length(pauses) // MINUTE for pauses in (0, 1, 2, 8, 9, 1000)]
        assert lengths == [10, 20, 40, 2560, 72 * 60, 72 * 60]

    def test_no_pause_is_longer_than_three_days(self) -> None:
        marks = [LedgerEntry(MONDAY, 6) for _ in range(20)]
        assert standing_after_entries(marks, MONDAY).paused_until == MONDAY + timedelta(hours=72)

    def test_pause_lasts_even_if_points_fade(self) -> None:
        marks = [LedgerEntry(MONDAY, 1) for _ in range(9)]
        clean = [LedgerEntry(MONDAY + MINUTE, -1) for _ in range(9)]
        result = standing_after_entries([*marks, *clean], MONDAY + 2 * MINUTE)
        assert (result.points, result.paused_until) == (0, MONDAY + 80 * MINUTE)

    def test_shorter_pause_does_not_shorten_a_longer_one(self) -> None:
        marks = [LedgerEntry(MONDAY, 1) for _ in range(9)]
        clean = [LedgerEntry(MONDAY + MINUTE, -1) for _ in range(9)]
        again = LedgerEntry(MONDAY + 2 * MINUTE, 6)
        result = standing_after_entries([*marks, *clean, again], again.at)
        assert (result.pause_count, result.paused_until, result.cause) == (1, MONDAY + 80 * MINUTE, marks[-1])


def by_the_hour(entries: Sequence[LedgerEntry], hours: int) -> tuple[int, datetime | None]:
    """Go from hour to hour as the page explains it. Return the points, and the end of the pause if there is one."""
    points = age = pauses = 0
    until = MONDAY
    for hour in range(hours + 1):
        now = MONDAY + hour * HOUR
        age = age + 1 if points else 0
        if age == 24:
            points, age = points - 1, 0
        for entry in entries:
            pauses = pauses if points else 0
            age = age if points else 0
            if entry.at == now:
                points = max(0, points + entry.points)
                if entry.points > 0 and points >= 6:
                    until = max(until, now + min(10 * MINUTE * 2**pauses, timedelta(hours=72)))
                    pauses += 1
    return points, until if until > now else None


def test_balance_equals_a_simulation_by_the_hour() -> None:
    for seed in range(300):
        chance = Random(seed)
        busy = chance.choice((2, 5, 12, 40))
        hours = sorted(chance.randrange(400) for _ in range(busy))
        entries = [entry_after(hour, chance.choice((-1, -1, 0, 1, 1, 2, 3))) for hour in hours]
        end = hours[-1] + chance.choice((0, 1, 5, 30, 100))
        balance_then = after(end, *entries)
        assert (balance_then.points, balance_then.paused_until) == by_the_hour(entries, end), seed


def test_page_states_the_rules() -> None:
    assert (balance.PAUSE_THRESHOLD_POINTS, balance.FADE_INTERVAL, balance.SHORTEST_PAUSE) == (6, DAY, 10 * MINUTE)
