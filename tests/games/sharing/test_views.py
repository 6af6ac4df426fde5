"""The page that other sites may embed: without scripts, and as a stranger sees the match."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match
from games.services import play
from tests.games import tables
from tests.games.reviewed import play_random_moves, stop_match


def address(match: Match) -> str:
    return reverse("match-embed", args=[match.slug])


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime(2026, 1, 1, 12, tzinfo=UTC), tick=False) as clock:
        yield clock


def test_embed_can_be_framed_and_has_no_script(people: list[User], client: Client) -> None:
    match = tables.running_table(people)
    answer = client.get(address(match))
    assert answer.status_code == 200
    assert "X-Frame-Options" not in answer
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "script-src 'none'" in policy
    assert b"<script" not in answer.content
    assert b'id="board"' in answer.content
    other = client.get(reverse("match-review", args=[match.slug]))
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    assert other["X-Frame-Options"] == "DENY"


def test_embed_shows_players_the_public_view(people: list[User]) -> None:
    match = tables.running_table(people)
    player = tables.browser_of(people[0])
    embed, stranger = address(match), Client()
    assert player.get(embed).content == stranger.get(embed).content
    assert not stranger.cookies
    assert player.get(embed, {"as": "0"}).status_code == 404
    assert player.get(embed, {"as": "open"}).status_code == 404


def test_embed_of_a_running_match_shows_its_newest_step_until_the_end(
    people: list[User], client: Client, clock: time_machine.Traveller
) -> None:
    match = tables.running_table(people, delay="30")
    embed, refresh = address(match), '<meta http-equiv="refresh" content="5">'
    assert client.get(embed).status_code == 404
    assert refresh in client.get(embed).text, "the match has not begun for spectators"
    clock.shift(30)
    before = client.get(embed).text
    assert refresh in before
    tables.make_first_move(match)
    assert client.get(embed).text == before
    clock.shift(30)
    after = client.get(embed).text
    assert after.count("<use") > before.count("<use")
    for fixed in ({"at": "1"}, {"as": "public"}):
        page = client.get(embed, fixed).text
        assert refresh not in page
        assert 'href="?lang=en">Live</a>' in page
    play.stop_match(match_id=match.pk)
    clock.shift(31)
    assert "http-equiv" not in client.get(embed).text
    assert 'content="60"' in client.get(address(tables.running_table(people, clock="1-day"))).text


def test_without_a_number_the_last_step_is_shown_with_all_hands_open_once_it_is_over(client: Client) -> None:
    match = stop_match(play_random_moves("kozel", 3))
    page = client.get(address(match)).content.decode()
    assert 'aria-current="step"' not in page
    assert 'id="review-after"' in page
    assert "?at=4&amp;as=open&amp;lang=en" in page
    assert page.count("face-up") == 4


@pytest.mark.parametrize("query", [{"at": "0"}, {"at": "x"}, {"at": "99999"}, {"at": "-1"}, {"at": ""}, {"as": "7"}])
def test_unknown_step_is_explained_in_the_embed(people: list[User], client: Client, query: dict[str, str]) -> None:
    match = tables.running_table(people)
    play.stop_match(match_id=match.pk)
    answer = client.get(address(match), query)
    assert answer.status_code == 404
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert b"framed-nothing" in answer.content
    assert client.get(address(match), {"at": "1", "as": "open"}).status_code == 200


def test_unknown_or_unstarted_match_is_explained_in_the_embed(people: list[User], client: Client) -> None:
    for slug, refreshes in (("no-such-match", False), (tables.open_table(people).slug, True)):
        answer = client.get(reverse("match-embed", args=[slug]))
        assert ("http-equiv" in answer.text) == refreshes
        assert answer.status_code == 404
        assert "X-Frame-Options" not in answer
        assert b"framed-nothing" in answer.content


def test_embed_language_comes_from_the_address_or_the_browser(people: list[User], client: Client) -> None:
    embed = address(tables.running_table(people))
    assert b'<html lang="hu"' in client.get(embed, {"lang": "hu"}).content
    assert b'<html lang="cs"' in client.get(embed, {"lang": "<b>"}, headers={"Accept-Language": "cs"}).content
    assert b'<html lang="en"' in client.get(embed).content
