"""The first frame of a table's socket: what the page does not contain."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.models import Match
from tests.games import tables
from tests.games.socket_browser import Browser, in_thread, socket_address, zone_names

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


async def browser_of_page(match: Match, user: User) -> Browser:
    """Return the browser whose socket the page of the table will open."""
    client = await in_thread(tables.browser_of)(user)
    page = (await in_thread(client.get)(f"/match/{match.slug}/")).content.decode()
    return Browser(socket_address(page), user)


async def test_frame_after_an_unchanged_page_has_only_the_board_for_the_shape_of_the_window(
    match: Match, people: list[User]
) -> None:
    browser = await browser_of_page(match, people[0])
    await browser.connect()
    assert zone_names(await browser.next_frame()) <= {"board"}


async def test_frame_has_what_changed_since_the_page(match: Match, people: list[User]) -> None:
    browser = await browser_of_page(match, people[0])
    await in_thread(tables.make_first_move)(match)
    await browser.connect()
    frame = await browser.next_frame()
    assert {"board", "status", "seats", "moves"} <= zone_names(frame)
    assert f'name="v" value="{match.version + 1}"' in frame
    assert "scores" not in zone_names(frame)


async def test_only_the_first_frame_relies_on_the_page(match: Match, people: list[User]) -> None:
    browser = await browser_of_page(match, people[0])
    await browser.connect()
    first = zone_names(await browser.next_frame())
    await browser.send_message(type="seen", r=match.revision + 9)  # the browser shows another revision
    assert zone_names(await browser.next_frame()) > first | {"hand", "scores", "messages"}
