"""The facts that detectors ask for, from the record of a match and the rows about its people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from games.detectors.stalling import Turn
from games.engine.events import Drew, Event, Played, SeatForfeited, SeatHeld, SeatReturned
from games.enums import DAILY, Clock
from games.match.time_control import CONTROLS

Row = tuple[int, Event, datetime]
"""A line of the record."""
CHOSEN = (Played, Drew)
"""Moves of people. Most passes are forced, and the clock makes them."""
ABSENCES = (SeatHeld, SeatReturned, SeatForfeited)
UNHURRIED = (*DAILY, Clock.NONE)


def turns_of(record: Sequence[Row], clock: str) -> Iterator[Turn]:
    """Yield how long players took for the moves that they made themselves; nothing where nobody waits at the table."""
    if clock in UNHURRIED:
        return
    free = CONTROLS[clock].move_ms / 1000
    for (_seq, before, began), (_next, event, at) in pairwise(record):
        if isinstance(event, CHOSEN) and not event.by and not isinstance(before, ABSENCES):
            yield Turn(event.seat, (at - began).total_seconds() / free)
