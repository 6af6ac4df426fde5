"""When the site closes a socket, and with which code."""

from __future__ import annotations

import asyncio

import pytest
from channels.layers import get_channel_layer
from django.contrib.sessions.backends.db import SessionStore

from accounts.models import User
from accounts.services import session_mark
from games.broadcast import announcements as broadcast_announcements
from games.broadcast import groups
from games.models import Match
from games.sockets import shared_frames
from games.sockets.player import NOTHING_NEW
from tests.games.socket_browser import Browser, in_thread, opened, watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("nothing_logged_as_our_error")]


async def test_an_unknown_table_is_explained_and_closed_for_good() -> None:
    browser = Browser("/ws/match/nowhere/")
    await browser.connect()
    assert "table does not exist" in await browser.frame()
    assert await browser.closing_code() == 4404


@pytest.mark.stack
async def test_a_table_that_was_deleted_is_explained_and_closed_for_good(match: Match, people: list[User]) -> None:
    browser = await watch(match)
    await in_thread(match.delete)()
    await browser.say(type="seen", v=1)
    assert "table does not exist" in await browser.frame()
    assert await browser.closing_code() == 4404


async def test_a_flood_is_told_once_and_then_closed(match: Match, people: list[User]) -> None:
    browser = await watch(match, people[0])
    for _ in range(80):
        await browser.say(type="seen", v=1)
    while (frame := await browser.frame()) == NOTHING_NEW:
        pass
    assert "was too fast" in frame
    assert "was too fast" in await browser.frame()
    assert await browser.closing_code() == 4429


@pytest.mark.stack
async def test_a_log_out_closes_the_sockets_of_its_session_only(match: Match, people: list[User]) -> None:
    session = SessionStore()
    await in_thread(session.create)()
    here = await watch(match, people[0], session=session)
    elsewhere = await watch(match, people[0])
    await in_thread(broadcast_announcements.close_sockets)(
        people[0].pk, "logged_out", session_mark(session.session_key)
    )
    assert "logged out" in await here.frame()
    assert await here.closing_code() == 4401
    assert await elsewhere.receive_nothing(0.2)
    await in_thread(broadcast_announcements.close_sockets)(people[0].pk, "suspended")
    assert "suspended" in await elsewhere.frame()
    assert await elsewhere.closing_code() == 4401


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
    table, lobby_page = await watch(match, people[0]), Browser("/ws/lobby/", people[0])
    await lobby_page.connect(timeout=5)
    await lobby_page.frame()
    own = {membership for membership in joined if membership[0] == groups.user_group(people[0].pk)}
    assert len(own) == 2
    for group, channel in joined:  # as the layer forgets who was heard of too long ago
        await layer.group_discard(group, channel)
    joined.clear()
    await table.say(type="seen")
    await lobby_page.say(type="seen")
    async with asyncio.timeout(5):
        while not own <= set(joined):
            await asyncio.sleep(0.01)
    await in_thread(broadcast_announcements.close_sockets)(people[0].pk, "suspended")
    for browser in (table, lobby_page):
        while "suspended" not in await browser.frame():
            pass
        assert await browser.closing_code() == 4401


async def test_an_error_of_ours_ends_the_socket_so_that_browsers_do_not_come_back_each_second(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(shared_frames, "rendered_match", broken)
    browser = await opened(match, people[0])
    assert "went wrong" in await browser.frame()
    assert await browser.closing_code() == 4500
    assert "socket_broken" in caplog.text
    caplog.clear()
