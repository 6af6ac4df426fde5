"""Hints, what may still come where: shown to who asks for them, over the socket and by address, and remembered."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match
from games.rendering.board import offers_hints
from games.words import offered_variants
from tests.games import tables
from tests.games.socket_browser import connect_and_read_frame, in_thread

pytestmark = pytest.mark.django_db(transaction=True)

HINTED = [key for key in offered_variants() if offers_hints(key)]
LAYER, WORDS_OF_IT = 'class="hints"', "still fit"


@pytest.fixture(params=HINTED)
def match(request: pytest.FixtureRequest, people: list[User]) -> Match:
    return tables.running_table(people, variant=request.param)


def page(client: Client, match: Match, query: str = "") -> str:
    return client.get(f"/match/{match.slug}/{query}").content.decode()


async def test_socket_toggles_hints_in_every_frame(match: Match, people: list[User]) -> None:
    asking, other = await connect_and_read_frame(match, people[0]), await connect_and_read_frame(match, people[1])
    await asking.send_message(type="hint", hints="on")
    frame = await asking.next_frame()
    assert LAYER in frame
    assert 'id="board"' not in frame
    assert await other.receive_nothing(0.2)
    await in_thread(tables.make_first_move)(match)
    assert LAYER in await asking.next_frame()
    assert LAYER not in await other.next_frame()
    await asking.send_message(type="hint")
    assert '<div id="hints"></div>' in await asking.next_frame()
    await in_thread(tables.make_first_move)(match)
    assert LAYER not in await asking.next_frame()


async def test_socket_uses_the_hints_cookie(match: Match, people: list[User]) -> None:
    browser = await connect_and_read_frame(match, people[0], cookies={"hints": "on"})
    await in_thread(tables.make_first_move)(match)
    assert LAYER in await browser.next_frame()


def test_hints_are_toggled_by_link_without_scripts(match: Match) -> None:
    client = Client()
    assert LAYER not in page(client, match)
    assert LAYER in page(client, match, "?type=hint&hints=on")
    html = page(client, match)
    assert LAYER in html
    assert WORDS_OF_IT in html
    assert 'name="hints" value="on" checked' in html
    assert LAYER not in page(client, match, "?type=hint")
    assert LAYER not in page(client, match)


@pytest.mark.parametrize("variant", [key for key in offered_variants() if key not in HINTED][:1])
def test_a_game_without_hints_offers_none_and_shows_none(people: list[User], variant: str) -> None:
    match = tables.running_table(people, variant=variant)
    html = page(Client(), match, "?type=hint&hints=on")
    assert 'name="hints"' not in html
    assert LAYER not in html
