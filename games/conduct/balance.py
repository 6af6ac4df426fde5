"""Computes a person's conduct points and pause from rated play from the ledger.

Three rules:

- Points fade one a day, beginning a day after the balance rose from 0.
- A mark that leads to ``THRESHOLD`` points or more pauses rated play for ten minutes, the next one for twice as long,
  and so on up to three days.
- At 0 points the next pause is short again. A pause that has begun lasts to its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

THRESHOLD = 6
FADES_AFTER = timedelta(days=1)
SHORTEST, LONGEST = timedelta(minutes=10), timedelta(hours=72)  # pauses
MAX_DOUBLINGS = 9  # of the shortest pause; more exceed the longest


class Entry(NamedTuple):
    """A line of the ledger: the points added, or (negative) removed, and the kind of conduct."""

    at: datetime
    points: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """The points of a person at some time. ``since`` is when the next point began to fade.

    ``pauses`` counts those since the balance was 0. ``cause`` began the current one.
    """

    points: int = 0
    since: datetime | None = None
    pauses: int = 0
    paused_until: datetime | None = None
    cause: Entry | None = None

    @property
    def fades_at(self) -> datetime | None:
        return None if self.since is None else self.since + FADES_AFTER


def standing(entries: Iterable[Entry], now: datetime) -> Standing:
    """Return the standing at ``now`` after these entries, oldest first."""
    result = Standing()
    for entry in entries:
        result = after(result, entry)
    return later(result, now)


def later(before: Standing, now: datetime) -> Standing:
    """Return a standing at a later time, without new entries."""
    result = _faded(before, now)
    is_over = result.paused_until is not None and result.paused_until <= now
    return replace(result, paused_until=None, cause=None) if is_over else result


def after(before: Standing, entry: Entry) -> Standing:
    """Return the standing with another entry, at its time."""
    faded = _faded(before, entry.at)
    reached = _with_points(faded, faded.points + entry.points, faded.since or entry.at)
    if entry.points <= 0 or reached.points < THRESHOLD:
        return reached
    until = entry.at + pause_length(reached.pauses)
    if reached.paused_until is not None and reached.paused_until >= until:
        return replace(reached, pauses=reached.pauses + 1)
    return replace(reached, pauses=reached.pauses + 1, paused_until=until, cause=entry)


def pause_length(pauses: int) -> timedelta:
    """Return the length of the next pause after a number of pauses."""
    return min(SHORTEST * (1 << min(pauses, MAX_DOUBLINGS)), LONGEST)


def _faded(before: Standing, now: datetime) -> Standing:
    if before.since is None:
        return before
    days = max(0, (now - before.since) // FADES_AFTER)
    return _with_points(before, before.points - days, before.since + days * FADES_AFTER)


def _with_points(before: Standing, points: int, since: datetime) -> Standing:
    if points <= 0:
        return replace(before, points=0, since=None, pauses=0)
    return replace(before, points=points, since=since)
