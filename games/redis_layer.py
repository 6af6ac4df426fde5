"""channels_redis' layer, whose announcements share round trips.

The original waits for Redis under a lock for each message: when sixty moves are committed together, the last of
their tables hears of it sixty turns of a busy event loop later.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from channels_redis.utils import _wrap_close, decode_hosts

from games.layers import AT_ONCE, in_turn


class Shard(RedisSingleShardConnection):
    """What is published while a round trip runs goes out together in the next one."""

    def __init__(self, host: Any, channel_layer: RedisPubSubLoopLayer) -> None:
        super().__init__(host, channel_layer)
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

    def _receive_message(self, message: dict[str, Any] | None) -> None:
        """Hand on what Redis brings; a large group is told in turn."""
        members = self.channel_layer.groups.get(message["channel"].decode(), ()) if message else ()
        if len(members) <= AT_ONCE:
            super()._receive_message(message)
            return
        task = asyncio.create_task(in_turn(members, partial(self._put, message["data"])))
        self.telling.add(task)
        task.add_done_callback(self.telling.discard)

    def _put(self, data: bytes, channel: str) -> None:
        if (queue := self.channel_layer.channels.get(channel)) is not None:
            queue.put_nowait(data)


class LoopLayer(RedisPubSubLoopLayer):
    """The layer of one event loop."""

    def __init__(self, hosts: Any = None, **options: Any) -> None:
        super().__init__(hosts, **options)
        self._shards = [Shard(host, self) for host in decode_hosts(hosts)]


class RedisLayer(RedisPubSubChannelLayer):
    """The layer of a process; ``hosts`` and ``prefix`` as in channels_redis."""

    def _get_layer(self) -> LoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return self._layers[loop]
