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
    if (found := snapshots.known(match_id, revision)) is not None:
        return found
    running = _readings.setdefault(asyncio.get_running_loop(), {})
    while (found := snapshots.known(match_id, revision)) is None:
        reading = running.get(match_id)
        # A reading that is done is of no more use, and waiting for it would not let anything else run.
        if reading is None or reading.done():
            reading = asyncio.ensure_future(in_database(snapshots.current, match_id))
            running[match_id] = reading
            reading.add_done_callback(partial(_forget, running, match_id))
        # It may have begun before this revision was written; then it is done once more.
        await asyncio.shield(reading)
    return found


def _forget(running: Readings, match_id: int, done: asyncio.Task[Snapshot]) -> None:
    if running.get(match_id) is done:
        del running[match_id]
