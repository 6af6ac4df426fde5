"""The navigation at the top of every page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.games.tables import open_table, person


def navigation(text: str) -> str:
    return text.split('<nav class="site-nav"')[1].split("</nav>", maxsplit=1)[0]


def test_five_links_lead_to_the_sections_of_the_site(client: Client) -> None:
    links = re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', navigation(client.get("/").text))
    assert links == [
        ("/", "Play"),
        ("/rules/", "Learn"),
        ("/puzzles/", "Puzzles"),
        ("/tv/", "Watch"),
        ("/leaderboard/", "Players"),
    ]


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("/", "Play"),
        ("/tables/new/", "Play"),
        ("/tournaments/", "Play"),
        ("/daily/", "Play"),
        ("/daily/kozel/", "Play"),
        ("/rules/kozel/", "Learn"),
        ("/learn/kozel/", "Learn"),
        ("/puzzles/kozel/", "Puzzles"),
        ("/tv/", "Watch"),
        ("/leaderboard/kozel/", "Players"),
        ("/leaderboard/kozel/bots/", "Players"),
        ("/matches/", "Players"),
        ("/clubs/", "Players"),
    ],
)
def test_the_section_of_a_page_is_marked(client: Client, path: str, section: str) -> None:
    assert re.findall(r'aria-current="page">([^<]+)<', navigation(client.get(path).text)) == [section]


def test_pages_outside_the_sections_mark_none(client: Client) -> None:
    for path in ("/privacy/", "/nowhere/"):
        assert "aria-current" not in navigation(client.get(path).text)


def test_players_leads_to_the_leaderboard_of_the_game_last_played(client: Client) -> None:
    ann = person("Ann")
    open_table([ann, person("Ben")], variant="rytmino")
    client.force_login(ann)
    text = client.get(reverse("leaderboards")).text
    assert "Leaderboard: Rytmino" in text
    assert f'href="{reverse("matches")}"' in text
