"""The sockets of the lobby: they hear of tables, but not of each at once."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from games.broadcast import announcements as broadcast_announcements
from tests.games import tables
from tests.games.socket_browser import Browser, in_thread, socket_address, zone_names

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


@pytest.mark.stack
async def test_lobby_is_updated_at_most_once_a_second(people: list[User]) -> None:
    browser = Browser("/ws/lobby/")
    await browser.connect()
    await browser.next_frame()
    for _ in range(3):
        await in_thread(tables.open_table)(people)
        await in_thread(broadcast_announcements.touch_lobby)()
    frame = await browser.next_frame()
    assert "open-tables" in frame
    assert await browser.receive_nothing(0.3)


async def test_new_lobby_socket_shows_tables_opened_without_listeners(people: list[User]) -> None:
    early = Browser("/ws/lobby/")
    await early.connect()
    assert "Ann" not in await early.next_frame()
    await early.disconnect()
    await in_thread(tables.open_table)(people)
    await in_thread(broadcast_announcements.touch_lobby)()
    late = Browser("/ws/lobby/")
    await late.connect()
    assert "Ann" in await late.next_frame()


async def test_own_tables_stay_in_the_list_that_only_the_page_has(people: list[User]) -> None:
    match = await in_thread(tables.open_table)(people)
    for user, listed in ((people[0], False), (await in_thread(tables.person)("Cleo"), True)):
        browser = Browser("/ws/lobby/", user=user)
        await browser.connect()
        assert (match.slug in await browser.next_frame()) == listed
        await browser.disconnect()


async def test_lobby_socket_with_too_many_parameters_shows_all_games(people: list[User]) -> None:
    browser = Browser("/ws/lobby/?" + "&".join(["game=kozel"] * 1001))
    await browser.connect()
    assert "open-tables" in await browser.next_frame()


async def test_first_frame_has_only_what_changed_since_the_page(people: list[User]) -> None:
    page = (await in_thread(Client().get)("/")).content.decode()
    browser = Browser(socket_address(page))
    await browser.connect()
    assert zone_names(await browser.next_frame()) == set()
    await browser.disconnect()
    await in_thread(tables.open_table)(people)
    browser = Browser(socket_address(page))
    await browser.connect()
    assert zone_names(await browser.next_frame()) == {"open-tables"}


async def test_heartbeat_is_answered_even_if_nothing_changes() -> None:
    browser = Browser("/ws/lobby/")
    await browser.connect()
    await browser.next_frame()
    await browser.send_message(type="seen")
    assert zone_names(await browser.next_frame()) == set()
