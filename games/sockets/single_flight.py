"""One read of the database for all sockets of a process that want the same at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from django.utils import timezone

from games.broadcast import announcements
from games.broadcast.database_threads import in_database
from games.match import snapshots
from games.match.snapshots import Snapshot
from games.match.table import Table
from games.spectators import delayed
from games.spectators.chat import Gallery
from games.spectators.chat import read as read_gallery
from games.spectators.delayed import Showing
from infrastructure.runtime import PerProcess

AFTER_DUE = 0.002
"""A timer may ring a moment too early."""

BEAT_SECONDS, MOST_MARKED = 5, 200

T = TypeVar("T")
Readings = dict[int, "asyncio.Task[Snapshot]"]
Showings = dict[int, "asyncio.Task[Showing]"]
Marked = dict[int, tuple[str, "asyncio.Task[T]"]]
"""The last reading of each match and its mark."""
Timers = dict[str, asyncio.TimerHandle]

_readings: PerProcess[Readings] = PerProcess(dict)
_looks: PerProcess[Marked[Snapshot]] = PerProcess(dict)
_showings: PerProcess[Showings] = PerProcess(dict)
_galleries: PerProcess[Marked[Gallery]] = PerProcess(dict)
_timers: PerProcess[Timers] = PerProcess(dict)


async def at_least(match_id: int, revision: int) -> Snapshot:
    """Return the match at this revision or a newer one, from memory if it is there. Raises Match.DoesNotExist."""
    # A reading that runs already may have begun before this revision was written; the next one has not.
    for _attempt in range(2):
        if (found := snapshots.known(match_id, revision)) is not None:
            return found
        found = await asyncio.shield(_reading(match_id))
    return found


async def newest(match_id: int) -> Snapshot:
    """Return the match as it is now: however many ask, one reading after the other. Raises Match.DoesNotExist."""
    if (running := _readings().get(match_id)) is not None:
        await asyncio.shield(running)  # it began before the question
    return await asyncio.shield(_reading(match_id))


async def for_viewer(match_id: int, revision: int, user_id: int | None) -> Snapshot:
    """Return the match, at this revision or a newer one, as this viewer may see it. Raises Match.DoesNotExist."""
    found = await at_least(match_id, revision)
    if not delayed.sees_late(found.table, user_id, timezone.now()):
        return found
    return (await _showing(found.table)).snapshot


async def lately(match_id: int) -> Snapshot:
    """Return the match as it was a few seconds ago, or newer. Raises Match.DoesNotExist."""
    return await _marked(_looks(), match_id, beat(), snapshots.current)


async def gallery(match_id: int, mark: str) -> Gallery:
    """Return what spectators say, read after this announcement, once for all who heard it. "" reads anew."""
    return await _marked(_galleries(), match_id, mark, read_gallery)


def beat() -> str:
    """Return the mark of the heartbeats of these seconds: they share one reading."""
    return f"beat {asyncio.get_running_loop().time() // BEAT_SECONDS}"


async def _marked(marked: Marked[T], match_id: int, mark: str, read: Callable[[int], T]) -> T:
    """Return what is read once for all who come with the same mark; without one it is read anew."""
    last = marked.get(match_id)
    if last is None or not mark or last[0] != mark or has_failed(last[1]):
        marked.pop(match_id, None)
        last = marked[match_id] = (mark, asyncio.ensure_future(in_database(read, match_id)))
        if len(marked) > MOST_MARKED:
            del marked[next(iter(marked))]
    return await asyncio.shield(last[1])


def has_failed(reading: asyncio.Task[T]) -> bool:
    return reading.done() and (reading.cancelled() or reading.exception() is not None)


async def _showing(table: Table) -> Showing:
    """Return what spectators see."""
    showings = _showings()
    for _attempt in range(2):
        if (found := delayed.known(table, timezone.now())) is not None:
            return found
        finding = showings.get(table.match_id)
        if finding is None or finding.done():
            finding = showings[table.match_id] = asyncio.ensure_future(_find(table))
            finding.add_done_callback(partial(_forget, showings, table.match_id))
        found = await asyncio.shield(finding)
    return found


async def _find(table: Table) -> Showing:
    """Look what spectators see, and wake their sockets when there will be more: one timer a match and process."""
    found = await in_database(delayed.showing, table, timezone.now())
    timers = _timers()
    if (timer := timers.pop(table.slug, None)) is not None:
        timer.cancel()
    if found.due is not None:
        wait = max(0.0, (found.due - timezone.now()).total_seconds()) + AFTER_DUE
        timers[table.slug] = asyncio.get_running_loop().call_later(wait, _wake, timers, table.slug)
    return found


def _wake(timers: Timers, slug: str) -> None:
    del timers[slug]
    announcements.wake_late(slug)


def _reading(match_id: int) -> asyncio.Task[Snapshot]:
    running = _readings()
    reading = running.get(match_id)
    # One that is done is of no more use.
    if reading is None or reading.done():
        reading = running[match_id] = asyncio.ensure_future(in_database(snapshots.current, match_id))
        reading.add_done_callback(partial(_forget, running, match_id))
    return reading


def _forget(running: Readings | Showings, match_id: int, done: asyncio.Task[Snapshot] | asyncio.Task[Showing]) -> None:
    if running.get(match_id) is done:
        del running[match_id]
