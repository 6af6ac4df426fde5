"""The socket of a review: who looks, who leads; refused where the match is not over for the viewer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
from django.test import Client

from accounts import blocks
from accounts.models import User
from games.broadcast.groups import review_group
from games.chat import posting
from games.models import Match
from games.moderation.acts import hide_message
from games.presence.pages import Pages
from games.review import shared_review
from games.sockets.presence_exchange import PresenceExchange, presence_exchange
from tests.games import reviewed, tables
from tests.games.presence.windows import Window
from tests.games.socket_browser import WAIT_SECONDS, Browser, in_thread

pytestmark = pytest.mark.django_db(transaction=True)
ANN_AND_BOB = "2 people here: Ann, Bob"


@pytest.fixture
def match(transactional_db: None) -> Match:
    return reviewed.stop_match(reviewed.play_random_moves("kozel", 5))


@pytest.fixture
def people(transactional_db: None) -> list[User]:
    return [tables.person("Ann"), tables.person("Bob")]


@pytest.fixture(autouse=True)
async def exchanging(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Exchange with the other processes as a process that serves does."""
    monkeypatch.setattr("games.sockets.presence_exchange.MIN_EXCHANGE_INTERVAL_SECONDS", 0.01)
    work = asyncio.create_task(presence_exchange().run())
    yield
    work.cancel()


async def opened(match: Match, user: User | None = None, language: str = "en") -> Browser:
    browser = Browser(f"/ws/review/{match.slug}/", user, language=language)
    connected, _protocol = await browser.connect()
    assert connected
    return browser


async def until(browser: Browser, text: str | re.Pattern[str]) -> str:
    """Return the first frame with this text."""
    for _frame in range(20):
        frame = await browser.next_frame()
        if re.search(text, frame):
            return frame
    raise AssertionError(text)


async def leave(*browsers: Browser) -> None:
    for browser in browsers:
        await browser.disconnect()


async def test_all_readers_are_shown(match: Match, people: list[User]) -> None:
    ann, bob = [await opened(match, user) for user in people]
    assert "Lead the review" in await until(ann, ANN_AND_BOB)
    await until(bob, ANN_AND_BOB)
    visitor = await opened(match)
    assert "Lead the review" not in await until(visitor, "3 people here: Ann, Bob, 1 other")
    await leave(visitor, bob)
    await until(ann, "1 person here: Ann")
    await leave(ann)


@pytest.fixture
def nobody_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_review, "LEAD_RESERVATION_SECONDS", 0)


@pytest.mark.usefixtures("nobody_is_awaited")
async def test_the_leader_is_followed_until_she_leaves(match: Match, people: list[User]) -> None:
    ann, bob = [await opened(match, user) for user in people]
    await ann.send_message(type="lead", at="2", **{"as": "open"})
    assert "data-leads" in await until(ann, "You are leading")
    frame = await until(bob, "Ann is leading")
    assert 'data-at="2" data-as="open"' in frame
    await ann.send_message(type="lead", at="3", **{"as": "1"})
    await until(bob, 'data-at="3" data-as="1"')
    late = await opened(match)
    await until(late, 'data-at="3" data-as="1"')
    await bob.send_message(type="lead", at="1", **{"as": "open"})
    await until(bob, "Somebody else is already leading")
    await leave(ann)
    await until(bob, "Ann is no longer leading")
    await until(late, "Ann is no longer leading")
    await leave(bob, late)


@pytest.mark.stack
async def test_two_processes_show_the_same_people(match: Match, people: list[User]) -> None:
    ann, there, place = await opened(match, people[0]), Pages("other"), review_group(match.slug)
    await until(ann, "1 person here: Ann")
    afar = Window(user=people[1])
    there.join(place, afar)
    await PresenceExchange(there).exchange_once()
    await until(ann, ANN_AND_BOB)
    there.leave(place, afar)
    await PresenceExchange(there).exchange_once()
    await until(ann, "1 person here: Ann")
    await leave(ann)


async def test_the_lead_survives_a_reload(match: Match, people: list[User]) -> None:
    ann, bob = [await opened(match, user) for user in people]
    await ann.send_message(type="lead", at="2", **{"as": "open"})
    await until(bob, "Ann is leading")
    await leave(ann)
    again = await opened(match, people[0])
    assert "data-leads" in await until(again, "You are leading")
    await again.send_message(type="stop")
    await until(bob, "Ann is no longer leading")
    await leave(again, bob)


async def test_the_lead_is_handed_over(match: Match, people: list[User]) -> None:
    ann, bob = [await opened(match, user) for user in people]
    await until(ann, ANN_AND_BOB)
    await ann.send_message(type="lead", at="2", **{"as": "open"})
    await until(bob, "Ann is leading")
    await ann.send_message(type="hand_over", to=str(people[1].pk))
    assert "data-leads" in await until(bob, "You are leading")
    await until(ann, "Bob is leading")
    await leave(ann, bob)


NONSENSE: list[dict[str, Any]] = [
    {"type": "lead"},
    {"type": "lead", "at": "0", "as": "open"},
    {"type": "lead", "at": "999", "as": "open"},
    {"type": "lead", "at": "2", "as": "9"},
    {"type": "lead", "at": "2", "as": ["open"]},
    {"type": "lead", "at": -1, "as": "open"},
    {"type": "hand_over", "to": "1"},
    {"type": "hand_over"},
    {"type": "chat", "text": ["x"]},
    {"type": "review_changed"},
    {"type": "review_said"},
]


async def test_invalid_messages_are_refused_without_effect(match: Match, people: list[User]) -> None:
    ann = await opened(match, people[0])
    await until(ann, "Ann")
    for data in NONSENSE:
        await ann.send_message(**data)
        await until(ann, "did not understand that")
    await leave(ann)


async def test_every_message_is_answered(match: Match, people: list[User]) -> None:
    ann = await opened(match, people[0])
    await until(ann, 'id="review-messages"')
    for data in ({"type": "seen"}, {"type": "stop"}):
        await ann.send_message(**data)
        assert await ann.next_frame() == "{}"
    await leave(ann)


async def test_a_visitor_cannot_lead(match: Match) -> None:
    visitor = await opened(match)
    await visitor.send_message(type="lead", at="2", **{"as": "open"})
    await until(visitor, "You need a name to lead")
    await leave(visitor)


async def test_flood_closes_the_socket(match: Match, people: list[User]) -> None:
    ann = await opened(match, people[0])
    for number in range(200):
        await ann.send_message(type="lead", at=str(number % 3 + 1), **{"as": "open"})
    output: dict[str, Any] = {"type": "websocket.send"}
    while output["type"] == "websocket.send":
        output = await ann.receive_output(timeout=WAIT_SECONDS)
    assert output["code"] == 4429
    await leave(ann)


@pytest.mark.parametrize("columns", [{}, {"delay": "120"}])
async def test_shared_review_needs_a_disclosed_end(people: list[User], columns: dict[str, Any]) -> None:
    match = await in_thread(tables.running_table)(people, **columns)
    if columns:
        await in_thread(reviewed.stop_match)(match)
    visitor = await opened(match)
    await until(visitor, "not finished")
    assert await visitor.close_code() == 4404
    page = await in_thread(page_of)(match)
    assert "together" not in page


def page_of(match: Match) -> str:
    return Client().get(f"/match/{match.slug}/review/").content.decode()


async def test_each_reader_gets_their_language(match: Match, people: list[User]) -> None:
    ann = await opened(match, people[0], language="de")
    await until(ann, "Ann")
    await leave(ann)


@pytest.mark.stack
async def test_line_reaches_all_readers_without_a_block(match: Match, people: list[User]) -> None:
    ann, bob = [await opened(match, user) for user in people]
    visitor = await opened(match)
    await in_thread(blocks.block)(blocker=people[1], blocked=people[0])
    await ann.send_message(type="chat", text="<b>why not 6-4?</b>")
    for reader in (ann, visitor):
        assert "&lt;b&gt;why" in await until(reader, "why not 6-4")
    await bob.send_message(type="chat", phrase="hello")
    frame = await until(bob, "Hello!")
    assert "why not" not in frame
    await visitor.send_message(type="chat", text="me too")
    await until(visitor, 'id="notice".*name')
    await leave(ann, bob, visitor)


async def test_hidden_line_disappears_from_every_page(match: Match, people: list[User]) -> None:
    bob = await opened(match, people[1])
    moderator = await in_thread(tables.person)("Root", is_staff=True, is_superuser=True)
    message = await in_thread(posting.post_in_review)(match=match, user=people[0], text="unkind")
    await until(bob, "unkind")
    hide = partial(hide_message, moderator=moderator, message=message, reason="unkind")
    await in_thread(hide)()
    assert "unkind" not in await until(bob, 'id="review-messages"')
    await leave(bob)
