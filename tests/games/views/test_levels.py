"""Bots of another strength, chosen by a form without scripts."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from games.lobby import tables as lobby_tables
from games.terms.terms import Terms
from tests.games import tables


def test_the_host_chooses_how_strong_the_bots_are(client: Client) -> None:
    host = tables.person("Ann")
    match = lobby_tables.open_table(host=host, terms=Terms("kozel", 3, clock="none"))
    client.force_login(host)
    fill = reverse("match-fill", args=[match.slug])
    refused = client.post(fill, {"level": "wizard"}, follow=True)
    assert "The site did not understand that." in refused.text
    assert not match.seats.exclude(bot="").exists()
    assert client.post(fill, {"level": "beginner"}).status_code == 303
    assert list(match.seats.order_by("index").values_list("bot", flat=True)) == ["", "beginner", "beginner"]
