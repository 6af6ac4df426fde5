"""Computes a person's conduct points and pause from rated play from the ledger.

Three rules:

- Points fade one a day, beginning a day after the balance rose from 0.
- A mark that leads to at least ``PAUSE_THRESHOLD_POINTS`` pauses rated play for ten minutes, the next one for twice as
  long, and so on up to three days.
- At 0 points the next pause is short again. A pause that has begun lasts to its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

PAUSE_THRESHOLD_POINTS = 6
FADE_INTERVAL = timedelta(days=1)
SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(minutes=10), timedelta(hours=72)
MAX_DOUBLINGS = 9  # of the shortest pause; more exceed the longest


class LedgerEntry(NamedTuple):
    """A line of the ledger: the points added, or (negative) removed, and the kind of conduct."""

    at: datetime
    points: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ConductStanding:
    """The points of a person at some time. ``fading_since`` is when the next point began to fade.

    ``pause_count`` counts the pauses since the balance was 0. ``cause`` is the mark that began the current one.
    """

    points: int = 0
    fading_since: datetime | None = None
    pause_count: int = 0
    paused_until: datetime | None = None
    cause: LedgerEntry | None = None

    @property
    def fades_at(self) -> datetime | None:
        return None if self.fading_since is None else self.fading_since + FADE_INTERVAL


def standing_after_entries(entries: Iterable[LedgerEntry], now: datetime) -> ConductStanding:
    """Return the standing at ``now`` after these entries, oldest first."""
    result = ConductStanding()
    for entry in entries:
        result = standing_with_entry(result, entry)
    return standing_at(result, now)


def standing_at(before: ConductStanding, now: datetime) -> ConductStanding:
    """Return a standing at a later time, without new entries."""
    result = _fade_points(before, now)
    is_over = result.paused_until is not None and result.paused_until <= now
    return replace(result, paused_until=None, cause=None) if is_over else result


def standing_with_entry(before: ConductStanding, entry: LedgerEntry) -> ConductStanding:
    """Return the standing with another entry, at its time."""
    faded = _fade_points(before, entry.at)
    result = _set_points(faded, faded.points + entry.points, faded.fading_since or entry.at)
    if entry.points <= 0 or result.points < PAUSE_THRESHOLD_POINTS:
        return result
    until = entry.at + pause_length(result.pause_count)
    if result.paused_until is not None and result.paused_until >= until:
        return replace(result, pause_count=result.pause_count + 1)
    return replace(result, pause_count=result.pause_count + 1, paused_until=until, cause=entry)


def pause_length(pauses: int) -> timedelta:
    """Return the length of the next pause after a number of pauses."""
    return min(SHORTEST_PAUSE * (1 << min(pauses, MAX_DOUBLINGS)), LONGEST_PAUSE)


def _fade_points(before: ConductStanding, now: datetime) -> ConductStanding:
    if before.fading_since is None:
        return before
    days = max(0, (now - before.fading_since) // FADE_INTERVAL)
    return _set_points(before, before.points - days, before.fading_since + days * FADE_INTERVAL)


def _set_points(before: ConductStanding, points: int, since: datetime) -> ConductStanding:
    if points <= 0:
        return replace(before, points=0, fading_since=None, pause_count=0)
    return replace(before, points=points, fading_since=since)
