"""How sockets end: nothing of them stays in the process, whatever fails and whenever the server has had enough."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.layers import get_channel_layer

from accounts.models import User
from games.broadcast.memory_layer import MemoryLayer
from games.broadcast.redis_layer import RedisLayer
from games.models import Match
from games.presence import leases
from games.presence.pages import pages
from games.sockets.table import TableSocket
from tests.games.socket_browser import WEBSOCKET_SITE, Browser, connect_and_read_frame

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]


def channel_layer() -> MemoryLayer | RedisLayer:
    layer = get_channel_layer()
    assert isinstance(layer, MemoryLayer | RedisLayer)
    return layer


def remaining_state() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return what the layer and the presence of this process still know of sockets."""
    layer = channel_layer()
    return dict(layer.channels), dict(layer.groups), dict(pages().places)


async def test_closed_socket_leaves_nothing(match: Match, people: list[User]) -> None:
    browsers = [await connect_and_read_frame(match, user) for user in (*people, None)]
    assert all(remaining_state())
    for browser in browsers:
        await browser.disconnect()
    assert remaining_state() == ({}, {}, {})


async def test_socket_killed_while_closing_leaves_nothing(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server waits for ten seconds: where a thousand go at once the database has no time for all of them."""
    stuck, reached = asyncio.Event(), asyncio.Event()

    async def in_database(*_arguments: object, **_options: object) -> None:
        reached.set()
        await stuck.wait()

    browser = await connect_and_read_frame(match, people[0])
    monkeypatch.setattr("games.sockets.player.in_database", in_database)
    await browser.send_input({"type": "websocket.disconnect", "code": 1006})
    await asyncio.wait_for(reached.wait(), 20)
    browser.future.cancel()
    await asyncio.wait([browser.future])
    assert remaining_state() == ({}, {}, {})


async def test_socket_killed_while_opening_leaves_nothing(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    reached = asyncio.Event()

    async def stuck(_self: TableSocket) -> None:
        reached.set()
        await asyncio.Event().wait()

    browser = Browser(f"/ws/match/{match.slug}/")
    monkeypatch.setattr(TableSocket, "renew_lease", stuck)
    task = asyncio.create_task(WEBSOCKET_SITE(browser.scope, browser.input_queue.get, browser.output_queue.put))
    await browser.input_queue.put({"type": "websocket.connect"})
    await asyncio.wait_for(reached.wait(), 20)
    assert channel_layer().groups
    task.cancel()
    await asyncio.wait([task])
    assert remaining_state() == ({}, {}, {})


async def test_browser_that_leaves_while_opening_is_not_awaited(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server would wait for ten seconds, and the database would look for thousands who have gone."""
    reached = asyncio.Event()

    async def stuck(_self: TableSocket) -> None:
        reached.set()
        await asyncio.Event().wait()

    browser = Browser(f"/ws/match/{match.slug}/")
    monkeypatch.setattr(TableSocket, "renew_lease", stuck)
    assert (await browser.connect())[0]
    await asyncio.wait_for(reached.wait(), 20)
    await browser.disconnect(timeout=2)
    assert remaining_state() == ({}, {}, {})


async def test_spectator_leaves_the_presence_despite_a_layer_failure(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(group: str, channel: str) -> None:
        raise RuntimeError("planted")

    browser = await connect_and_read_frame(match)
    monkeypatch.setattr(get_channel_layer(), "group_discard", broken, raising=False)
    await browser.disconnect()
    assert pages().places == {}


async def test_unreleasable_lease_is_no_error(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(**_options: object) -> None:
        raise RuntimeError("planted")

    browser = await connect_and_read_frame(match, people[0])
    monkeypatch.setattr(leases, "release_seat_lease", broken)
    await browser.disconnect()
    assert remaining_state() == ({}, {}, {})
    assert "goodbye_failed" in caplog.text


async def test_messages_to_a_closed_socket_are_not_stored(match: Match) -> None:
    layer = channel_layer()
    name = await layer.new_channel()
    await layer.group_add("match.x", name)
    layer.forget(name)
    await layer.group_send("match.x", {"type": "a"})
    await asyncio.sleep(0.3)
    assert (layer.channels, layer.groups) == ({}, {})
