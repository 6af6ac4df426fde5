"""The in-process layer: lean, and forgiving to slow members."""

from __future__ import annotations

import asyncio
import gc
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
import time_machine

from games.broadcast import memory_layer
from games.broadcast.memory_layer import AT_ONCE, MemoryLayer, moves_in_progress


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


async def test_a_channel_has_one_queue_until_nobody_reads_it_any_more(layer: MemoryLayer) -> None:
    (name,) = await joined(layer, 1)
    queues = []
    for number in range(3):
        reading = asyncio.create_task(layer.receive(name))
        await asyncio.sleep(0)
        await layer.group_send("match.x", {"n": number})
        queues.append(layer.channels[name])
        assert await reading == {"n": number}
    assert queues == [queues[0]] * 3
    reading = asyncio.create_task(layer.receive(name))
    await asyncio.sleep(0)
    layer.sweep()
    assert layer.channels == {name: queues[0]}
    reading.cancel()
    await asyncio.wait([reading])
    layer.sweep()
    assert layer.channels == {}


async def test_a_group_nobody_is_in_costs_nothing(layer: MemoryLayer) -> None:
    await layer.group_send("match.y", {"type": "a"})
    assert layer.channels == {}


async def test_a_member_that_does_not_read_holds_nobody_up_and_stays_in_the_group(layer: MemoryLayer) -> None:
    slow, quick = await joined(layer, 2)
    for number in range(5):
        await layer.group_send("match.x", {"n": number})
        assert await layer.receive(quick) == {"n": number}
    assert [await layer.receive(slow) for _ in range(2)] == [{"n": 3}, {"n": 4}]
    await layer.group_send("match.x", {"n": 5})
    assert await layer.receive(slow) == {"n": 5}


async def test_between_small_parts_of_a_large_group_others_work(layer: MemoryLayer) -> None:
    await joined(layer, 3 * AT_ONCE + 1)
    sending = asyncio.create_task(layer.group_send("match.x", {"type": "a"}))
    told = [0]
    while not sending.done():
        await asyncio.sleep(0)
        told.append(len(layer.channels))
    assert max(after - before for before, after in pairwise(told)) == AT_ONCE
    assert told[-1] == 3 * AT_ONCE + 1


async def test_a_large_group_waits_while_a_move_is_made_and_a_small_one_does_not(
    layer: MemoryLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_layer, "LONGEST_WAIT_SECONDS", 60)
    await joined(layer, AT_ONCE + 1)
    for name in list(layer.groups["match.x"])[:AT_ONCE]:
        await layer.group_add("seats.x", name)
    with moves_in_progress():
        sending = asyncio.create_task(layer.group_send("match.x", {"type": "a"}))
        await asyncio.sleep(0.02)
        assert layer.channels == {}
        await layer.group_send("seats.x", {"type": "b"})
        assert len(layer.channels) == AT_ONCE
    await asyncio.wait_for(sending, 5)
    assert len(layer.channels) == AT_ONCE + 1


async def test_a_large_group_does_not_wait_for_ever_where_there_is_always_a_move(layer: MemoryLayer) -> None:
    await joined(layer, AT_ONCE + 1)
    with moves_in_progress():
        await asyncio.wait_for(layer.group_send("match.x", {"type": "a"}), 5)


async def test_who_lets_a_message_wait_too_long_or_renews_no_membership_is_in_no_group(layer: MemoryLayer) -> None:
    _slow, quick = await joined(layer, 2)
    await layer.group_send("match.x", {"type": "a"})
    assert await layer.receive(quick) == {"type": "a"}
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=layer.expiry + 1)):
        layer.sweep()
        assert (list(layer.groups["match.x"]), layer.memberships, layer.channels) == (
            [quick],
            {quick: {"match.x"}},
            {},
        )
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=layer.group_expiry + 1)):
        layer.sweep()
        assert layer.groups == {}


async def test_the_sweep_runs_at_most_every_five_seconds_and_after_the_members_are_told(
    layer: MemoryLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept = []
    monkeypatch.setattr(memory_layer, "SWEEP_AFTER", 0.01)
    monkeypatch.setattr(MemoryLayer, "sweep", lambda self: swept.append(1))
    await joined(layer, 2)
    for _ in range(20):
        await layer.group_send("match.x", {"n": 1})
    assert swept == []
    await asyncio.sleep(0.1)
    await layer.group_send("match.x", {"n": 1})
    await asyncio.sleep(0.1)
    assert swept == [1]


@pytest.mark.parametrize(("members", "searched"), [(AT_ONCE, []), (AT_ONCE + 1, [0])])
async def test_what_a_large_group_leaves_is_searched_before_the_next_move(
    layer: MemoryLayer, monkeypatch: pytest.MonkeyPatch, members: int, searched: list[int]
) -> None:
    generations: list[int] = []
    monkeypatch.setattr(gc, "collect", generations.append)
    await joined(layer, members)
    await layer.group_send("match.x", {"type": "a"})
    assert generations == searched
