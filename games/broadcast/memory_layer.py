"""The channel layer of one process."""

from __future__ import annotations

import asyncio
import gc
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Any, ClassVar

from channels.layers import BaseChannelLayer
from prometheus_client import Counter, Gauge

from infrastructure.runtime import PerProcess

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


class Channel:
    """What waits for one socket, which alone reads it."""

    __slots__ = ("messages", "reader")

    def __init__(self, capacity: int) -> None:
        self.messages: deque[tuple[float, dict[str, Any]]] = deque(maxlen=capacity)
        """Each with the time at which it is too old."""
        self.reader: asyncio.Future[None] | None = None

    def put(self, expires: float, message: dict[str, Any]) -> None:
        """Add a message; a socket that far behind needs the newest, and the last may be to go away."""
        if len(self.messages) == self.messages.maxlen:
            DROPPED.inc()
        self.messages.append((expires, message))
        if self.reader is not None and not self.reader.done():
            self.reader.set_result(None)

    async def get(self) -> dict[str, Any]:
        while not self.messages:
            self.reader = asyncio.get_running_loop().create_future()
            try:
                await self.reader
            finally:
                self.reader = None
        return self.messages.popleft()[1]

    def drop_expired(self, now: float) -> bool:
        """Return whether a message had waited too long."""
        expired = False
        while self.messages and self.messages[0][0] < now:
            self.messages.popleft()
            expired = True
        return expired


class MemoryLayer(BaseChannelLayer):
    """A channel layer whose costs do not grow with the number of sockets, as those of channels' own in memory do.

    That sweeps all channels on every send and receive, copies the message for each member in a task of its own, and
    makes two queues for each message. Here members share one message, which therefore nobody may change, and a channel
    stays until nobody reads it any more.
    """

    extensions: ClassVar[list[str]] = ["groups", "flush"]

    def __init__(self, expiry: int = 60, group_expiry: int = 86400, capacity: int = 100) -> None:
        super().__init__(expiry=expiry, capacity=capacity)
        self.group_expiry = group_expiry
        self.channels: dict[str, Channel] = {}
        self.groups: dict[str, dict[str, float]] = {}
        """The channels of each group, and when each joined or renewed its membership."""
        self.memberships: dict[str, set[str]] = {}
        """The groups of each channel."""
        self.next_sweep = 0.0
        HELD.labels("channels").set_function(lambda: len(self.memberships))
        HELD.labels("memberships").set_function(lambda: sum(map(len, list(self.groups.values()))))
        HELD.labels("messages").set_function(lambda: sum(len(one.messages) for one in list(self.channels.values())))

    async def new_channel(self, prefix: str = "specific.") -> str:
        return f"{prefix}{secrets.token_hex(8)}"

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        self._channel(channel).put(time.time() + self.expiry, message)

    async def receive(self, channel: str) -> dict[str, Any]:
        self._sweep_soon()
        return await self._channel(channel).get()

    async def group_add(self, group: str, channel: str) -> None:
        self.require_valid_group_name(group)
        self.groups.setdefault(group, {})[channel] = time.time()
        self.memberships.setdefault(channel, set()).add(group)

    async def group_discard(self, group: str, channel: str) -> None:
        self.memberships.get(channel, set()).discard(group)
        self._leave(group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._tell(self.groups.get(group, ()), message)

    async def flush(self) -> None:
        self.channels, self.groups, self.memberships = {}, {}, {}

    async def ping(self) -> None:
        """Raises an error if what the layer stands on is away: nothing, here."""

    async def tell_everybody(self, message: dict[str, Any]) -> None:
        """Tell every channel that is in a group."""
        await self._tell(self.memberships, message)

    def forget(self, channel: str) -> None:
        """Forget a channel, what waits in it and its memberships, at once: this cannot fail or be cut short."""
        self.channels.pop(channel, None)
        for group in self.memberships.pop(channel, ()):
            self._leave(group, channel)

    def sweep(self) -> None:
        """Forget channels that let a message wait too long, memberships not renewed, and what nobody reads."""
        now = time.time()
        for name, channel in list(self.channels.items()):
            if channel.drop_expired(now):
                for group in self.memberships.pop(name, ()):
                    self._leave(group, name)
            if not channel.messages and channel.reader is None:
                del self.channels[name]
        for group, members in list(self.groups.items()):
            for name in [name for name, joined in members.items() if joined < now - self.group_expiry]:
                self.memberships.get(name, set()).discard(group)
                self._leave(group, name)

    def emptied(self, group: str) -> None:
        """Nobody is in a group any more."""
        del self.groups[group]

    def _sweep_soon(self) -> None:
        """Sweep soon, but not before the members are told: a thousand channels take 2 ms."""
        if time.monotonic() >= self.next_sweep:
            self.next_sweep = time.monotonic() + SWEEP_SECONDS
            asyncio.get_running_loop().call_later(SWEEP_AFTER, self.sweep)

    def _leave(self, group: str, channel: str) -> None:
        members = self.groups.get(group, {})
        members.pop(channel, None)
        if group in self.groups and not members:
            self.emptied(group)

    def _channel(self, name: str) -> Channel:
        if (channel := self.channels.get(name)) is None:
            channel = self.channels[name] = Channel(self.capacity)
        return channel

    async def _tell(self, members: Collection[str], message: dict[str, Any]) -> None:
        self._sweep_soon()
        expires = time.time() + self.expiry

        def tell(name: str) -> None:
            if name in self.memberships:  # else gone while others were told
                self._channel(name).put(expires, message)

        await in_turn(members, tell)
