"""The channel layer of one process."""

from __future__ import annotations

import asyncio
import gc
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar

from channels.layers import BaseChannelLayer
from prometheus_client import Counter, Gauge

from infrastructure.runtime import PerProcess

SWEEP_SECONDS, SWEEP_AFTER = 5, 0.5
"""Seconds between two sweeps of the layer, and from a message to the sweep, so that its receivers come first."""
AT_ONCE = 16
"""Members of a large group that are told in one go: about 2 ms of work."""
TURNS = 6
"""Turns of the event loop between these: after so many, a move that arrived is in progress. To pause takes longer."""
WAIT_SECONDS = 0.001
"""Moves in progress are waited for in steps of this length, in which the database threads work."""
LONGEST_WAIT_SECONDS = 0.02
"""The longest wait for moves: on a busy site there is always one in progress."""


DROPPED = Counter("dominoes_layer_dropped_total", "Announcements dropped for sockets that are far behind")
HELD = Gauge("dominoes_layer_held", "What the channel layer of this process holds", ["what"])


Hear = Callable[[dict[str, Any]], None]


class MovesInProgress:
    """Counts the moves in progress, for which large groups wait. Use it as ``with moves_in_progress():``."""

    number = 0

    def __enter__(self) -> None:
        self.number += 1

    def __exit__(self, *_exc: object) -> None:
        self.number -= 1


moves_in_progress = PerProcess(MovesInProgress)


async def yield_to_moves() -> None:
    """Let other work run for a moment, and moves in progress until they are made."""
    until, moves = time.monotonic() + LONGEST_WAIT_SECONDS, moves_in_progress()
    for _turn in range(TURNS):
        await asyncio.sleep(0)
    while moves.number and time.monotonic() < until:
        await asyncio.sleep(WAIT_SECONDS)


async def in_turn(members: Collection[str], tell: Callable[[str], None]) -> None:
    """Tell the members of a group: a few at once, many in small parts. A thousand at once would stop every table.

    A large group leaves thousands of new objects behind. They are collected here, after the group, where it is cheap;
    otherwise Python would do it during the next move, for 3 ms.
    """
    if len(members) <= AT_ONCE:
        for member in members:
            tell(member)
        return
    await yield_to_moves()
    waiting = list(members)  # only now: even to list a thousand takes time from the move
    for begin in range(0, len(waiting), AT_ONCE):
        for member in waiting[begin : begin + AT_ONCE]:
            tell(member)
        await yield_to_moves()
    gc.collect(0)


class Channel:
    """The messages that wait for one socket."""

    __slots__ = ("messages", "reader")

    def __init__(self, capacity: int) -> None:
        self.messages: deque[tuple[float, dict[str, Any]]] = deque(maxlen=capacity)
        """Each with the time at which it expires."""
        self.reader: asyncio.Future[None] | None = None

    def put(self, expires: float, message: dict[str, Any]) -> None:
        """Add a message. When the queue is full the oldest goes: the newest matters, and may be the order to close."""
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
        """Drop messages that have waited too long. Return whether there was one."""
        expired = False
        while self.messages and self.messages[0][0] < now:
            self.messages.popleft()
            expired = True
        return expired


class MemoryLayer(BaseChannelLayer):
    """A channel layer whose costs do not grow with the number of sockets, as those of channels' own in memory do.

    channels' layer sweeps all channels on every send and receive, copies the message for each member in a task of its
    own, and makes two queues for each message. Here all members get the same message object, so nobody may change it,
    and a channel stays until nobody reads it.
    """

    extensions: ClassVar[list[str]] = ["groups", "flush"]

    def __init__(self, expiry: int = 60, group_expiry: int = 86400, capacity: int = 100) -> None:
        super().__init__(expiry=expiry, capacity=capacity)
        self.group_expiry = group_expiry
        self.channels: dict[str, Channel] = {}
        self.listeners: dict[str, Hear] = {}
        """The channels whose messages are heard at once."""
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

    def listen(self, channel: str, hear: Hear) -> None:
        """Have the messages of a channel heard at once, where they are sent, and never wait to be received."""
        self.listeners[channel] = hear

    async def group_add(self, group: str, channel: str) -> None:
        self.require_valid_group_name(group)
        self.groups.setdefault(group, {})[channel] = time.time()
        self.memberships.setdefault(channel, set()).add(group)

    async def group_discard(self, group: str, channel: str) -> None:
        self.memberships.get(channel, set()).discard(group)
        self._leave(group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._tell(self.groups.get(group, ()), message)

    async def send_all(self, messages: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Send messages to groups, one after the other."""
        for group, message in messages:
            await self.group_send(group, message)

    async def flush(self) -> None:
        self.channels, self.listeners, self.groups, self.memberships = {}, {}, {}, {}

    async def ping(self) -> None:
        """Raises an error if the layer does not work: this one always does."""

    async def tell_everybody(self, message: dict[str, Any]) -> None:
        """Tell every channel that is in a group."""
        await self._tell(self.memberships, message)

    def forget(self, channel: str) -> None:
        """Forget a channel, its messages and its memberships. This is synchronous, so it cannot be interrupted."""
        self.channels.pop(channel, None)
        self.listeners.pop(channel, None)
        for group in self.memberships.pop(channel, ()):
            self._leave(group, channel)

    def sweep(self) -> None:
        """Forget channels in which a message expired, memberships that were not renewed, and channels nobody reads."""
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
        """Called when the last member has left a group."""
        del self.groups[group]

    def _sweep_soon(self) -> None:
        """Sweep soon, but after the members are told: a thousand channels take 2 ms."""
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
            if (hear := self.listeners.get(name)) is not None:
                hear(message)
            elif name in self.memberships:  # otherwise it left while others were told
                self._channel(name).put(expires, message)

        await in_turn(members, tell)
