"""The privacy page shows the table of retention times."""

from __future__ import annotations

from html import unescape

from django.test import Client
from django.urls import reverse

from games.retention.schedule import RETENTION_SCHEDULE


def test_page_shows_all_items_and_every_page_links_to_it(client: Client) -> None:
    page = unescape(client.get(reverse("privacy")).text)
    for rule in RETENTION_SCHEDULE:
        assert str(rule.data) in page
        assert rule.expiry_text in page
        assert "%" not in rule.expiry_text
        assert (str(rule.expiry_template) != rule.expiry_text) == bool(rule.lifetime), rule.key
    assert "180 days after the end of the match" in page
    assert "2 years after they end" in page
    assert f'href="{reverse("moderation-figures")}"' in page
    assert f'href="{reverse("privacy")}"' in client.get("/").text


def test_page_says_that_devices_decide_who_is_listed(client: Client) -> None:
    page = " ".join(unescape(client.get(reverse("privacy")).text).split())
    assert "list only one person for each device in the standings of daily boards" in page
