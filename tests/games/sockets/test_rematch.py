"""A rematch over the socket: offered, answered, and followed to by every page of its players."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.services import play
from games.sockets.player import NOTHING_NEW
from tests.games import tables
from tests.games.socket_browser import Browser, connect_and_read_frame

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


@pytest.fixture
def over(people: list[User]) -> Match:
    """A rated match that the second player has left."""
    match = tables.running_table(people, rated=True)
    match.seats.update(last_seen=timezone.now())
    play.leave_match(match_id=match.pk, user_id=people[1].pk)
    return match


async def answer(browser: Browser, **fields: Any) -> None:
    await browser.send_message(type="rematch", **fields)


async def next_update(browser: Browser) -> str:
    """Return the next frame that is more than an answer."""
    while (frame := await browser.next_frame()) == NOTHING_NEW:
        pass
    return frame


@pytest.mark.stack
async def test_everybody_is_asked_and_all_their_pages_follow(over: Match, people: list[User]) -> None:
    ann, other_page, bob, stranger = [
        await connect_and_read_frame(over, user) for user in (people[0], people[0], people[1], None)
    ]
    await answer(ann, answer="yes")
    assert "Rematch offered." in await other_page.next_frame()
    assert " wants a rematch." in await bob.next_frame()
    assert " wants a rematch." not in await stranger.next_frame()
    await answer(bob, answer="yes")
    for browser in (other_page, bob):
        assert 'data-follow="/match/' in await next_update(browser)
    frame = await stranger.next_frame()
    assert "data-follow" not in frame
    assert "Go to the rematch" in frame


async def test_ineffective_decline_is_answered(over: Match, people: list[User]) -> None:
    ann = await connect_and_read_frame(over, people[0])
    await answer(ann, answer="no")
    assert await ann.next_frame() == NOTHING_NEW


async def test_spectator_cannot_answer_an_offer(over: Match) -> None:
    stranger = await connect_and_read_frame(over)
    await answer(stranger, answer="yes")
    assert "You do not have a seat at this table." in await stranger.next_frame()
