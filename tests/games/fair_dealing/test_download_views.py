"""The description of the algorithm and the program that checks a match; tests/engine/test_verify.py runs it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse


def test_the_page_offers_the_algorithm_and_the_program(client: Client) -> None:
    page = client.get(reverse("fair-dealing")).text
    for name in ("fair-dealing.md", "verify_deal.zip"):
        assert reverse("fair-dealing-file", args=[name]) in page
    assert "HMAC-SHA256" in client.get(reverse("fair-dealing-file", args=["fair-dealing.md"])).text


@pytest.mark.parametrize("name", ["architecture.md", "..%2Fmanage.py", "verify_deal.mjs"])
def test_nothing_else_can_be_downloaded(client: Client, name: str) -> None:
    assert client.get(f"/fair-dealing/{name}").status_code == 404
