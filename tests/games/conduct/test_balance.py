"""Worked examples of fading points, clean matches and doubling pauses."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from games.conduct import balance
from games.conduct.balance import Entry, Standing, standing

MONDAY = datetime(2026, 3, 9, 12, tzinfo=UTC)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def at(hours: float, points: int) -> Entry:
    return Entry(MONDAY + hours * HOUR, points)


def after(hours: float, *entries: Entry) -> Standing:
    return standing(entries, MONDAY + hours * HOUR)


class TestPoints:
    def test_nobody_begins_with_any(self) -> None:
        assert after(0) == Standing()

    def test_they_add_up(self) -> None:
        assert after(2, at(0, 1), at(1, 2)).points == 3

    def test_the_first_fades_a_day_after_the_balance_rose_from_0(self) -> None:
        lines = at(0, 1), at(20, 2)
        assert after(23.9, *lines).points == 3
        assert after(24, *lines).points == 2
        assert after(47.9, *lines).points == 2
        assert after(48, *lines).points == 1
        assert after(72, *lines).points == 0

    def test_days_at_0_are_not_saved_up(self) -> None:
        assert after(24 * 30, at(0, 1), at(24 * 30 - 1, 3)).points == 3

    def test_a_clean_match_takes_one_off_and_moves_no_day(self) -> None:
        lines = at(0, 3), at(5, -1)
        assert after(6, *lines).points == 2
        assert after(24, *lines).points == 1

    def test_clean_matches_are_not_saved_up(self) -> None:
        assert after(3, at(0, 1), at(1, -1), at(2, -1), at(3, 2)).points == 2

    def test_a_line_that_costs_nothing_changes_nothing(self) -> None:
        assert after(1, at(0, 0)) == Standing()
        assert after(30, at(0, 2), at(12, 0)) == after(30, at(0, 2))

    def test_it_says_when_the_next_point_fades(self) -> None:
        assert after(0, at(0, 1)).fades_at == MONDAY + DAY
        assert after(30, at(0, 3)).fades_at == MONDAY + 2 * DAY
        assert after(30, at(0, 1)).fades_at is None


class TestPauses:
    def test_none_below_the_threshold(self) -> None:
        assert after(0, at(0, 5)).paused_until is None

    def test_the_first_lasts_ten_minutes(self) -> None:
        lines = at(0, 3), at(1, 3)
        assert after(1, *lines).paused_until == MONDAY + HOUR + 10 * MINUTE
        assert after(1, *lines).cause == at(1, 3)
        assert after(1 + 10 / 60, *lines).paused_until is None

    def test_each_further_mark_up_there_doubles_it(self) -> None:
        marks = [at(hour, 3) for hour in range(6)]
        assert [after(hour, *marks[: hour + 1]).paused_until for hour in range(6)] == [
            None,
            *(MONDAY + hour * HOUR + 10 * MINUTE * 2 ** (hour - 1) for hour in range(1, 6)),
        ]

    def test_what_brings_no_points_pauses_nothing(self) -> None:
        assert after(2, at(0, 8), at(1, -1), at(2, 0)).pauses == 1

    def test_falling_below_the_threshold_does_not_forget_the_pauses(self) -> None:
        lines = at(0, 6), at(24, 1)
        assert after(24, *lines).paused_until == MONDAY + DAY + 20 * MINUTE

    def test_being_back_at_0_does(self) -> None:
        lines = at(0, 6), at(6 * 24, 6)
        assert after(6 * 24, *lines).paused_until == MONDAY + 6 * DAY + 10 * MINUTE

    def test_how_they_double(self) -> None:
        lengths = [balance.pause_length(pauses) // MINUTE for pauses in (0, 1, 2, 8, 9, 1000)]
        assert lengths == [10, 20, 40, 2560, 72 * 60, 72 * 60]

    def test_no_pause_is_longer_than_three_days(self) -> None:
        marks = [Entry(MONDAY, 6) for _ in range(20)]
        assert standing(marks, MONDAY).paused_until == MONDAY + timedelta(hours=72)

    def test_a_pause_lasts_to_its_end_whatever_becomes_of_the_points(self) -> None:
        marks = [Entry(MONDAY, 1) for _ in range(9)]
        clean = [Entry(MONDAY + MINUTE, -1) for _ in range(9)]
        result = standing([*marks, *clean], MONDAY + 2 * MINUTE)
        assert (result.points, result.paused_until) == (0, MONDAY + 80 * MINUTE)

    def test_a_short_pause_does_not_cut_a_long_one(self) -> None:
        marks = [Entry(MONDAY, 1) for _ in range(9)]
        clean = [Entry(MONDAY + MINUTE, -1) for _ in range(9)]
        again = Entry(MONDAY + 2 * MINUTE, 6)
        result = standing([*marks, *clean, again], again.at)
        assert (result.pauses, result.paused_until, result.cause) == (1, MONDAY + 80 * MINUTE, marks[-1])


def by_the_hour(entries: Sequence[Entry], hours: int) -> tuple[int, datetime | None]:
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


def test_balance_is_what_it_comes_to_hour_by_hour() -> None:
    for seed in range(300):
        chance = Random(seed)
        busy = chance.choice((2, 5, 12, 40))
        hours = sorted(chance.randrange(400) for _ in range(busy))
        entries = [at(hour, chance.choice((-1, -1, 0, 1, 1, 2, 3))) for hour in hours]
        end = hours[-1] + chance.choice((0, 1, 5, 30, 100))
        balance_then = after(end, *entries)
        assert (balance_then.points, balance_then.paused_until) == by_the_hour(entries, end), seed


def test_the_rules_as_the_page_tells_them() -> None:
    assert (balance.THRESHOLD, balance.FADES_AFTER, balance.SHORTEST) == (6, DAY, 10 * MINUTE)
