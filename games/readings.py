"""One read of the database for all sockets of a process that want the same at the same time."""

from __future__ import annotations

import asyncio
from functools import partial
from weakref import WeakKeyDictionary

from games import snapshots
from games.offload import in_database
from games.snapshots import Snapshot

Readings = dict[int, "asyncio.Task[Snapshot]"]

_readings: WeakKeyDictionary[asyncio.AbstractEventLoop, Readings] = WeakKeyDictionary()


async def at_least(match_id: int, revision: int) -> Snapshot:
    """Return the match at this revision or a newer one, from memory if it is there. Raises Match.DoesNotExist."""
    # A reading that runs already may have begun before this revision was written; the next one has not.
    for _attempt in range(2):
        if (found := snapshots.known(match_id, revision)) is not None:
            return found
        found = await asyncio.shield(_reading(match_id))
    return found


def _reading(match_id: int) -> asyncio.Task[Snapshot]:
    running = _readings.setdefault(asyncio.get_running_loop(), {})
    reading = running.get(match_id)
    # One that is done is of no more use.
    if reading is None or reading.done():
        reading = running[match_id] = asyncio.ensure_future(in_database(snapshots.current, match_id))
        reading.add_done_callback(partial(_forget, running, match_id))
    return reading


def _forget(running: Readings, match_id: int, done: asyncio.Task[Snapshot]) -> None:
    if running.get(match_id) is done:
        del running[match_id]
