"""The lists of the lobby, rendered once for all sockets of this process that ask at about the same time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts import notices
from accounts.models import User
from games.broadcast import announcements
from games.broadcast.database_threads import in_database
from games.lobby import open_tables
from games.lobby.rendering import lists_frame
from games.match.listed import TableLists
from games.presence.online import count_online
from games.sockets import match_reads
from games.sockets.single_flight import SingleFlight
from games.spectators import delayed
from infrastructure.runtime import PerProcess

# A rendering starts this late: a change, or a restart of the server, makes many sockets request one together.
GATHER_SECONDS = 0.05

# A language, a game or "", the id of a person who does not see all tables or None, and the followed people.
FrameKey = tuple[str, str, int | None, frozenset[int]]


class ListsFrame(NamedTuple):
    """The frame of the lists, and the lists in it."""

    text: str
    lists: TableLists


class LobbyReads:
    """The renderings that others can still join, and the timer that wakes the lobby."""

    def __init__(self) -> None:
        self.frames: SingleFlight[FrameKey, ListsFrame] = SingleFlight()
        self.alarm: asyncio.TimerHandle | None = None


_reads = PerProcess(LobbyReads)


async def frame(
    language: str, variant: str = "", restricted_viewer: int | None = None, followed: frozenset[int] = frozenset()
) -> ListsFrame:
    """Return the frame of the lists of one game, or ("") of all. It is rendered after the call, never cached.

    A cache could not be kept up to date while no socket is in the lobby to receive changes. Those who follow nobody
    at these tables share the frame of all.
    """
    first = await in_database(open_tables.seated, followed) if followed else followed
    key = language, variant, restricted_viewer, first
    return await _reads().frames.join(key, partial(_render, key))


async def _render(key: FrameKey) -> ListsFrame:
    await asyncio.sleep(GATHER_SECONDS)
    _reads().frames.close(key)
    frame = await in_database(_lists_frame, *key)
    _set_alarm()
    return frame


def _lists_frame(language: str, variant: str, restricted_viewer: int | None, followed: frozenset[int]) -> ListsFrame:
    lists = open_tables.lists(variant, restricted_viewer, followed)
    return ListsFrame(lists_frame(lists, count_online(timezone.now()), language), lists)


def notices_frame(user_id: int, language: str) -> str:
    """Return the frame with the pending notices of a person."""
    with translation.override(language):
        pending = notices.pending_notices(User.objects.get(pk=user_id))
        return render_to_string("accounts/notice_frame.html", {"notices": pending})


def _set_alarm() -> None:
    """Wake the lobby when the next match with a delay changes in the lists."""
    reads, now = _reads(), timezone.now()
    if reads.alarm is not None:
        reads.alarm.cancel()
        reads.alarm = None
    if (due := delayed.next_cached_due(now)) is not None:
        wait = (due - now).total_seconds() + match_reads.TIMER_MARGIN_SECONDS
        reads.alarm = asyncio.get_running_loop().call_later(wait, announcements.wake_lobby)
