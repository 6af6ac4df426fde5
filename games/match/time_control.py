"""The time controls: free time for each move, and a bank for moves that take longer."""

from __future__ import annotations

from dataclasses import dataclass

from games.enums import Clock


@dataclass(frozen=True, slots=True)
class TimeControl:
    """``move_ms`` of free time a move and ``bank_ms`` for the whole match, both 0 where there is no clock."""

    move_ms: int
    bank_ms: int


LAG_OF_MOVE_MS, LAG_OF_ROUND_MS = 600, 4000
"""How much of a player's lag is credited in a turn and in a round: enough for a bad line, too little to gain by."""


def lag_credit(lag_ms: int, credited_ms: int) -> int:
    """Return how much longer a turn may last, for a player who was credited so much in this round before."""
    return max(0, min(lag_ms, LAG_OF_MOVE_MS, LAG_OF_ROUND_MS - credited_ms))


DAY = 24 * 3600 * 1000
CONTROLS: dict[str, TimeControl] = {
    Clock.FAST: TimeControl(15_000, 60_000),
    Clock.NORMAL: TimeControl(30_000, 120_000),
    Clock.RELAXED: TimeControl(60_000, 300_000),
    Clock.DAY: TimeControl(DAY, 0),
    Clock.TWO_DAYS: TimeControl(2 * DAY, 0),
    Clock.THREE_DAYS: TimeControl(3 * DAY, 0),
    Clock.NONE: TimeControl(0, 0),
}
