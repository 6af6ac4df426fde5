"""The clock at the seat of the player to move. A script lets it run; without one its times stand there as text."""

from __future__ import annotations

from games.enums import Due
from games.html import Html
from games.match.table import Timer
from games.words.lookup import Words

SECOND = 1000
HOUR = 3600 * SECOND
RING = Html('<svg class="ring" aria-hidden="true"><rect pathLength="1"/></svg>')


def turn_clock(timer: Timer, words: Words) -> Html:
    """Return the clock of a turn, "" where none runs. ``data-`` times are milliseconds since 1970."""
    if timer.due_kind != Due.TIMEOUT or timer.turn_started_ms is None or timer.deadline_ms is None:
        return Html("")
    free_until = timer.turn_started_ms + timer.move_ms
    bank = (timer.deadline_ms - free_until) // SECOND
    free = Html(f"{timer.move_ms // HOUR} h" if timer.move_ms >= HOUR else f"{timer.move_ms // SECOND} s")
    time = Html(f"{free} + {bank} s" if bank else free)
    spare = Html(f'<button class="spare" popovertarget="about-spare"><i>{words["spare_time"]}</i></button>')
    return Html(
        f'{RING}<span class="clock"><i>{words["time_left"]} </i><b id="clock" role="timer" translate="no" '
        f'data-free="{free_until}" data-deadline="{timer.deadline_ms}">{time}</b>{spare if bank else ""}</span>'
    )
