"""The lists of the lobby, rendered once for all sockets of this process that ask at about the same time."""

from __future__ import annotations

import asyncio

from django.utils import timezone

from games.broadcast import announcements
from games.broadcast.database_threads import in_database
from games.lobby import open_tables
from games.sockets import single_flight
from games.spectators import delayed
from infrastructure.runtime import PerProcess

GATHER_SECONDS = 0.05
"""So long the first one waits for others: one change, or a server that came back, makes many ask together."""

Wanted = tuple[str, str, int | None]
"""A language, a game or "", and a person for whom some tables are not there, None for everybody."""


class Gathering:
    """The renderings that wait for more who want the same, and the alarm that wakes the lobby next."""

    def __init__(self) -> None:
        self.tasks: dict[Wanted, asyncio.Task[str]] = {}
        self.alarm: asyncio.TimerHandle | None = None


_gathering = PerProcess(Gathering)


async def frame(language: str, variant: str = "", apart: int | None = None) -> str:
    """Return the frame of one game's lists, or ("") of all: never older than the question, since nothing is kept.

    Nobody may be there to hear a change.
    """
    wanted = language, variant, apart
    tasks = _gathering().tasks
    task = tasks.get(wanted)
    if task is None or task.done():
        task = tasks[wanted] = asyncio.ensure_future(_render(wanted))
    return await asyncio.shield(task)


async def _render(wanted: Wanted) -> str:
    try:
        await asyncio.sleep(GATHER_SECONDS)
    finally:
        _gathering().tasks.pop(wanted, None)
    text = await in_database(open_tables.frame, *wanted)
    _look_again()
    return text


def _look_again() -> None:
    """Wake the lobby when a match that is shown later than it is played will look otherwise."""
    gathering, now = _gathering(), timezone.now()
    if gathering.alarm is not None:
        gathering.alarm.cancel()
        gathering.alarm = None
    if (due := delayed.next_due(now)) is not None:
        wait = (due - now).total_seconds() + single_flight.AFTER_DUE
        gathering.alarm = asyncio.get_running_loop().call_later(wait, announcements.wake_lobby)
