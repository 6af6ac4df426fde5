"""The page of what is kept says what the table in the code says."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.retention.table import TABLE

pytestmark = pytest.mark.django_db


def test_the_page_shows_each_row_with_its_time_and_every_page_leads_there(client: Client) -> None:
    page = unescape(client.get(reverse("privacy")).text)
    for kept in TABLE:
        assert str(kept.what) in page
        assert kept.until_text in page
        assert "{" not in kept.until_text
        assert (str(kept.until) != kept.until_text) == bool(kept.time), kept.key
    assert "180 days after the match is over" in page
    assert "2 years after they end" in page
    assert f'href="{reverse("moderation-figures")}"' in page
    assert f'href="{reverse("privacy")}"' in client.get("/").text
