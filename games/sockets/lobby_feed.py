"""The lists of the lobby, rendered once for all sockets of this process that ask at about the same time."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from django.utils import timezone

from games.broadcast import announcements
from games.broadcast.database_threads import in_database
from games.lobby import open_tables
from games.sockets import single_flight
from games.spectators import delayed

GATHER_SECONDS = 0.05
"""So long the first one waits for others: one change, or a server that came back, makes many ask together."""

Wanted = tuple[str, str, int | None]
"""A language, a game or "", and a person for whom some tables are not there, None for everybody."""

_gathering: dict[Wanted, asyncio.Task[str]] = {}
_alarms: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.TimerHandle] = WeakKeyDictionary()


async def frame(language: str, variant: str = "", apart: int | None = None) -> str:
    """Return the frame of one game's lists, or ("") of all: never older than the question, since nothing is kept.

    Nobody may be there to hear a change.
    """
    wanted = language, variant, apart
    task = _gathering.get(wanted)
    if task is None or task.done() or task.get_loop().is_closed():
        task = _gathering[wanted] = asyncio.ensure_future(_render(wanted))
    return await asyncio.shield(task)


async def _render(wanted: Wanted) -> str:
    try:
        await asyncio.sleep(GATHER_SECONDS)
    finally:
        _gathering.pop(wanted, None)
    text = await in_database(open_tables.frame, *wanted)
    _look_again()
    return text


def _look_again() -> None:
    """Wake the lobby when a match that is shown later than it is played will look otherwise."""
    loop, now = asyncio.get_running_loop(), timezone.now()
    if (alarm := _alarms.pop(loop, None)) is not None:
        alarm.cancel()
    if (due := delayed.next_due(now)) is not None:
        _alarms[loop] = loop.call_later(
            (due - now).total_seconds() + single_flight.AFTER_DUE, announcements.wake_lobby
        )
