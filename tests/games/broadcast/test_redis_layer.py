"""The layer between processes: announcements that wait share a round trip, and each arrives once."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from channels.layers import get_channel_layer
from django.conf import settings

from benchmarks.kit import RedisServer
from games.broadcast import redis_layer
from games.broadcast.redis_layer import LAYER_BACK, LoopLayer, RedisConnection, RedisLayer


class Redis:
    """Stands for the connection to Redis, and keeps what each round trip took along."""

    def __init__(self) -> None:
        self.trips: list[list[str]] = []
        self.messages: list[bytes] = []

    def pipeline(self, *, transaction: bool) -> Redis:
        assert not transaction
        self.trips.append([])
        return self

    def publish(self, channel: str, message: bytes) -> None:
        self.trips[-1].append(channel)
        self.messages.append(message)

    async def execute(self) -> None:
        await asyncio.sleep(0)


def connection_to(redis: Redis) -> RedisConnection:
    connection = LoopLayer({"address": "redis://nowhere"}, "asgi").connection
    connection.redis = redis
    return connection


async def test_waiting_messages_share_the_next_round_trip() -> None:
    connection = connection_to(redis := Redis())
    await asyncio.gather(*(connection.publish((f"match.{number}", b"")) for number in range(60)))
    assert redis.trips == [["match.0"], [f"match.{number}" for number in range(1, 60)]]


async def test_messages_keep_their_order() -> None:
    connection = connection_to(redis := Redis())
    for number in range(3):
        await connection.publish((f"match.{number}", b""))
    assert redis.trips == [["match.0"], ["match.1"], ["match.2"]]


def test_the_connection_ends_with_its_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    layer, connections = RedisLayer(hosts=["unix:///nowhere/redis.sock"]), []

    async def listen() -> None:
        connections.append(layer.connection)
        await layer.connection.subscribe("match.x")
        assert layer.connection.receive_task is not None

    for _ in range(2):
        asyncio.run(listen())
    assert connections[0] is not connections[1]
    assert [connection.receive_task for connection in connections] == [None, None]
    assert layer.layers == {}


async def test_members_in_the_process_do_not_wait_for_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    layer, redis = LoopLayer({"address": "redis://nowhere"}, "asgi"), Redis()
    layer.connection.redis, layer.connection.is_away = redis, True
    other = LoopLayer({"address": "redis://nowhere"}, "asgi")
    other.connection.is_away = True
    for process in (layer, other):
        await process.group_add("match.x", "page")
    answer = asyncio.Event()
    monkeypatch.setattr(redis, "execute", answer.wait)
    sending = asyncio.create_task(layer.group_send("match.x", {"revision": 3}))
    assert await asyncio.wait_for(layer.receive("page"), 5) == {"revision": 3}
    assert not sending.done()
    answer.set()
    await sending
    for process in (layer, other):
        await process.receive_published("asgi__group__match.x", redis.messages[0])
    assert layer.channels["page"].empty()
    assert await other.receive("page") == {"revision": 3}


async def test_joining_a_group_does_not_wait_while_redis_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = connection_to(Redis())
    monkeypatch.setattr(connection, "update_subscriptions", asyncio.Event().wait)
    connection.is_away = True
    await asyncio.wait_for(connection.subscribe("match.x"), 5)
    assert connection.is_outdated


@pytest.mark.stack
async def test_every_group_gets_its_own_message() -> None:
    layer = get_channel_layer()
    names = [await layer.new_channel() for _ in range(20)]
    for number, name in enumerate(names):
        await layer.group_add(f"match.{number}", name)
    await asyncio.gather(*(layer.group_send(f"match.{number}", {"n": number}) for number in range(20)))
    heard = [await asyncio.wait_for(layer.receive(name), 5) for name in names]
    assert heard == [{"n": number} for number in range(20)]
    await layer.flush()


def layer_of(server: RedisServer, **options: float) -> LoopLayer:
    return LoopLayer({"address": server.url} | settings.REDIS_OPTIONS | options, "asgi")


@pytest.mark.stack
async def test_sockets_refresh_while_redis_is_silent_and_connected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when its machine or the network is down: no connection breaks."""
    monkeypatch.setattr(redis_layer, "PING_INTERVAL_SECONDS", 0.05)
    monkeypatch.setattr(redis_layer, "RETRY_SECONDS", 0.05)
    server = RedisServer(tmp_path / "redis")
    server.start()
    sender, receiver = (layer_of(server, socket_timeout=0.2, socket_connect_timeout=0.2) for _ in range(2))
    await receiver.group_add("match.x", "page")
    server.process.send_signal(signal.SIGSTOP)
    for _ in range(3):
        assert await asyncio.wait_for(receiver.receive("page"), 5) == LAYER_BACK
    server.process.send_signal(signal.SIGCONT)
    while receiver.connection.is_away:
        await asyncio.sleep(0.05)
    await sender.group_send("match.x", {"revision": 3})
    async with asyncio.timeout(5):
        while await receiver.receive("page") != {"revision": 3}:
            pass
    for layer in (sender, receiver):
        await layer.flush()
    server.stop()


@pytest.mark.stack
async def test_the_first_message_after_a_restart_of_redis_arrives(tmp_path: Path) -> None:
    server = RedisServer(tmp_path / "redis")
    server.start()
    sender, receiver = layer_of(server), layer_of(server)
    await sender.ping()
    server.stop()
    server.start()
    await receiver.group_add("match.x", "page")
    await sender.group_send("match.x", {"revision": 3})
    assert await asyncio.wait_for(receiver.receive("page"), 5) == {"revision": 3}
    for layer in (sender, receiver):
        await layer.flush()
    server.stop()
