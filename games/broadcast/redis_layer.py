"""The layer between processes: channels and groups are in memory, and what is told to a group goes through Redis.

Only the line to Redis is from channels_redis. Its layer asks Redis, under a lock, to open and to close every channel:
when a thousand sockets ended at once that took longer than the server lets them, and what was not closed stayed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog
from channels_redis.pubsub import RedisPubSubChannelLayer, RedisSingleShardConnection
from channels_redis.utils import _wrap_close, decode_hosts

from games.broadcast.memory_layer import AT_ONCE, MemoryLayer
from infrastructure.outages import is_outage

log = structlog.get_logger()
BACK: dict[str, Any] = {"type": "layer.back"}
"""Told to every channel when Redis answers again: what other processes told meanwhile is lost."""
LISTEN_SECONDS, RETRY_SECONDS = 0.1, 1.0


class Line(RedisSingleShardConnection):
    """The line to Redis. What is published while a round trip runs goes out together in the next one."""

    channel_layer: LoopLayer
    # The two clients of redis: made by ``_ensure_redis`` and ``_ensure_receiver``, None before.
    _redis: Any
    _pubsub: Any

    def __init__(self, host: Any, channel_layer: LoopLayer) -> None:
        super().__init__(host, channel_layer)
        self.wanted: set[str] = set()
        """The topics of the groups that have members here."""
        self.unsettled = False
        self.waiting: list[tuple[str, bytes]] = []
        self.telling: set[asyncio.Task[None]] = set()

    async def publish(self, channel: str, message: bytes) -> None:
        self.waiting.append((channel, message))
        async with self._lock:
            if not self.waiting:  # it went with the message before
                return
            batch, self.waiting = self.waiting, []
            self._ensure_redis()
            pipeline = self._redis.pipeline(transaction=False)
            for each in batch:
                pipeline.publish(*each)
            await pipeline.execute()

    async def want(self, topic: str) -> None:
        """Hear of a topic from now on; if Redis is away, from when it is back."""
        self.wanted.add(topic)
        if topic not in self._subscribed_to:
            self.unsettled = True
            try:
                await self.settle()
            except Exception as error:
                if not is_outage(error):
                    raise

    def drop(self, topic: str) -> None:
        """Hear of a topic no longer, soon."""
        self.wanted.discard(topic)
        self.unsettled = True

    async def settle(self) -> None:
        """Subscribe to what is wanted by now and to nothing else: however many come and go, in one go."""
        async with self._lock:
            if not self.unsettled:  # it went with the topic before
                return
            self._ensure_redis()
            self._ensure_receiver()
            if new := self.wanted - self._subscribed_to:
                await self._pubsub.subscribe(*new)
                self._subscribed_to |= new
            if old := self._subscribed_to - self.wanted:
                await self._pubsub.unsubscribe(*old)
                self._subscribed_to -= old
            self.unsettled = self.wanted != self._subscribed_to

    async def _do_receiving(self) -> None:
        """Hand on what Redis brings. When it comes back after a fault, have everybody look for what was missed."""
        away, task = False, asyncio.current_task()
        # Redis's client may answer a cancellation with an error of its own, or with nothing.
        while task and not task.cancelling():
            try:
                await self.settle()
                message = await self._next_message()
            except Exception as error:
                if not is_outage(error):
                    log.exception("redis_line_broken")
                away = True
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if away:
                away = False
                log.info("redis_is_back")
                self.soon(self.channel_layer.tell_everybody(BACK))
            if message is not None:
                await self.channel_layer.hear(message["channel"].decode(), message["data"])

    async def _next_message(self) -> dict[str, Any] | None:
        if self._pubsub.subscribed:
            message: dict[str, Any] | None = await self._pubsub.get_message(
                ignore_subscribe_messages=True, timeout=LISTEN_SECONDS
            )
            return message
        await asyncio.sleep(LISTEN_SECONDS)
        return None

    def soon(self, telling: Coroutine[Any, Any, None]) -> None:
        """Tell while others are told already."""
        task = asyncio.create_task(telling)
        self.telling.add(task)
        task.add_done_callback(self.telling.discard)


class LoopLayer(MemoryLayer):
    """The layer of one event loop."""

    def __init__(self, hosts: Any, channel_layer: RedisLayer, prefix: str = "asgi") -> None:
        super().__init__()
        (host,) = decode_hosts(hosts)
        self.codec, self.head = channel_layer, f"{prefix}__group__"
        self.line = Line(host, self)

    async def group_add(self, group: str, channel: str) -> None:
        await super().group_add(group, channel)
        await self.line.want(self.head + group)

    def emptied(self, group: str) -> None:
        super().emptied(group)
        self.line.drop(self.head + group)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Tell all processes; if Redis is away, at least this one."""
        try:
            await self.line.publish(self.head + group, self.codec.serialize(message))
        except Exception as error:
            if not is_outage(error):
                raise
            await super().group_send(group, message)

    async def ping(self) -> None:
        await self.line.publish(f"{self.head}health", b"")

    async def hear(self, topic: str, data: bytes) -> None:
        """Tell the members that a group has here, a large one while others are told already."""
        group = topic.removeprefix(self.head)
        telling = super().group_send(group, self.codec.deserialize(data))
        if len(self.groups.get(group, ())) <= AT_ONCE:
            await telling
        else:
            self.line.soon(telling)

    async def flush(self) -> None:
        await super().flush()
        await self.line.flush()


class RedisLayer(RedisPubSubChannelLayer):
    """The layer of a process; ``hosts`` names one Redis, ``prefix`` keeps sites apart that share it."""

    _layers: dict[asyncio.AbstractEventLoop, LoopLayer]

    def _get_layer(self) -> LoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = LoopLayer(**self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return self._layers[loop]
