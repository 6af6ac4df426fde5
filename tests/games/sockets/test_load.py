"""Slow browsers, slow queries and many spectators: nobody waits for them."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import connection

from accounts.models import User
from games.broadcast import announcements as broadcast_announcements
from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.broadcast.memory_layer import BATCH_SIZE
from games.chat import posting
from games.lobby import tables as lobby_tables
from games.match import snapshots
from games.models import Match
from games.sockets import match_reads
from games.sockets.match_broadcasts import MatchBroadcaster
from games.sockets.player import NOTHING_NEW
from games.sockets.table import TableSocket
from tests.games import tables
from tests.games.socket_browser import WEBSOCKET_SITE, Browser, connect_and_read_frame, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


@pytest.mark.stack
async def test_a_broadcast_passes_while_a_query_of_a_second_runs(match: Match) -> None:
    """Channels' own dispatch hops to its database thread before every message: this took 951 ms."""
    browser = await connect_and_read_frame(match)
    slow = asyncio.gather(in_thread(sleep_in_database)(1), in_database(sleep_in_database, 1))
    await asyncio.sleep(0.1)
    begun = time.perf_counter()
    await asyncio.to_thread(move_in_a_thread_of_its_own, match)
    assert f'value="{match.version + 1}"' in await browser.next_frame()
    assert time.perf_counter() - begun < 0.5
    await slow


def move_in_a_thread_of_its_own(match: Match) -> None:
    tables.make_first_move(match)
    connection.close()


def sleep_in_database(seconds: float) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_sleep(%s)", [seconds])
        else:
            connection.connection.create_function("sleep", 1, time.sleep)
            cursor.execute("SELECT sleep(%s)", [seconds])


async def test_a_slow_socket_skips_versions(match: Match) -> None:
    browser = Browser(f"/ws/match/{match.slug}/")
    browser.connection.slow = True
    reads, sent = asyncio.Event(), []
    reads.set()

    async def send(message: Any) -> None:
        sent.append(message.get("text", ""))
        await reads.wait()

    task = asyncio.create_task(WEBSOCKET_SITE(browser.scope, browser.input_queue.get, send))
    await browser.input_queue.put({"type": "websocket.connect"})
    await until(lambda: len(sent) == 2)  # accepted, and the first view
    reads.clear()
    await in_thread(tables.make_first_move)(match)
    await until(lambda: len(sent) == 3)
    for _ in range(4):
        await in_thread(tables.make_first_move)(match)
    reads.set()
    await until(lambda: len(sent) == 4)
    await asyncio.sleep(0.2)
    versions = [int(re.search(r'name="v" value="(\d+)"', frame)[1]) for frame in sent[1:]]
    assert versions == [match.version, match.version + 1, match.version + 5]
    await browser.input_queue.put({"type": "websocket.disconnect", "code": 1000})
    await task


async def test_blocked_spectator_delays_nobody(match: Match, people: list[User]) -> None:
    stuck, sent = Browser(f"/ws/match/{match.slug}/"), []
    stuck.connection.slow = True

    async def send(message: Any) -> None:
        sent.append(message)
        if len(sent) > 2:  # accepted, and the first view
            await asyncio.Event().wait()

    task = asyncio.create_task(WEBSOCKET_SITE(stuck.scope, stuck.input_queue.get, send))
    await stuck.input_queue.put({"type": "websocket.connect"})
    await until(lambda: len(sent) == 2)
    browsers = [await connect_and_read_frame(match), await connect_and_read_frame(match, people[0])]
    for number in range(1, 4):
        await in_thread(tables.make_first_move)(match)
        for other in browsers:
            assert f'name="v" value="{match.version + number}"' in await other.next_frame()
    assert sum('name="v"' in message.get("text", "") for message in sent) == 2
    task.cancel()


@pytest.mark.stack
async def test_players_are_updated_before_spectators(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    spectators = [await connect_and_read_frame(match) for _ in range(2 * BATCH_SIZE)]
    players = [await connect_and_read_frame(match, user) for user in people]
    served, send = [], MatchBroadcaster.send

    def noted(self: MatchBroadcaster, socket: TableSocket, *arguments: Any) -> None:
        send(self, socket, *arguments)
        served.append(socket.seated)

    monkeypatch.setattr(MatchBroadcaster, "send", noted)
    await in_thread(tables.make_first_move)(match)
    await until(lambda: len(served) == len(spectators) + len(players))
    assert served == [True, True] + [False] * len(spectators)


async def test_spectator_who_sits_down_misses_no_update(
    people: list[User],
) -> None:
    match = await in_thread(tables.open_table)(people)
    await in_thread(lobby_tables.stand_up)(match=match, user=people[1])
    browser = await connect_and_read_frame(match, people[1])
    await in_thread(lobby_tables.sit)(match=match, user=people[1])
    await browser.next_frame()
    for text in ("Hello", "I am here"):
        await in_thread(posting.post_message)(match=match, user=people[1], text=text)
        assert text in await browser.next_frame()
        await browser.send_message(type="seen")
        assert NOTHING_NEW in await browser.next_frame()
    await get_channel_layer().group_send(groups.user_group(people[1].pk), {"type": "user.closed", "code": "ended"})
    assert await browser.next_frame()
    assert await browser.close_code() == 4401


@pytest.mark.stack
async def test_heartbeats_of_visitors_share_one_query(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    visitors = [await connect_and_read_frame(match) for _ in range(20)]
    looks, current = [], snapshots.current_snapshot
    monkeypatch.setattr(snapshots, "current_snapshot", lambda match_id: looks.append(1) or current(match_id))
    monkeypatch.setattr(match_reads, "heartbeat_token", lambda: "beat 1")
    for visitor in visitors:
        await visitor.send_message(type="seen")
        assert await visitor.next_frame() == NOTHING_NEW
    assert len(looks) == 1


async def test_heartbeats_of_visitors_repair_a_lost_announcement(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = await connect_and_read_frame(match)
    for beat in ("beat 1", "beat 2"):
        monkeypatch.setattr(match_reads, "heartbeat_token", lambda token=beat: token)
        await visitor.send_message(type="seen")
        assert await visitor.next_frame() == NOTHING_NEW
        monkeypatch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
    await in_thread(tables.make_first_move)(match)
    monkeypatch.setattr(match_reads, "heartbeat_token", lambda: "beat 3")
    await visitor.send_message(type="seen")
    assert f'name="v" value="{match.version + 1}"' in await visitor.next_frame()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)
