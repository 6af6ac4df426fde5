"""What the ledger of a person comes to: the points today, and whether rated play is paused.

Three rules say it all:

- Points fade one by one, each a day after the one before; the first, a day after the balance rose from 0.
- A mark that leads to ``THRESHOLD`` points or more pauses rated play for ten minutes, the next one for twice as long,
  and so on up to three days.
- At 0 points all is forgotten: the next pause is a short one again. A pause that has begun lasts to its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

THRESHOLD = 6
FADES_AFTER = timedelta(days=1)
SHORTEST, LONGEST = timedelta(minutes=10), timedelta(hours=72)
ENOUGH = 9
"""So many doublings of the shortest pause make the longest."""


class Entry(NamedTuple):
    """A line of the ledger: the points that it brought, or (negative) took off, and what for."""

    at: datetime
    points: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """The points of a person at a moment. ``since`` is when the point that fades next began to.

    ``pauses`` counts those since the balance was 0; the last of them ends at ``paused_until``, and ``cause`` began it.
    """

    points: int = 0
    since: datetime | None = None
    pauses: int = 0
    paused_until: datetime | None = None
    cause: Entry | None = None

    @property
    def fades_at(self) -> datetime | None:
        """When the next point fades."""
        return None if self.since is None else self.since + FADES_AFTER


def standing(entries: Iterable[Entry], now: datetime) -> Standing:
    """Return what these entries, the oldest first, come to at a moment after them."""
    found = Standing()
    for entry in entries:
        found = after(found, entry)
    return later(found, now)


def later(before: Standing, now: datetime) -> Standing:
    """Return what a standing has become by a later moment at which nothing was added."""
    found = _faded(before, now)
    is_over = found.paused_until is not None and found.paused_until <= now
    return replace(found, paused_until=None, cause=None) if is_over else found


def after(before: Standing, entry: Entry) -> Standing:
    """Return the standing at the moment of an entry, with it."""
    faded = _faded(before, entry.at)
    reached = _with_points(faded, faded.points + entry.points, faded.since or entry.at)
    if entry.points <= 0 or reached.points < THRESHOLD:
        return reached
    until = entry.at + pause_length(reached.pauses)
    if reached.paused_until is not None and reached.paused_until >= until:
        return replace(reached, pauses=reached.pauses + 1)
    return replace(reached, pauses=reached.pauses + 1, paused_until=until, cause=entry)


def pause_length(pauses: int) -> timedelta:
    """Return how long rated play pauses after so many pauses."""
    return min(SHORTEST * (1 << min(pauses, ENOUGH)), LONGEST)


def _faded(before: Standing, now: datetime) -> Standing:
    if before.since is None:
        return before
    days = max(0, (now - before.since) // FADES_AFTER)
    return _with_points(before, before.points - days, before.since + days * FADES_AFTER)


def _with_points(before: Standing, points: int, since: datetime) -> Standing:
    if points <= 0:
        return replace(before, points=0, since=None, pauses=0)
    return replace(before, points=points, since=since)
