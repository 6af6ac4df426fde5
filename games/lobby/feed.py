"""The lists of the lobby, rendered once for all sockets of this process that ask at about the same time."""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts import notices
from accounts.models import User
from games.broadcast import announcements
from games.broadcast.database_threads import in_database
from games.lobby import open_tables
from games.lobby.rendering import lists_zones
from games.match.listed import TableLists
from games.presence.online import count_online
from games.rendering.zones import Zones
from games.sockets import match_reads
from games.sockets.single_flight import SingleFlight
from games.spectators import delayed
from infrastructure.runtime import PerProcess

# A rendering starts this late: a change, or a restart of the server, makes many sockets request one together.
COALESCE_SECONDS = 0.05

# A language, a game or "", the id of a person who does not see all tables or None, the followed people, own tables.
ListsKey = tuple[str, str, int | None, frozenset[int], frozenset[int]]


class RenderedLists(NamedTuple):
    """The lists, and the zones of the lobby that show them."""

    zones: Zones
    lists: TableLists


class LobbyState:
    """The renderings that others can still join, and the timer that wakes the lobby."""

    def __init__(self) -> None:
        self.renderings: SingleFlight[ListsKey, RenderedLists] = SingleFlight()
        self.wake_up_timer: asyncio.TimerHandle | None = None


_state = PerProcess(LobbyState)


async def load_rendered_lists(
    language: str,
    variant: str = "",
    restricted_viewer_id: int | None = None,
    followed: frozenset[int] = frozenset(),
    own: frozenset[int] = frozenset(),
) -> RenderedLists:
    """Return the lists of one game, or ("") of all. They are rendered after the call, never cached.

    A cache could not be kept up to date while no socket is in the lobby to receive changes. Those who follow nobody
    at these tables and have no ``own`` one share the lists of all.
    """
    followed_here = await in_database(open_tables.people_with_listed_seats, followed) if followed else followed
    key = language, variant, restricted_viewer_id, followed_here, own
    return await _state().renderings.join(key, partial(_load_shared_lists, key))


async def _load_shared_lists(key: ListsKey) -> RenderedLists:
    await asyncio.sleep(COALESCE_SECONDS)
    _state().renderings.stop_sharing(key)
    rendered = await in_database(_read_lists, *key)
    # when the next match with a delay changes in the lists
    wake_lobby_at(delayed.next_cached_due(timezone.now()))
    return rendered


def _read_lists(
    language: str, variant: str, restricted_viewer_id: int | None, followed: frozenset[int], own: frozenset[int]
) -> RenderedLists:
    lists = open_tables.load_lists(variant, restricted_viewer_id, followed, own)
    return RenderedLists(lists_zones(lists, count_online(timezone.now()), language), lists)


def notices_frame(user_id: int, language: str) -> str:
    """Return the frame with the pending notices of a person."""
    with translation.override(language):
        pending = notices.pending_notices(User.objects.get(pk=user_id))
        return render_to_string("accounts/notices_partial.html", {"notices": pending})


def wake_lobby_at(moment: datetime | None) -> None:
    """Wake the lobby at a time when it changes by time alone (None: never), unless it wakes earlier anyway."""
    if moment is None:
        return
    feed_state, loop = _state(), asyncio.get_running_loop()
    seconds = max(0.0, (moment - timezone.now()).total_seconds()) + match_reads.TIMER_MARGIN_SECONDS
    timer = feed_state.wake_up_timer
    if timer is not None and timer.when() > loop.time():
        if timer.when() <= loop.time() + seconds:
            return
        timer.cancel()
    feed_state.wake_up_timer = loop.call_later(seconds, announcements.wake_lobby)
