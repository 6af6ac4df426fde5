"""Announcements on commit: notify sockets of changes.

An announcement has the match and its revision but no content: rendering decides what a viewer may see. Delivery is at
most once; the heartbeats of sockets detect lost announcements.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import Counter
from collections.abc import Iterable
from contextvars import Context
from functools import partial
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.db.models import F

from games.broadcast import groups
from games.models import Match, Message
from infrastructure.runtime import PerProcess, Runtime

log = structlog.get_logger()
LOBBY_GROUP = "lobby"
SPECTATOR_CHAT_INTERVAL_SECONDS = 0.5  # between two announcements of a spectator chat
MAX_ANNOUNCED_CHATS = 1000
REPEAT_DELAY_SECONDS = 1.0
LAYER_FINISH_SECONDS = 3.0  # the longest wait for the layer when the process stops

Announcement = tuple[str, dict[str, Any]]  # the group and the message
LOBBY_CHANGED: Announcement = (LOBBY_GROUP, {"type": "lobby.changed"})


def touch_table(match_id: int) -> None:
    """Count a visible change of a table that is not an event (a seat, a chat line) and announce it on commit."""
    Match.objects.filter(pk=match_id).update(revision=F("revision") + 1)
    slug, revision = Match.objects.values_list("slug", "revision").get(pk=match_id)
    announce(match_announcements([(slug, revision)]))


def touch_tables(slugs: Iterable[str]) -> None:
    """Count and announce on commit a visible change of several tables."""
    matches = Match.objects.filter(slug__in=list(slugs))
    matches.update(revision=F("revision") + 1)
    announce(match_announcements(matches.values_list("slug", "revision")))


def touch_spectator_chat(match_id: int) -> None:
    """Announce on commit a change of the spectator chat, which does not change the revision of the table."""
    slug = Match.objects.values_list("slug", flat=True).get(pk=match_id)
    transaction.on_commit(partial(_publish_spectator_chat, slug), robust=True)


def announce_chat_line(message: Message, match_id: int | None = None) -> None:
    """Announce on commit that a chat line was written or hidden, at its match or at a rematch that shows it too."""
    touch_chat(message.room, match_id or message.match_id)


def touch_chat(room: str, match_id: int) -> None:
    """Announce on commit that a chat of a match has changed."""
    if room == Message.Room.TABLE:
        touch_table(match_id)
    elif room == Message.Room.SPECTATORS:
        touch_spectator_chat(match_id)
    else:
        slug = Match.objects.values_list("slug", flat=True).get(pk=match_id)
        announce([(groups.review_group(slug), {"type": "review.said"})])


def touch_lobby() -> None:
    """Announce on commit that the list of tables changed."""
    announce([LOBBY_CHANGED])


def touch_tournament(slug: str, revision: int) -> None:
    """Announce on commit that the pages of a tournament have something new to show."""
    announce([(groups.tournament_group(slug), {"type": "tournament.changed", "revision": revision})])


def lead_to_table(user_ids: Iterable[int], slug: str) -> None:
    """On commit, lead the open pages of these people to a table that the site has laid for them."""
    announce([(groups.user_group(user_id), {"type": "user.seated", "slug": slug}) for user_id in user_ids])


def close_sockets(user_id: int, code: str, session: str = "") -> None:
    """Close a user's sockets on commit, all or those of one session; ``code`` is the reason (``logged_out``, ...)."""
    announce([(groups.user_group(user_id), {"type": "user.closed", "code": code, "session": session})])


def recheck_sockets(user_ids: Iterable[int]) -> None:
    """On commit, have the sockets of these people check again what they may see and which chat lines are visible."""
    announce([(groups.user_group(user_id), {"type": "user.recheck"}) for user_id in user_ids])


def update_notices(user_ids: Iterable[int]) -> None:
    """On commit, update the notices in the open lobbies of these people."""
    announce([(groups.user_group(user_id), {"type": "user.notices"}) for user_id in user_ids])


def ask_pages_to_renew(user_id: int, match_id: int) -> None:
    """On commit, ask the person's pages of a match to renew the lease if one is still open."""
    announce([(groups.user_group(user_id), {"type": "page.closed", "match": match_id})])


def ask_tournament_pages(user_id: int, slug: str) -> None:
    """On commit, ask the person's pages of a tournament to note that they are open if one still is."""
    announce([(groups.user_group(user_id), {"type": "tournament.page_closed", "slug": slug})])


def match_announcements(changed: Iterable[tuple[str, int]]) -> list[Announcement]:
    """Return the announcements for tables at these revisions."""
    return [(groups.match_group(slug), {"type": "match.changed", "revision": revision}) for slug, revision in changed]


def spectator_chat_announcement(slug: str) -> Announcement:
    """Return the announcement of a spectator chat. Its random ``mark`` lets its receivers share one later read."""
    return groups.spectator_chat_group(slug), {"type": "spectator_chat.changed", "mark": secrets.token_hex(4)}


def wake_delayed(slug: str) -> None:
    """Announce to the spectators of this process, from its event loop, that they may see more of a delayed match."""
    _send_in_task([(groups.delayed_group(slug), {"type": "match.due"})])


def wake_lobby() -> None:
    """Announce to the lobby, from the event loop, that time has changed the list of tables."""
    _send_in_task([LOBBY_CHANGED])


def touch_reviews(places: Iterable[str]) -> None:
    """Announce on commit that the people or the lead in these shared reviews changed."""
    announce((place, {"type": "review.changed"}) for place in places)


def wake_review(place: str) -> None:
    """Announce, from the event loop, that the lead in a shared review may have expired."""
    _send_in_task([(place, {"type": "review.changed"})])


def announce(announcements: Iterable[Announcement]) -> None:
    """Send the announcements when the running transaction commits, or at once without one."""
    batch = list(announcements)
    _unconfirmed().announcements += batch
    transaction.on_commit(partial(_publish, batch), robust=True)


class UnconfirmedAnnouncements(threading.local):
    """The announcements of the current work of this thread."""

    def __init__(self) -> None:
        self.announcements: list[Announcement] = []


_unconfirmed = PerProcess(UnconfirmedAnnouncements)


def forget_unconfirmed() -> None:
    """Forget the announcements of earlier work in this thread."""
    _unconfirmed().announcements = []


def repeat_unconfirmed() -> None:
    """Repeat the announcements of this work after a delay: its connection was lost, but it may have been committed.

    If the commit failed, the receivers read the same state as before.
    """
    loop = Runtime.current.loop
    if _unconfirmed().announcements and loop is not None and loop.is_running():
        schedule_send = partial(
            loop.call_later, REPEAT_DELAY_SECONDS, _send_in_task, _unconfirmed().announcements, context=Context()
        )
        loop.call_soon_threadsafe(schedule_send)
    forget_unconfirmed()


_tasks: PerProcess[set[asyncio.Task[None]]] = PerProcess(set)


def _publish(announcements: list[Announcement]) -> None:
    """Send from a database thread, or let the event loop send without waiting for it."""
    loop = Runtime.current.loop
    if loop is not None and loop.is_running():
        # In a context of its own: the receivers must not inherit the language of this request.
        loop.call_soon_threadsafe(_send_in_task, announcements, context=Context())
    else:
        async_to_sync(_send)(announcements)


# When a spectator chat was last announced, or will be, by the loop's clock.
_chat_announced_at: PerProcess[dict[str, float]] = PerProcess(dict)


def _publish_spectator_chat(slug: str) -> None:
    loop = Runtime.current.loop
    if loop is not None and loop.is_running():
        loop.call_soon_threadsafe(_announce_spectator_chat, slug)
    else:
        async_to_sync(_send)([spectator_chat_announcement(slug)])


def _announce_spectator_chat(slug: str) -> None:
    """Announce a spectator chat, at most once in ``SPECTATOR_CHAT_INTERVAL_SECONDS``: hundreds may write together."""
    loop = asyncio.get_running_loop()
    announced_at = _chat_announced_at()
    last, now = announced_at.get(slug, 0.0), loop.time()
    if last > now:  # the announcement that is due then covers this line too
        return
    if len(announced_at) > MAX_ANNOUNCED_CHATS:
        announced_at.clear()
    announced_at[slug] = max(now, last + SPECTATOR_CHAT_INTERVAL_SECONDS)
    loop.call_at(announced_at[slug], lambda: _send_in_task([spectator_chat_announcement(slug)]))


def _send_in_task(announcements: list[Announcement]) -> None:
    task = asyncio.ensure_future(_send(announcements))
    _tasks().add(task)
    task.add_done_callback(_tasks().discard)


async def finish_sending() -> None:
    """Wait until the announcements that are being sent are sent, or lost because the layer does not answer."""
    if _tasks():
        await asyncio.wait(_tasks(), timeout=LAYER_FINISH_SECONDS)


async def _send(announcements: list[Announcement]) -> None:
    layer: Any = get_channel_layer()
    try:
        await layer.send_all(announcements)
    except Exception as error:  # the change is committed: a layer that is down must not make it fail
        log.warning("announcements_lost", groups=_count_kinds(announcements), error=type(error).__name__)


def _count_kinds(announcements: list[Announcement]) -> dict[str, int]:
    """Count the announcements by kind of group: the names of groups contain secret addresses of tables."""
    return Counter(group.partition(".")[0] for group, _message in announcements)
