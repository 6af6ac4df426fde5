"""The clock at the seat of the player to move, and countdowns.

A script runs the clock; without scripts it shows its times as text.
"""

from __future__ import annotations

import time

from games.enums import Due
from games.html import Html
from games.match.table import Timer
from games.words.lookup import Words

SECOND_MS = 1000
HOUR_MS = 3600 * SECOND_MS
RING = Html('<svg class="ring" aria-hidden="true"><rect pathLength="1"/></svg>')


def turn_clock(timer: Timer, words: Words) -> Html:
    """Return the clock of a turn, "" if none runs. ``data-`` times are milliseconds since 1970."""
    if timer.due_kind != Due.TIMEOUT or timer.turn_started_ms is None or timer.deadline_ms is None:
        return Html("")
    free_until = timer.turn_started_ms + timer.move_ms
    bank = (timer.deadline_ms - free_until) // SECOND_MS
    free = Html(f"{timer.move_ms // HOUR_MS} h" if timer.move_ms >= HOUR_MS else f"{timer.move_ms // SECOND_MS} s")
    return Html(
        f'{RING}<span class="clock"><i>{words["time_left"]} </i><b id="clock" role="timer" translate="no" '
        f'data-free="{free_until}" data-deadline="{timer.deadline_ms}">{free}</b>'
        f"{_spare_time(bank, words) if bank else ''}</span>"
    )


def _spare_time(seconds: int, words: Words) -> Html:
    """Return the spare time as a button that explains it. The style sheet shows the value with a plus."""
    value = Html(f"{seconds // 60}:{seconds % 60:02}")
    return Html(
        f'<button class="spare" popovertarget="about-spare" data-value="{value}"><i>{words["spare_time"]}</i></button>'
    )


def countdown(deadline_ms: int) -> Html:
    """Return the seconds until a deadline, which a script counts. A screen reader does not announce each second."""
    return Html(f'<span class="left" data-deadline="{deadline_ms}" aria-hidden="true"></span>')


def with_server_time(frame: str) -> str:
    """Return a frame that also brings the server's time in milliseconds, for the clocks of the page.

    Browsers ignore the comment, and htmx swaps nothing for an object without content (``js/server_clock.js``).
    """
    now_ms = time.time_ns() // 1_000_000
    return f"<!--{now_ms}-->{frame}" if frame else f'{{"now":{now_ms}}}'
