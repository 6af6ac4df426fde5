"""The layer between processes: channels and groups are in memory, and messages to groups go through Redis.

The layer of channels_redis asks Redis, under a lock, to open and close every channel. When a thousand sockets end at
once, that takes longer than the server allows, and the channels that were not closed stay.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import Any

import structlog
from channels_redis.serializers import registry
from channels_redis.utils import decode_hosts
from prometheus_client import Histogram
from redis.asyncio import Redis

from games.broadcast.memory_layer import BATCH_SIZE, MemoryLayer
from infrastructure.outages import is_outage

log = structlog.get_logger()
# Sent to every channel once a second while Redis is away, and when it answers again: messages of other processes are
# lost meanwhile.
LAYER_BACK: dict[str, Any] = {"type": "layer.back"}
SENDER = "sender"  # the key of a published message for the name of its layer
LISTEN_TIMEOUT_SECONDS = 0.1
RETRY_SECONDS = 1.0
PING_INTERVAL_SECONDS = 1.0
ROUND_TRIP_SECONDS = Histogram(
    "dominoes_redis_seconds",
    "Time of a round trip to Redis that publishes messages",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.25, 1, 2),
)


class RedisConnection:
    """The connection of one event loop to Redis. Messages published during a round trip share the next one."""

    def __init__(self, host: dict[str, Any], layer: LoopLayer) -> None:
        options = {option: value for option, value in host.items() if option != "address"}
        # With protocol 3 the client does not notice that Redis closed an idle connection, and loses the next message.
        self.redis: Any = Redis.from_url(host["address"], protocol=2, **options)
        self.pubsub: Any = self.redis.pubsub()
        self.layer = layer
        self.lock = asyncio.Lock()
        self.topics: set[str] = set()  # of the groups that have members here
        self.subscribed: set[str] = set()
        self.is_outdated = False
        self.is_away = False  # Redis does not answer
        self.answered_at = 0.0  # by the monotonic clock
        self.unsent_messages: list[tuple[str, bytes]] = []
        self.receive_task: asyncio.Task[None] | None = None
        self.refresh_task: asyncio.Task[None] | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    async def publish(self, *messages: tuple[str, bytes]) -> None:
        """Publish messages, each under its topic."""
        self.unsent_messages += messages
        async with self.lock:
            if not self.unsent_messages:  # sent together with an earlier message
                return
            batch, self.unsent_messages = self.unsent_messages, []
            pipeline = self.redis.pipeline(transaction=False)
            for topic, data in batch:
                pipeline.publish(topic, data)
            with ROUND_TRIP_SECONDS.time():
                await pipeline.execute()

    async def subscribe(self, topic: str) -> None:
        """Receive a topic from now on, or from when Redis is back."""
        self.topics.add(topic)
        if topic not in self.subscribed:
            self.is_outdated = True
            if self.is_away:  # the receiving task subscribes as soon as Redis is back
                return
            try:
                await self.update_subscriptions()
            except Exception as error:
                if not is_outage(error):
                    raise

    def unsubscribe(self, topic: str) -> None:
        self.topics.discard(topic)
        self.is_outdated = True

    async def update_subscriptions(self) -> None:
        """Bring the subscriptions up to date, with two commands however many topics changed."""
        async with self.lock:
            if not self.is_outdated:  # done together with an earlier topic
                return
            if self.receive_task is None:
                self.receive_task = asyncio.create_task(self.receive())
            if added := self.topics - self.subscribed:
                await self.pubsub.subscribe(*added)
                self.subscribed |= added
            if unsubscribed := self.subscribed - self.topics:
                await self.pubsub.unsubscribe(*unsubscribed)
                self.subscribed -= unsubscribed
            self.is_outdated = self.topics != self.subscribed

    async def receive(self) -> None:
        """Pass on messages from Redis. During an outage and after it, have all sockets catch up."""
        task = asyncio.current_task()
        # Redis's client may answer a cancellation with an error of its own, or with nothing.
        while task and not task.cancelling():
            try:
                await self.update_subscriptions()
                await self.require_answer()
                message = await self._next_message()
            except Exception as error:
                if not is_outage(error):
                    log.exception("redis_connection_broken")
                await self.start_outage()
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if self.is_away:
                self.is_away = False
                log.info("redis_is_back")
                self.run_in_task(self.layer.send_to_everybody(LAYER_BACK))
            if message is not None:
                await self.layer.receive_published(message["channel"].decode(), message["data"])

    async def require_answer(self) -> None:
        """Raise an error if Redis is silent: when its machine or the network is down, no connection breaks."""
        if time.monotonic() > self.answered_at + PING_INTERVAL_SECONDS:
            await self.layer.ping()
            self.answered_at = time.monotonic()

    async def start_outage(self) -> None:
        """Have all sockets catch up until Redis is back, by a new connection: the old one may be silent for longer."""
        self.is_away = True
        if self.refresh_task is None or self.refresh_task.done():
            self.refresh_task = asyncio.create_task(self.refresh_while_away())
        if self.pubsub.connection is not None:
            await self.pubsub.connection.disconnect(nowait=True)

    async def refresh_while_away(self) -> None:
        """Attempts to reach a silent Redis take longer than the time between two refreshes."""
        while self.is_away:
            await self.layer.send_to_everybody(LAYER_BACK)
            await asyncio.sleep(RETRY_SECONDS)

    async def _next_message(self) -> dict[str, Any] | None:
        if self.pubsub.subscribed:
            message: dict[str, Any] | None = await self.pubsub.get_message(
                ignore_subscribe_messages=True, timeout=LISTEN_TIMEOUT_SECONDS
            )
            return message
        await asyncio.sleep(LISTEN_TIMEOUT_SECONDS)
        return None

    async def close(self) -> None:
        for task in (self.receive_task, self.refresh_task):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        self.receive_task = self.refresh_task = None
        await self.pubsub.aclose()
        await self.redis.aclose()
        self.subscribed = set()

    def run_in_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in a task of its own."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


class LoopLayer(MemoryLayer):
    """The layer of one event loop.

    Members in this process receive a message at once, without a round trip. Redis passes it on to the others, so a
    process works on its own while Redis is away.
    """

    def __init__(self, host: dict[str, Any], prefix: str) -> None:
        super().__init__()
        self.name = secrets.token_hex(8)
        self.topic_prefix, self.codec = f"{prefix}__group__", registry.get_serializer("msgpack")
        self.connection = RedisConnection(host, self)

    async def group_add(self, group: str, channel: str) -> None:
        await super().group_add(group, channel)
        await self.connection.subscribe(self.topic_prefix + group)

    def on_group_empty(self, group: str) -> None:
        super().on_group_empty(group)
        self.connection.unsubscribe(self.topic_prefix + group)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send to the group in all processes."""
        await self.send_all([(group, message)])

    async def send_all(self, messages: Sequence[tuple[str, dict[str, Any]]]) -> None:
        for group, message in messages:
            await self.deliver(group, message)
        published = [
            (self.topic_prefix + group, self.codec.serialize(message | {SENDER: self.name}))
            for group, message in messages
        ]
        try:
            await self.connection.publish(*published)
        except Exception as error:
            if not is_outage(error):
                raise

    async def ping(self) -> None:
        await self.connection.publish((f"{self.topic_prefix}health", b""))

    async def receive_published(self, topic: str, data: bytes) -> None:
        """Deliver a message of another process. This one has delivered its own already."""
        message = self.codec.deserialize(data)
        if message.pop(SENDER, None) != self.name:
            await self.deliver(topic.removeprefix(self.topic_prefix), message)

    async def deliver(self, group: str, message: dict[str, Any]) -> None:
        """Deliver to the members in this process; for a large group, without waiting until all have it."""
        sending = super().group_send(group, message)
        if len(self.groups.get(group, ())) <= BATCH_SIZE:
            await sending
        else:
            self.connection.run_in_task(sending)

    async def flush(self) -> None:
        await super().flush()
        await self.connection.close()


class RedisLayer:
    """The layer of a process; ``hosts`` names one Redis, ``prefix`` keeps sites apart that share it.

    A connection belongs to an event loop: that of the sockets, or for a moment that of a command that announces.
    """

    def __init__(self, hosts: list[Any], prefix: str = "asgi") -> None:
        (self.host,) = decode_hosts(hosts)
        self.prefix = prefix
        self.layers: dict[asyncio.AbstractEventLoop, LoopLayer] = {}
        self.loop_watchers: dict[asyncio.AbstractEventLoop, AsyncIterator[None]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.layer_of_loop(asyncio.get_running_loop()), name)

    def layer_of_loop(self, loop: asyncio.AbstractEventLoop) -> LoopLayer:
        if (layer := self.layers.get(loop)) is None:
            layer = self.layers[loop] = LoopLayer(self.host, self.prefix)
            self.loop_watchers[loop] = self.close_with_loop(loop)
            layer.connection.run_in_task(self.watch_loop(loop))
        return layer

    async def watch_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        await anext(self.loop_watchers[loop])

    async def close_with_loop(self, loop: asyncio.AbstractEventLoop) -> AsyncIterator[None]:
        """Close the connection together with its loop, which closes the asynchronous generators started in it."""
        try:
            yield
        finally:
            del self.loop_watchers[loop]
            await self.layers.pop(loop).connection.close()
