"""The theme switch in the footer."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User


def test_a_visitors_theme_is_kept_in_a_cookie(client: Client) -> None:
    response = client.post("/accounts/theme/", {"theme": "dark", "next": "/rules/kozel/"})
    assert response.headers["Location"] == "/rules/kozel/"
    assert response.cookies["theme"].value == "dark"


def test_a_users_theme_is_kept_in_the_account(client: Client) -> None:
    user = User.objects.create_user("masha")
    client.force_login(user)
    client.post("/accounts/theme/", {"theme": "light"})
    user.refresh_from_db()
    assert user.theme == "light"


def test_theme_form_never_redirects_to_another_site(client: Client) -> None:
    response = client.post("/accounts/theme/", {"theme": "dark", "next": "https://elsewhere.example/"})
    assert response.headers["Location"] == "/"


def test_an_unknown_theme_is_refused(client: Client) -> None:
    assert client.post("/accounts/theme/", {"theme": '"><script>'}).status_code == 400


@pytest.mark.parametrize("nowhere", ["nowhere", "match", "?a=1", "#top", "\\x"])
def test_invalid_next_leads_to_the_lobby(client: Client, nowhere: str) -> None:
    response = client.post("/accounts/theme/", {"theme": "dark", "next": nowhere})
    assert (response.status_code, response.headers["Location"]) == (302, "/")
