"""The channel layer of one process."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Collection
from typing import Any

from channels.layers import InMemoryChannelLayer
from prometheus_client import Counter, Gauge

from infrastructure.runtime import PerProcess

Queue = asyncio.Queue[tuple[float, dict[str, Any]]]
"""Messages, each with the time at which it is too old."""
SWEEP_SECONDS, SWEEP_AFTER = 5, 0.5
"""The layer is swept at most this often, and so long after a message that its members are told."""
AT_ONCE = 16
"""Members of a large group that are told together: about 2 ms of work."""
YIELD_SECONDS = 0.001
"""So long others get their turn before each of these: other sockets, the database's threads."""
LONGEST_YIELD_SECONDS = 0.02
"""Seconds that they wait for moves at most, each time: on a busy site there is always one."""


DROPPED = Counter("dominoes_layer_dropped_total", "Announcements dropped for sockets that are far behind")
HELD = Gauge("dominoes_layer_held", "What the channel layer of this process holds", ["what"])


class MovesInProgress:
    """How many moves are being made: large groups wait meanwhile. ``with moves_in_progress()`` makes one."""

    number = 0

    def __enter__(self) -> None:
        self.number += 1

    def __exit__(self, *_exc: object) -> None:
        self.number -= 1


moves_in_progress = PerProcess(MovesInProgress)


async def yield_to_moves() -> None:
    """Let everybody else work for a moment, and players until their moves are made."""
    until, moves = time.monotonic() + LONGEST_YIELD_SECONDS, moves_in_progress()
    await asyncio.sleep(YIELD_SECONDS)
    while moves.number and time.monotonic() < until:
        await asyncio.sleep(YIELD_SECONDS)


async def in_turn(members: Collection[str], tell: Callable[[str], None]) -> None:
    """Tell the members of a group: a few at once, many in small parts. A thousand at once would stop every table.

    After many, Python looks through its new objects here. They took the place of as many, which Python does not count,
    so that it would look through ten thousand of them, for 3 ms, only when the next move makes some more.
    """
    if len(members) <= AT_ONCE:
        for member in members:
            tell(member)
        return
    await yield_to_moves()
    waiting = list(members)  # not before: even to name a thousand takes time from the move
    for begin in range(0, len(waiting), AT_ONCE):
        for member in waiting[begin : begin + AT_ONCE]:
            tell(member)
        await yield_to_moves()
    gc.collect(0)


class MemoryLayer(InMemoryChannelLayer):
    """Channels' in-memory layer without its costs that grow with the number of sockets.

    The original sweeps all channels on every send and receive, copies the message for each member in a task of its
    own, and makes two queues for each message. Here members share one message, which therefore nobody may change, and
    a channel keeps its queue until nobody reads it any more.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.memberships: dict[str, set[str]] = {}
        """The groups of each channel."""
        self.next_sweep = 0.0
        HELD.labels("channels").set_function(lambda: len(self.memberships))
        HELD.labels("memberships").set_function(lambda: sum(map(len, list(self.groups.values()))))
        HELD.labels("messages").set_function(lambda: sum(queue.qsize() for queue in list(self.channels.values())))

    def _clean_expired(self) -> None:
        """Sweep soon, but not before the members are told: a thousand channels take 2 ms."""
        if time.monotonic() >= self.next_sweep:
            self.next_sweep = time.monotonic() + SWEEP_SECONDS
            asyncio.get_running_loop().call_later(SWEEP_AFTER, self.sweep)

    def sweep(self) -> None:
        """Forget old messages, members who did not renew their membership, and queues that nobody reads."""
        super()._clean_expired()  # type: ignore[misc]  # private to channels, so the stubs leave it out
        for channel, queue in list(self.channels.items()):
            if queue.empty() and not queue._getters:  # type: ignore[attr-defined]  # private to asyncio
                del self.channels[channel]

    async def group_add(self, group: str, channel: str) -> None:
        await super().group_add(group, channel)
        self.memberships.setdefault(channel, set()).add(group)

    async def group_discard(self, group: str, channel: str) -> None:
        self.memberships.get(channel, set()).discard(group)
        self._leave(group, channel)

    def forget(self, channel: str) -> None:
        """Forget a channel, what waits in it and its memberships, at once: this cannot fail or be cut short."""
        self.channels.pop(channel, None)
        self._remove_from_groups(channel)

    def _remove_from_groups(self, channel: str) -> None:
        for group in self.memberships.pop(channel, ()):
            self._leave(group, channel)

    def _leave(self, group: str, channel: str) -> None:
        members = self.groups.get(group, {})
        members.pop(channel, None)
        if group in self.groups and not members:
            self._emptied(group)

    def _emptied(self, group: str) -> None:
        """Nobody is in a group any more."""
        del self.groups[group]

    async def flush(self) -> None:
        await super().flush()
        self.memberships = {}

    def queue_of(self, channel: str) -> Queue:
        if (queue := self.channels.get(channel)) is None:
            queue = self.channels[channel] = asyncio.Queue(maxsize=self.capacity)
        return queue

    async def receive(self, channel: str) -> dict[str, Any]:
        self._clean_expired()
        _expires, message = await self.queue_of(channel).get()
        return message

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._tell(self.groups.get(group, ()), message)

    async def ping(self) -> None:
        """Raises an error if what the layer stands on is away: nothing, here."""

    async def tell_everybody(self, message: dict[str, Any]) -> None:
        """Tell every channel that is in a group."""
        await self._tell(self.memberships, message)

    async def _tell(self, members: Collection[str], message: dict[str, Any]) -> None:
        self._clean_expired()
        expires = time.time() + self.expiry

        def tell(channel: str) -> None:
            if channel not in self.memberships:  # gone while others were told
                return
            queue = self.queue_of(channel)
            if queue.full():  # a member that far behind needs the newest, and the last may be to go away
                queue.get_nowait()
                DROPPED.inc()
            queue.put_nowait((expires, message))

        await in_turn(members, tell)
