"""Reads of matches that the sockets of this process share."""

from __future__ import annotations

import asyncio
from functools import partial

from django.utils import timezone

from games.broadcast import announcements
from games.broadcast.database_threads import in_database
from games.chat.spectators import SpectatorChat
from games.chat.spectators import load_spectator_chat as read_spectator_chat
from games.match import snapshots
from games.match.snapshots import Snapshot
from games.match.table import Table
from games.sockets.single_flight import SingleFlight
from games.spectators import delayed
from games.spectators.delayed import DelayedView
from infrastructure.runtime import PerProcess

TIMER_MARGIN_SECONDS = 0.002  # a timer may fire too early
HEARTBEAT_SHARING_SECONDS = 5  # heartbeats within this time share a read


class MatchReads:
    """The running reads by match, and the timers that wake spectators of matches with a delay."""

    def __init__(self) -> None:
        self.snapshots: SingleFlight[int, Snapshot] = SingleFlight()
        self.heartbeats: SingleFlight[int, Snapshot] = SingleFlight()
        self.spectator_chats: SingleFlight[int, SpectatorChat] = SingleFlight()
        self.delayed_views: SingleFlight[int, DelayedView] = SingleFlight()
        self.timers: dict[str, asyncio.TimerHandle] = {}


_reads = PerProcess(MatchReads)


async def snapshot_at_least(match_id: int, revision: int) -> Snapshot:
    """Return the match at this revision or a newer one, from memory if it is there. Raises Match.DoesNotExist."""
    # A read that is already running may have begun before this revision was written. The second attempt has not.
    for _attempt in range(2):
        if (cached := snapshots.cached_snapshot(match_id, revision)) is not None:
            return cached
        snapshot = await _reads().snapshots.join(match_id, partial(in_database, snapshots.current_snapshot, match_id))
    return snapshot


async def newest_snapshot(match_id: int) -> Snapshot:
    """Return the match as it is now. Raises Match.DoesNotExist."""
    return await _reads().snapshots.read_fresh(match_id, partial(in_database, snapshots.current_snapshot, match_id))


async def snapshot_for_viewer(match_id: int, revision: int, user_id: int | None) -> Snapshot:
    """Return the match, at this revision or a newer one, as this viewer may see it. Raises Match.DoesNotExist."""
    snapshot = await snapshot_at_least(match_id, revision)
    if not snapshot.table.has_delay or not delayed.sees_delayed(snapshot.table, user_id, timezone.now()):
        return snapshot
    return (await _delayed_view(snapshot.table)).snapshot


async def recent_snapshot(match_id: int) -> Snapshot:
    """Return the match as it was a few seconds ago, or newer. Raises Match.DoesNotExist."""
    read = partial(in_database, snapshots.current_snapshot, match_id)
    return await _reads().heartbeats.join(match_id, read, heartbeat_token())


async def read_shared_spectator_chat(match_id: int, token: str) -> SpectatorChat:
    """Return the spectator chat as of the announcement with this token, or read it now if there is no token ("")."""
    read = partial(in_database, read_spectator_chat, match_id)
    spectator_chats = _reads().spectator_chats
    return await (spectator_chats.join(match_id, read, token) if token else spectator_chats.read_fresh(match_id, read))


def heartbeat_token() -> str:
    """Return the token that the heartbeats of ``HEARTBEAT_SHARING_SECONDS`` share."""
    return f"heartbeat {asyncio.get_running_loop().time() // HEARTBEAT_SHARING_SECONDS}"


async def _delayed_view(table: Table) -> DelayedView:
    for _attempt in range(2):
        if (cached := delayed.cached_view(table, timezone.now())) is not None:
            return cached
        view = await _reads().delayed_views.join(table.match_id, partial(_read_delayed_view, table))
    return view


async def _read_delayed_view(table: Table) -> DelayedView:
    """Read the view of spectators, and set the timer that wakes their sockets when they may see more."""
    view = await in_database(delayed.delayed_view, table, timezone.now())
    timers = _reads().timers
    if (timer := timers.pop(table.slug, None)) is not None:
        timer.cancel()
    if view.due is not None:
        wait = max(0.0, (view.due - timezone.now()).total_seconds()) + TIMER_MARGIN_SECONDS
        timers[table.slug] = asyncio.get_running_loop().call_later(wait, _wake_spectators, timers, table.slug)
    return view


def _wake_spectators(timers: dict[str, asyncio.TimerHandle], slug: str) -> None:
    del timers[slug]
    announcements.wake_delayed(slug)
