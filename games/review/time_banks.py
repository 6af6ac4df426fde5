"""Computes the remaining time banks of a match from the times in its record.

They are approximate: the table also credited lag and outages of the site, which are not in the record.
"""

from __future__ import annotations

from games.engine.events import Drew, Passed, Played
from games.match.moments import MILLISECOND
from games.match.time_control import TimeControl
from games.review.match_steps import MatchSteps


def remaining_banks_ms(match_steps: MatchSteps, control: TimeControl) -> dict[int, int]:
    """Return the milliseconds left in the player's bank after each step that used it, by the number of the step."""
    by_seat: dict[int, int] = {}
    by_step = {}
    for step in match_steps.steps if control.bank_ms else ():
        event, overtime_ms = step.events[0], step.time_taken // MILLISECOND - control.move_ms
        if isinstance(event, Played | Drew | Passed) and event.by != "bot" and overtime_ms > 0:
            by_seat[event.seat] = max(0, by_seat.get(event.seat, control.bank_ms) - overtime_ms)
            by_step[step.number] = by_seat[event.seat]
    return by_step
