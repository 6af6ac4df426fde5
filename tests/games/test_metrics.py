"""What /metrics tells of the live tables."""

from __future__ import annotations

import asyncio
import re
import threading

import pytest
from channels.layers import get_channel_layer
from prometheus_client import generate_latest

from accounts.models import User
from games import heartbeat
from games.broadcast import announcements as broadcast_announcements
from games.broadcast.database_threads import DATABASE_THREADS, in_database
from games.broadcast.memory_layer import DROPPED_MESSAGES, MemoryLayer
from games.broadcast.redis_layer import RedisLayer
from games.heartbeat import Heartbeat
from games.models import Match
from tests.games import tables
from tests.games.socket_browser import connect_and_read_frame, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


def metric_values() -> dict[str, float]:
    """Return the metrics of the site by name and labels."""
    lines = re.findall(r"^(dominoes_\S+) (\S+)$", generate_latest().decode(), re.MULTILINE)
    return {name: float(number) for name, number in lines}


def metric_increase(before: dict[str, float], name: str) -> float:
    return metric_values().get(name, 0.0) - before.get(name, 0.0)


async def test_a_move_is_timed_from_frame_to_frame_and_so_is_its_rendering(match: Match, people: list[User]) -> None:
    before = metric_values()
    mover = await in_thread(tables.player_to_move)(match)
    browser = await connect_and_read_frame(match, mover)
    version = (await in_thread(tables.locked_row)(match)).version
    await browser.send_message(type="move", move=await in_thread(tables.first_legal_move)(match), v=version)
    await browser.next_frame()
    async with asyncio.timeout(5):
        while not metric_increase(before, "dominoes_move_frame_seconds_count"):
            await asyncio.sleep(0.01)
    assert metric_increase(before, "dominoes_render_seconds_count") == 2
    assert metric_increase(before, "dominoes_resyncs_total") == 0


async def test_missed_updates_are_counted_by_cause(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browsers = [
        await connect_and_read_frame(match, mover),
        await connect_and_read_frame(match, people[1 - people.index(mover)]),
    ]
    monkeypatch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
    await in_thread(tables.make_first_move)(match)
    before = metric_values()
    await browsers[1].send_message(type="seen")
    await browsers[1].next_frame()
    await browsers[0].send_message(type="move", move="pass", v=match.version)
    await browsers[0].next_frame()
    assert metric_increase(before, 'dominoes_resyncs_total{by="heartbeat"}') == 1
    assert metric_increase(before, 'dominoes_resyncs_total{by="stale"}') == 1


@pytest.mark.stack
async def test_channel_layer_contents_are_measured(match: Match, people: list[User]) -> None:
    browsers = [await connect_and_read_frame(match, user) for user in people]
    values = metric_values()
    # Each socket is in the group of its person, and their audience is told of the match, now and with a delay.
    assert values['dominoes_layer_held{what="channels"}'] == 3
    assert values['dominoes_layer_held{what="memberships"}'] == 4
    for browser in browsers:
        await browser.disconnect()
    values = metric_values()
    assert {name: number for name, number in values.items() if name.startswith("dominoes_layer_held") and number} == {}
    assert values['dominoes_sockets{kind="TableSocket"}'] == 0


async def test_announcements_for_a_socket_that_is_far_behind_are_counted_when_they_are_dropped() -> None:
    layer, before = MemoryLayer(capacity=2), DROPPED_MESSAGES._value.get()
    name = await layer.new_channel()
    await layer.group_add("match.x", name)
    for number in range(5):
        await layer.group_send("match.x", {"n": number})
    assert DROPPED_MESSAGES._value.get() - before == 3


@pytest.mark.stack
async def test_work_that_waits_for_the_database_is_counted(match: Match) -> None:
    layer = get_channel_layer()
    assert isinstance(layer, MemoryLayer | RedisLayer)
    await layer.ping()
    released = threading.Event()
    works = [asyncio.create_task(in_database(released.wait)) for _ in range(20)]
    try:
        async with asyncio.timeout(10):
            while metric_values()["dominoes_database_waiting"] != 20 - DATABASE_THREADS:
                await asyncio.sleep(0.01)
    finally:
        released.set()
    await asyncio.gather(*works)
    assert metric_values()["dominoes_database_waiting"] == 0


async def test_the_lag_of_the_loop_is_measured_with_every_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "INTERVAL_SECONDS", 0.01)
    before = metric_values()
    beating = asyncio.create_task(Heartbeat("web").run())
    async with asyncio.timeout(10):
        while metric_increase(before, "dominoes_loop_lag_seconds_count") < 2:
            await asyncio.sleep(0.01)
    beating.cancel()
