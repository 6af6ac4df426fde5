"""Hints, what may still come where: shown to who asks for them, over the socket and by address, and remembered."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match
from games.rendering.board import offers_hints
from games.words import offered
from tests.games import tables
from tests.games.socket_browser import in_thread, watch

pytestmark = pytest.mark.django_db(transaction=True)

HINTED = [key for key in offered() if offers_hints(key)]
LAYER, WORDS_OF_IT = 'class="hints"', "still fit"


@pytest.fixture(params=HINTED)
def match(request: pytest.FixtureRequest, people: list[User]) -> Match:
    return tables.running_table(people, variant=request.param)


def page(client: Client, match: Match, query: str = "") -> str:
    return client.get(f"/match/{match.slug}/{query}").content.decode()


async def test_who_asks_over_the_socket_sees_them_in_every_frame_until_they_ask_no_longer(
    match: Match, people: list[User]
) -> None:
    asking, other = await watch(match, people[0]), await watch(match, people[1])
    await asking.say(type="hint", hints="on")
    frame = await asking.frame()
    assert LAYER in frame
    assert 'id="board"' not in frame
    assert await other.receive_nothing(0.2)
    await in_thread(tables.make_first_move)(match)
    assert LAYER in await asking.frame()
    assert LAYER not in await other.frame()
    await asking.say(type="hint")
    assert '<div id="hints"></div>' in await asking.frame()
    await in_thread(tables.make_first_move)(match)
    assert LAYER not in await asking.frame()


async def test_a_socket_remembers_what_the_cookie_says(match: Match, people: list[User]) -> None:
    browser = await watch(match, people[0], cookies={"hints": "on"})
    await in_thread(tables.make_first_move)(match)
    assert LAYER in await browser.frame()


def test_without_a_script_they_are_asked_for_by_address_and_remembered(match: Match) -> None:
    client = Client()
    assert LAYER not in page(client, match)
    assert LAYER in page(client, match, "?type=hint&hints=on")
    html = page(client, match)
    assert LAYER in html
    assert WORDS_OF_IT in html
    assert 'name="hints" value="on" checked' in html
    assert LAYER not in page(client, match, "?type=hint")
    assert LAYER not in page(client, match)


@pytest.mark.parametrize("variant", [key for key in offered() if key not in HINTED][:1])
def test_a_game_without_hints_offers_none_and_shows_none(people: list[User], variant: str) -> None:
    match = tables.running_table(people, variant=variant)
    html = page(Client(), match, "?type=hint&hints=on")
    assert 'name="hints"' not in html
    assert LAYER not in html
