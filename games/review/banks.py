"""What is left of the time banks in a match, reckoned from the times of its record.

The table charged a few tenths of a second less where a player's lag was credited, and nothing while the site stood
still: neither is in the record.
"""

from __future__ import annotations

from datetime import timedelta

from games.engine.events import Drew, Passed, Played
from games.match.time_control import TimeControl
from games.review.past import Past

MILLISECOND = timedelta(milliseconds=1)


def banks(past: Past, control: TimeControl) -> dict[int, int]:
    """Return by their numbers the steps that took of the player's bank, and how many milliseconds they left there."""
    left: dict[int, int] = {}
    found = {}
    for step in past.steps if control.bank_ms else ():
        event, over = step.events[0], step.thought // MILLISECOND - control.move_ms
        if isinstance(event, Played | Drew | Passed) and event.by != "bot" and over > 0:
            found[step.number] = left[event.seat] = max(0, left.get(event.seat, control.bank_ms) - over)
    return found
