"""The in-process layer: lean, and forgiving to slow members."""

from __future__ import annotations

import pytest

from games.layers import MemoryLayer


@pytest.fixture
def layer() -> MemoryLayer:
    return MemoryLayer(capacity=2)


async def joined(layer: MemoryLayer, count: int) -> list[str]:
    names = [await layer.new_channel() for _ in range(count)]
    for name in names:
        await layer.group_add("match.x", name)
    return names


async def test_every_member_gets_the_message(layer):
    names = await joined(layer, 3)
    await layer.group_send("match.x", {"type": "a"})
    assert [await layer.receive(name) for name in names] == [{"type": "a"}] * 3


async def test_a_group_nobody_is_in_costs_nothing(layer):
    await layer.group_send("match.y", {"type": "a"})
    assert layer.channels == {}


async def test_a_member_that_does_not_read_holds_nobody_up_and_stays_in_the_group(layer):
    slow, quick = await joined(layer, 2)
    for number in range(5):
        await layer.group_send("match.x", {"n": number})
        assert await layer.receive(quick) == {"n": number}
    assert [await layer.receive(slow) for _ in range(2)] == [{"n": 0}, {"n": 1}]
    await layer.group_send("match.x", {"n": 5})
    assert await layer.receive(slow) == {"n": 5}


async def test_the_sweep_runs_at_most_every_five_seconds(layer, monkeypatch):
    swept = []
    monkeypatch.setattr("channels.layers.InMemoryChannelLayer._clean_expired", lambda self: swept.append(1))
    await joined(layer, 2)
    for _ in range(20):
        await layer.group_send("match.x", {"n": 1})
    assert swept == [1]
