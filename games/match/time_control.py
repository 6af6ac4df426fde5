"""The time controls: free time for a move, and a bank for longer moves."""

from __future__ import annotations

from dataclasses import dataclass

from games.enums import Clock


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Free time for a move, and the bank for a match. Both are 0 without a clock."""

    move_ms: int
    bank_ms: int


# The most lag that is credited to a player: enough for a bad connection, too little to gain by.
MAX_MOVE_CREDIT_MS = 600
MAX_ROUND_CREDIT_MS = 4000


def lag_credit(lag_ms: int, credited_ms: int) -> int:
    """Return the extra time for a turn of a player with this lag and this credit so far in the round."""
    return max(0, min(lag_ms, MAX_MOVE_CREDIT_MS, MAX_ROUND_CREDIT_MS - credited_ms))


DAY_MS = 24 * 3600 * 1000
TIME_CONTROLS: dict[str, TimeControl] = {
    Clock.FAST: TimeControl(15_000, 60_000),
    Clock.NORMAL: TimeControl(30_000, 120_000),
    Clock.RELAXED: TimeControl(60_000, 300_000),
    Clock.ONE_DAY: TimeControl(DAY_MS, 0),
    Clock.TWO_DAYS: TimeControl(2 * DAY_MS, 0),
    Clock.THREE_DAYS: TimeControl(3 * DAY_MS, 0),
    Clock.NONE: TimeControl(0, 0),
}
