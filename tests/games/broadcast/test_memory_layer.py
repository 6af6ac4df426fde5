"""The in-process layer: lean, and forgiving to slow members."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from unittest.mock import Mock

import pytest

from games.broadcast import memory_layer
from games.broadcast.memory_layer import BATCH_SIZE, MemoryLayer, moves_in_progress


@pytest.fixture
def layer() -> MemoryLayer:
    return MemoryLayer(capacity=2)


async def joined(layer: MemoryLayer, count: int) -> list[str]:
    names = [await layer.new_channel() for _ in range(count)]
    for name in names:
        await layer.group_add("match.x", name)
    return names


async def test_every_member_gets_the_message(layer: MemoryLayer) -> None:
    names = await joined(layer, 3)
    await layer.group_send("match.x", {"type": "a"})
    assert [await layer.receive(name) for name in names] == [{"type": "a"}] * 3


async def test_empty_group_costs_nothing(layer: MemoryLayer) -> None:
    await layer.group_send("match.y", {"type": "a"})
    assert layer.channels == {}


async def test_failing_listener_is_logged_and_the_others_get_the_message(
    layer: MemoryLayer, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await joined(layer, 2)
    layer.listen(first, Mock(side_effect=KeyError("planted")))
    await layer.group_send("match.x", {"type": "a"})
    assert await layer.receive(second) == {"type": "a"}
    assert "listener_failed" in caplog.text


async def test_slow_member_delays_nobody_and_stays_in_the_group(layer: MemoryLayer) -> None:
    slow, quick = await joined(layer, 2)
    for number in range(5):
        await layer.group_send("match.x", {"n": number})
        assert await layer.receive(quick) == {"n": number}
    assert [await layer.receive(slow) for _ in range(2)] == [{"n": 3}, {"n": 4}]
    await layer.group_send("match.x", {"n": 5})
    assert await layer.receive(slow) == {"n": 5}


async def test_large_group_yields_between_batches(layer: MemoryLayer) -> None:
    await joined(layer, 3 * BATCH_SIZE + 1)
    sending = asyncio.create_task(layer.group_send("match.x", {"type": "a"}))
    counts = [0]
    while not sending.done():
        await asyncio.sleep(0)
        counts.append(len(layer.channels))
    assert max(after - before for before, after in pairwise(counts)) == BATCH_SIZE
    assert counts[-1] == 3 * BATCH_SIZE + 1


async def test_only_large_groups_wait_for_moves(layer: MemoryLayer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_layer, "MAX_WAIT_SECONDS", 60)
    await joined(layer, BATCH_SIZE + 1)
    for name in list(layer.groups["match.x"])[:BATCH_SIZE]:
        await layer.group_add("seats.x", name)
    with moves_in_progress():
        sending = asyncio.create_task(layer.group_send("match.x", {"type": "a"}))
        await asyncio.sleep(0.02)
        assert layer.channels == {}
        await layer.group_send("seats.x", {"type": "b"})
        assert len(layer.channels) == BATCH_SIZE
    await asyncio.wait_for(sending, 5)
    assert len(layer.channels) == BATCH_SIZE + 1


async def test_large_group_waits_for_a_limited_time(layer: MemoryLayer) -> None:
    await joined(layer, BATCH_SIZE + 1)
    with moves_in_progress():
        await asyncio.wait_for(layer.group_send("match.x", {"type": "a"}), 5)


async def test_forgotten_channel_leaves_nothing(layer: MemoryLayer) -> None:
    first, second = await joined(layer, 2)
    await layer.group_send("match.x", {"type": "a"})
    layer.forget(first)
    assert (list(layer.groups["match.x"]), layer.memberships) == ([second], {second: {"match.x"}})
    layer.forget(second)
    assert (layer.channels, layer.groups, layer.memberships) == ({}, {}, {})
