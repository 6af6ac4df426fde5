"""TV channels: a running match, the same one until it is over, and then the next one."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Match
from games.services import play
from tests.games.tables import person, running_table


def match_on(client: Client, address: str) -> str:
    """Return the match that is on, "" for none."""
    response = client.get(address)
    assert response.status_code == 200
    return str(response.context["table"].slug) if "table" in response.context else ""


def rated(*names: str, variant: str = "kozel") -> Match:
    people = [person(name) for name in names]
    return running_table(people, variant=variant, rated=True, visibility="public")


@pytest.mark.stack
def test_the_best_match_is_on_and_each_game_has_a_channel(client: Client) -> None:
    casual = running_table([person("Cleo"), person("Dora")], variant="gamezz", visibility="public")
    best = rated("Ann", "Bob")
    assert match_on(client, "/tv/") == match_on(client, "/tv/kozel/") == best.slug
    assert match_on(client, "/tv/gamezz/") == casual.slug
    assert match_on(client, "/tv/rytmino/") == ""
    assert client.get("/tv/chess/").status_code == 404
    assert client.head("/tv/").status_code == 200


def test_page_stays_with_the_match_until_its_end(client: Client) -> None:
    casual = running_table([person("Cleo"), person("Dora")], visibility="public")
    best = rated("Ann", "Bob")
    assert match_on(client, f"/tv/?on={casual.slug}") == casual.slug
    play.stop_match(match_id=casual.pk, reason="deserted", seat=0)
    assert match_on(client, f"/tv/?on={casual.slug}") == best.slug
    assert f"/tv/?on={best.slug}" in client.get("/tv/").text


def test_nobody_watches_their_own_match_nor_one_that_is_not_public(client: Client) -> None:
    match = rated("Ann", "Bob")
    hidden = running_table([person("Cleo"), person("Dora")], visibility="link")
    assert match_on(client, f"/tv/?on={hidden.slug}") == match.slug
    player = match.seats.get(index=0).user
    assert player is not None
    client.force_login(player)
    assert match_on(client, "/tv/") == ""


def test_empty_channel_explains_itself_and_polls(client: Client) -> None:
    page = client.get("/tv/").text
    assert "No live match" in page
    assert '<meta http-equiv="refresh" content="10">' in page


def test_a_page_without_a_match_polls_and_reloads_when_there_is_one(client: Client) -> None:
    asking = {"HX-Request": "true"}
    assert 'hx-trigger="every 10s"' in client.get("/tv/").text
    assert "HX-Refresh" not in client.get("/tv/", headers=asking).headers
    rated("Ann", "Bob")
    assert client.get("/tv/", headers=asking).headers["HX-Refresh"] == "true"
