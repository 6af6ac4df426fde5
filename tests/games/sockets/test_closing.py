"""When the site closes a socket, and with which code."""

from __future__ import annotations

import asyncio

import pytest
from channels.layers import get_channel_layer
from django.contrib.sessions.backends.db import SessionStore

from accounts.models import User
from accounts.services import session_hash
from games.broadcast import announcements as broadcast_announcements
from games.broadcast import groups
from games.models import Match, Seat
from games.sockets import shared_frames
from games.sockets.player import NOTHING_NEW
from infrastructure.server.connection import RESTART_MESSAGE
from tests.games import tables
from tests.games.socket_browser import Browser, connect_and_read_frame, connect_to_table, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


async def test_an_unknown_table_is_explained_and_closed_for_good() -> None:
    browser = Browser("/ws/match/nowhere/")
    await browser.connect()
    assert "table does not exist" in await browser.next_frame()
    assert await browser.close_code() == 4404


@pytest.mark.stack
async def test_a_table_that_was_deleted_is_explained_and_closed_for_good(match: Match, people: list[User]) -> None:
    browser = await connect_and_read_frame(match)
    await in_thread(match.delete)()
    await browser.send_message(type="seen", v=1)
    assert "table does not exist" in await browser.next_frame()
    assert await browser.close_code() == 4404


async def test_flood_is_warned_once_and_then_closed(match: Match, people: list[User]) -> None:
    browser = await connect_and_read_frame(match, people[0])
    for _ in range(80):
        await browser.send_message(type="seen", v=1)
    while (frame := await browser.next_frame()) == NOTHING_NEW:
        pass
    assert "was too fast" in frame
    assert "was too fast" in await browser.next_frame()
    assert await browser.close_code() == 4429


@pytest.mark.stack
async def test_a_log_out_closes_the_sockets_of_its_session_only(match: Match, people: list[User]) -> None:
    session = SessionStore()
    await in_thread(session.create)()
    logged_out = await connect_and_read_frame(match, people[0], session=session)
    other = await connect_and_read_frame(match, people[0])
    await in_thread(broadcast_announcements.close_sockets)(
        people[0].pk, "logged_out", session_hash(session.session_key)
    )
    assert "logged out" in await logged_out.next_frame()
    assert await logged_out.close_code() == 4401
    assert await other.receive_nothing(0.2)
    await in_thread(broadcast_announcements.close_sockets)(people[0].pk, "suspended")
    assert "suspended" in await other.next_frame()
    assert await other.close_code() == 4401


@pytest.mark.stack
async def test_the_heartbeat_renews_what_closes_the_socket(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    layer, joined = get_channel_layer(), []
    group_add = layer.group_add

    async def noted(group: str, channel: str) -> None:
        await group_add(group, channel)
        joined.append((group, channel))

    monkeypatch.setattr(layer, "group_add", noted)
    table, lobby_page = await connect_and_read_frame(match, people[0]), Browser("/ws/lobby/", people[0])
    await lobby_page.connect()
    await lobby_page.next_frame()
    own = {membership for membership in joined if membership[0] == groups.user_group(people[0].pk)}
    assert len(own) == 2
    for group, channel in joined:  # as the layer forgets who was heard of too long ago
        await layer.group_discard(group, channel)
    joined.clear()
    await table.send_message(type="seen")
    await lobby_page.send_message(type="seen")
    async with asyncio.timeout(20):
        while not own <= set(joined):
            await asyncio.sleep(0.01)
    await in_thread(broadcast_announcements.close_sockets)(people[0].pk, "suspended")
    for browser in (table, lobby_page):
        while "suspended" not in await browser.next_frame():
            pass
        assert await browser.close_code() == 4401


async def test_server_error_closes_the_socket_without_fast_reconnects(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(shared_frames, "rendered_match", broken)
    browser = await connect_to_table(match, people[0])
    assert "went wrong" in await browser.next_frame()
    assert await browser.close_code() == 4500
    assert "socket_broken" in caplog.text
    caplog.clear()


async def test_stopping_process_closes_after_a_move_and_keeps_the_seat(match: Match) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browser = await connect_and_read_frame(match, mover)
    row = await in_thread(tables.locked_row)(match)
    await browser.send_message(type="move", move=await in_thread(tables.first_legal_move)(match), v=row.version)
    await browser.send_input(RESTART_MESSAGE)
    assert f'name="v" value="{row.version + 1}"' in await browser.next_frame()
    assert await browser.close_code() == 1012
    await browser.disconnect(1012)
    assert not await in_thread(Seat.objects.filter(match=match, left_at__isnull=False).exists)()
