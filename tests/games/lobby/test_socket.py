"""The sockets of the lobby: they hear of tables, but not of each at once."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.broadcast import announcements as broadcast_announcements
from tests.games import tables
from tests.games.socket_browser import Browser, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("nothing_logged_as_our_error")]


@pytest.mark.stack
async def test_the_lobby_hears_of_a_new_table_at_most_once_a_second(people: list[User]) -> None:
    browser = Browser("/ws/lobby/")
    await browser.connect()
    await browser.frame()
    for _ in range(3):
        await in_thread(tables.open_table)(people)
        await in_thread(broadcast_announcements.touch_lobby)()
    frame = await browser.frame()
    assert "open-tables" in frame
    assert await browser.receive_nothing(0.3)


async def test_who_enters_the_lobby_sees_a_table_that_nobody_was_there_to_hear_of(people: list[User]) -> None:
    early = Browser("/ws/lobby/")
    await early.connect()
    assert "Ann" not in await early.frame()
    await early.disconnect()
    await in_thread(tables.open_table)(people)
    await in_thread(broadcast_announcements.touch_lobby)()
    late = Browser("/ws/lobby/")
    await late.connect()
    assert "Ann" in await late.frame()


async def test_lobby_socket_with_too_many_parameters_shows_all_games(people: list[User]) -> None:
    browser = Browser("/ws/lobby/?" + "&".join(["game=kozel"] * 1001))
    await browser.connect()
    assert "open-tables" in await browser.frame()
