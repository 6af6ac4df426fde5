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
from tests.games.socket_browser import SITE, Browser, watch

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]


def this_layer() -> MemoryLayer | RedisLayer:
    layer = get_channel_layer()
    assert isinstance(layer, MemoryLayer | RedisLayer)
    return layer


def left() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return what the layer and the presence of this process still know of sockets."""
    layer = this_layer()
    return dict(layer.channels), dict(layer.groups), dict(pages().places)


async def test_a_socket_that_says_goodbye_leaves_nothing(match: Match, people: list[User]) -> None:
    browsers = [await watch(match, user) for user in (*people, None)]
    assert all(left())
    for browser in browsers:
        await browser.disconnect()
    assert left() == ({}, {}, {})


async def test_a_socket_that_the_server_kills_while_it_says_goodbye_leaves_nothing(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server waits for ten seconds: where a thousand go at once the database has no time for all of them."""
    stuck, reached = asyncio.Event(), asyncio.Event()

    async def in_database(*_arguments: object, **_options: object) -> None:
        reached.set()
        await stuck.wait()

    browser = await watch(match, people[0])
    monkeypatch.setattr("games.sockets.player.in_database", in_database)
    await browser.send_input({"type": "websocket.disconnect", "code": 1006})
    await asyncio.wait_for(reached.wait(), 5)
    browser.future.cancel()
    await asyncio.wait([browser.future])
    assert left() == ({}, {}, {})


async def test_a_socket_that_is_killed_while_it_opens_leaves_nothing(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = asyncio.Event()

    async def stuck(_self: TableSocket) -> None:
        reached.set()
        await asyncio.Event().wait()

    browser = Browser(f"/ws/match/{match.slug}/")
    monkeypatch.setattr(TableSocket, "renew_lease", stuck)
    task = asyncio.create_task(SITE(browser.scope, browser.input_queue.get, browser.output_queue.put))
    await browser.input_queue.put({"type": "websocket.connect"})
    await asyncio.wait_for(reached.wait(), 5)
    assert this_layer().groups
    task.cancel()
    await asyncio.wait([task])
    assert left() == ({}, {}, {})


async def test_a_browser_that_goes_while_its_socket_opens_is_not_waited_for(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server would wait for ten seconds, and the database would look for thousands who have gone."""
    reached = asyncio.Event()

    async def stuck(_self: TableSocket) -> None:
        reached.set()
        await asyncio.Event().wait()

    browser = Browser(f"/ws/match/{match.slug}/")
    monkeypatch.setattr(TableSocket, "renew_lease", stuck)
    assert (await browser.connect(timeout=5))[0]
    await asyncio.wait_for(reached.wait(), 5)
    await browser.disconnect(timeout=2)
    assert left() == ({}, {}, {})


async def test_a_watcher_leaves_the_presence_though_the_layer_fails(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(group: str, channel: str) -> None:
        raise RuntimeError("planted")

    browser = await watch(match)
    monkeypatch.setattr(get_channel_layer(), "group_discard", broken, raising=False)
    await browser.disconnect()
    assert pages().places == {}


async def test_a_lease_that_cannot_be_given_back_is_no_error(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(**_options: object) -> None:
        raise RuntimeError("planted")

    browser = await watch(match, people[0])
    monkeypatch.setattr(leases, "release_lease", broken)
    await browser.disconnect()
    assert left() == ({}, {}, {})
    assert "goodbye_failed" in caplog.text


async def test_what_is_told_to_a_socket_that_has_gone_meanwhile_is_kept_nowhere(match: Match) -> None:
    layer = this_layer()
    name = await layer.new_channel()
    await layer.group_add("match.x", name)
    layer.forget(name)
    await layer.group_send("match.x", {"type": "a"})
    await asyncio.sleep(0.3)
    assert (layer.channels, layer.groups) == ({}, {})
