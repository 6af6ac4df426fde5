"""The featured match in the lobby: its board follows the moves, and the next match follows when it is over."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from accounts.models import User
from games.broadcast.groups import match_group
from games.match.disclosure import DELAY_SECONDS
from games.models import Match, Presence
from games.services import play
from games.sockets.presence_exchange import presence_exchange
from games.tv import featured
from games.tv import socket as tv_socket
from tests.games import tables
from tests.games.socket_browser import Browser, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


async def enter_lobby(query: str = "") -> tuple[Browser, str]:
    """Return a browser in the lobby, and its first frame."""
    browser = Browser(f"/ws/lobby/{query}")
    await browser.connect()
    return browser, await browser.next_frame()


async def other_frame(browser: Browser, match: Match) -> str:
    """Return the first frame that does not show this match: its end may be shown before."""
    while f'href="/match/{match.slug}/">Live' in (frame := await browser.next_frame()):
        pass
    return frame


@pytest.mark.stack
async def test_board_follows_the_moves(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    browsers = [await enter_lobby(), await enter_lobby()]
    assert all(f'href="/match/{match.slug}/">Live: Kozel' in frame for _browser, frame in browsers)
    before = browsers[0][1].count("<use")
    await in_thread(tables.make_first_move)(match)
    for browser, _frame in browsers:
        frame = await browser.next_frame()
        assert '<hx-partial id="featured"' in frame
        assert '<hx-partial id="featured-sprites"' not in frame
        assert "open-tables" not in frame
        assert "Ann" in frame
        assert frame.count("<use") != before
    await presence_exchange().exchange_once()
    assert match_group(match.slug) not in (await in_thread(Presence.objects.get)()).people
    for browser, _frame in browsers:
        await browser.disconnect()
    assert tv_socket._matches().by_match == {}


async def test_a_browser_stays_with_the_match_that_its_page_shows(people: list[User]) -> None:
    first = await in_thread(tables.running_table)(people[:1], bots=1)
    await in_thread(tables.running_table)(people)
    stays, frame = await enter_lobby(f"?on={first.slug}")
    other, better = await enter_lobby("?on=nothing")
    assert "Live: Kozel" in frame
    assert f'href="/match/{first.slug}/">Live' in frame
    assert f'href="/match/{first.slug}/">Live' not in better
    await stays.disconnect()
    await other.disconnect()


async def test_next_match_follows_the_end(people: list[User]) -> None:
    first = await in_thread(tables.running_table)(people)
    second = await in_thread(tables.running_table)([], bots=2, variant="rytmino")
    browser, frame = await enter_lobby()
    assert f'href="/match/{first.slug}/">Live' in frame
    await in_thread(play.stop_match)(match_id=first.pk)
    frame = await other_frame(browser, first)
    assert f'href="/match/{second.slug}/">Live: Rytmino' in frame
    assert '<hx-partial id="featured-sprites"' in frame
    await in_thread(play.stop_match)(match_id=second.pk)
    frame = await other_frame(browser, second)
    assert '<section id="featured" class="featured" aria-labelledby="featured-title" hidden>' in frame
    await browser.disconnect()


async def test_board_leaves_a_match_while_nobody_moves(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(featured, "INACTIVE_AFTER", timedelta(seconds=2))
    monkeypatch.setattr(featured, "RECHECK_AFTER", timedelta(seconds=0.5))
    match = await in_thread(tables.running_table)(people)
    browser, frame = await enter_lobby()
    assert f'href="/match/{match.slug}/">Live' in frame
    frame = await browser.next_frame()
    assert '<section id="featured" class="featured" aria-labelledby="featured-title" hidden>' in frame
    await in_thread(tables.make_first_move)(match)
    assert f'href="/match/{match.slug}/">Live' in await browser.next_frame()
    await browser.disconnect()


async def test_a_match_with_a_delay_is_shown_as_its_spectators_see_it(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DELAY_SECONDS, "30", 1.5)
    match = await in_thread(tables.running_table)(people, delay="30", clock="none")
    await asyncio.sleep(1.6)
    browser, frame = await enter_lobby()
    before = frame.count("<use")
    await in_thread(tables.make_first_move)(match)
    assert await browser.receive_nothing(1.1)
    later = await browser.next_frame()
    assert later.count("<use") != before
    await browser.disconnect()


async def test_match_is_hidden_from_blocked_viewers(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people, visibility="link")
    browser, frame = await enter_lobby(f"?on={match.slug}")
    assert match.slug not in frame
    await browser.disconnect()
