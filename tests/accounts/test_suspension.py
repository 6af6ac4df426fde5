"""Suspended people see the reason and cannot act, but can manage their account."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.sanctions import imposing
from games.models import Match
from tests.accounts.conftest import PASSWORD, logged_in_user

SUSPENDED = "/accounts/suspended/"


@pytest.fixture
def suspension(masha: User) -> Sanction:
    return Sanction.objects.create(user=masha, kind="suspend", reason="insults at the table", until=None)


def test_log_in_shows_the_suspension(client: Client, masha: User, suspension: Sanction) -> None:
    answer = client.post("/accounts/login/", {"login": "masha", "password": PASSWORD, "next": "/rules/"})
    assert answer.headers["Location"] == SUSPENDED
    page = client.get(SUSPENDED).content.decode()
    assert "You are permanently suspended and cannot play. Reason: insults at the table" in page


@pytest.mark.parametrize("address", ["/play/", "/tables/new/", "/match/abc/sit/", "/match/abc/chat/"])
def test_suspended_person_cannot_act_at_tables(as_masha: Client, suspension: Sanction, address: str) -> None:
    assert as_masha.post(address, {}).status_code in {302, 404}
    answer = as_masha.post("/play/", {})
    assert answer.headers["Location"] == SUSPENDED
    assert not Match.objects.exists()


def test_htmx_request_redirects_the_whole_page(as_masha: Client, suspension: Sanction) -> None:
    answer = as_masha.post("/play/", {}, headers={"hx-request": "true"})
    assert answer.headers["HX-Redirect"] == SUSPENDED


def test_suspended_person_can_watch_and_manage_the_account(
    as_masha: Client, masha: User, suspension: Sanction
) -> None:
    assert as_masha.get("/").status_code == 200
    assert as_masha.get("/accounts/data/export/").status_code == 200
    as_masha.post("/i18n/setlang/", {"language": "hu"})
    masha.refresh_from_db()
    assert masha.language == "hu"
    assert "insults at the table" in as_masha.get("/accounts/settings/").content.decode()
    as_masha.post("/accounts/data/", {"password": PASSWORD})
    assert not User.objects.filter(pk=masha.pk).exists()


def test_lifted_suspension_has_no_effect(as_masha: Client, suspension: Sanction) -> None:
    Sanction.objects.update(lifted_at=timezone.now())
    assert as_masha.get(SUSPENDED).headers["Location"] == "/"
    assert as_masha.post("/play/", {}).headers.get("Location") != SUSPENDED


def test_mute_is_in_the_settings(as_masha: Client, masha: User) -> None:
    Sanction.objects.create(user=masha, kind="mute", reason="spam")
    assert as_masha.get(SUSPENDED).headers["Location"] == "/"
    assert "You are permanently muted" in as_masha.get("/accounts/settings/").content.decode()


def test_suspension_closes_sockets_and_mute_does_not(masha: User, access_endings: list[dict[str, Any]]) -> None:
    moderator = User.objects.create_user("mo", is_staff=True)
    moderator.user_permissions.set(Permission.objects.filter(codename__in=["mute", "suspend"]))
    for kind in ("mute", "suspend"):
        imposing.impose(moderator=moderator, user=masha, kind=kind, reason="spam", until=None)
    assert access_endings == [{"user_id": masha.pk, "code": "suspended", "session": ""}]


def test_visitors_must_log_in(client: Client) -> None:
    assert client.get(SUSPENDED).headers["Location"].startswith("/accounts/login/")
    assert logged_in_user(Client()) is None
