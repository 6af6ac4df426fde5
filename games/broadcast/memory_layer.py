"""The channel layer of one process.

The layer of Channels in memory goes through all channels on every send and receive, and copies the message for each
member in a task of its own. Here the cost does not grow with the number of sockets.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar

import structlog
from channels.layers import BaseChannelLayer
from prometheus_client import Counter, Gauge

from infrastructure.runtime import PerProcess

log = structlog.get_logger()
BATCH_SIZE = 16  # members of a large group served per turn of the event loop, about 2 ms of work
# Turns of the event loop between two batches: enough for a move that arrived to be in progress.
TURNS_BETWEEN_BATCHES = 6
WAIT_STEP_SECONDS = 0.001  # between two checks for moves in progress
MAX_WAIT_SECONDS = 0.02  # on a busy site there is always a move in progress

DROPPED_MESSAGES = Counter("dominoes_layer_dropped_total", "Announcements dropped for sockets that are far behind")
LAYER_CONTENTS = Gauge("dominoes_layer_held", "Contents of the channel layer of this process", ["what"])

Listener = Callable[[dict[str, Any]], None]
MessageQueue = asyncio.Queue[dict[str, Any]]


class MovesInProgress:
    """Counts the moves in progress, which large groups wait for. Use it as ``with moves_in_progress():``."""

    count = 0

    def __enter__(self) -> None:
        self.count += 1

    def __exit__(self, *_exc: object) -> None:
        self.count -= 1


moves_in_progress = PerProcess(MovesInProgress)


async def yield_to_moves() -> None:
    """Let other tasks run, and wait a moment for moves in progress."""
    deadline, moves = time.monotonic() + MAX_WAIT_SECONDS, moves_in_progress()
    for _turn in range(TURNS_BETWEEN_BATCHES):
        await asyncio.sleep(0)
    while moves.count and time.monotonic() < deadline:
        await asyncio.sleep(WAIT_STEP_SECONDS)


async def send_in_batches(members: Collection[str], send: Callable[[str], None]) -> None:
    """Send to the members of a group in batches: a thousand at once would block every table."""
    if len(members) <= BATCH_SIZE:
        for member in members:
            send(member)
        return
    await yield_to_moves()
    remaining = list(members)  # after the yield: listing a thousand would delay the move
    for begin in range(0, len(remaining), BATCH_SIZE):
        for member in remaining[begin : begin + BATCH_SIZE]:
            send(member)
        await yield_to_moves()


class MemoryLayer(BaseChannelLayer):
    """All members of a group receive the same message object, so nobody may change it.

    Nothing expires: a consumer calls ``forget`` however it ends, and a slow one keeps the newest messages only.
    """

    extensions: ClassVar[list[str]] = ["groups", "flush"]

    def __init__(self, capacity: int = 100) -> None:
        super().__init__(capacity=capacity)
        self.channels: dict[str, MessageQueue] = {}
        self.listeners: dict[str, Listener] = {}
        self.groups: dict[str, dict[str, None]] = {}
        self.memberships: dict[str, set[str]] = {}
        LAYER_CONTENTS.labels("channels").set_function(lambda: len(self.memberships))
        LAYER_CONTENTS.labels("memberships").set_function(lambda: sum(map(len, list(self.groups.values()))))
        LAYER_CONTENTS.labels("messages").set_function(
            lambda: sum(queue.qsize() for queue in list(self.channels.values()))
        )

    async def new_channel(self, prefix: str = "specific.") -> str:
        return f"{prefix}{secrets.token_hex(8)}"

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        """Send to one channel. A full one drops its oldest message: the newest may be the order to close."""
        self._enqueue(channel, message)

    async def receive(self, channel: str) -> dict[str, Any]:
        return await self._queue_of(channel).get()

    def listen(self, channel: str, listener: Listener) -> None:
        """Pass the messages of a channel to a listener, which is called by the sender."""
        self.listeners[channel] = listener

    async def group_add(self, group: str, channel: str) -> None:
        self.require_valid_group_name(group)
        self.groups.setdefault(group, {})[channel] = None
        self.memberships.setdefault(channel, set()).add(group)

    async def group_discard(self, group: str, channel: str) -> None:
        self.memberships.get(channel, set()).discard(group)
        self._remove_member(group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._send_to(self.groups.get(group, ()), message)

    async def send_all(self, messages: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Send messages to groups, one after the other."""
        for group, message in messages:
            await self.group_send(group, message)

    async def send_to_everybody(self, message: dict[str, Any]) -> None:
        """Send to every channel that is in a group."""
        await self._send_to(self.memberships, message)

    async def flush(self) -> None:
        self.channels, self.listeners, self.groups, self.memberships = {}, {}, {}, {}

    async def ping(self) -> None:
        """Raises an error if the layer does not work: this one always does."""

    def forget(self, channel: str) -> None:
        """Forget a channel, its messages and its memberships. This is synchronous, so it cannot be interrupted."""
        self.channels.pop(channel, None)
        self.listeners.pop(channel, None)
        for group in self.memberships.pop(channel, ()):
            self._remove_member(group, channel)

    def on_group_empty(self, group: str) -> None:
        """Called when the last member has left a group."""
        del self.groups[group]

    def _remove_member(self, group: str, channel: str) -> None:
        members = self.groups.get(group, {})
        members.pop(channel, None)
        if group in self.groups and not members:
            self.on_group_empty(group)

    def _queue_of(self, channel: str) -> MessageQueue:
        if (messages := self.channels.get(channel)) is None:
            messages = self.channels[channel] = asyncio.Queue(self.capacity)
        return messages

    def _enqueue(self, channel: str, message: dict[str, Any]) -> None:
        messages = self._queue_of(channel)
        if messages.full():
            DROPPED_MESSAGES.inc()
            messages.get_nowait()
        messages.put_nowait(message)

    async def _send_to(self, members: Collection[str], message: dict[str, Any]) -> None:
        def send(channel: str) -> None:
            if (listener := self.listeners.get(channel)) is not None:
                try:
                    listener(message)
                except Exception:  # the other members get the message, and a receiver of Redis goes on
                    log.exception("listener_failed", message=message["type"])
            elif channel in self.memberships:  # otherwise it left while others received theirs
                self._enqueue(channel, message)

        await send_in_batches(members, send)
