"""A suspended person is told what, why and until when, and cannot act; the account stays the person's own."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.sanctions import imposing
from games.models import Match
from tests.accounts.conftest import PASSWORD, who

pytestmark = pytest.mark.django_db
SUSPENDED = "/accounts/suspended/"


@pytest.fixture
def suspension(masha: User) -> Sanction:
    return Sanction.objects.create(user=masha, kind="suspend", reason="insults at the table", until=None)


def test_the_person_is_told_at_the_log_in(client: Client, masha: User, suspension: Sanction) -> None:
    answer = client.post("/accounts/login/", {"login": "masha", "password": PASSWORD, "next": "/rules/"})
    assert answer.headers["Location"] == SUSPENDED
    page = client.get(SUSPENDED).content.decode()
    assert "You are suspended permanently and cannot play. Reason: insults at the table" in page


@pytest.mark.parametrize("address", ["/play/", "/tables/new/", "/match/abc/sit/", "/match/abc/chat/"])
def test_nothing_can_be_done_at_the_tables(as_masha: Client, suspension: Sanction, address: str) -> None:
    assert as_masha.post(address, {}).status_code in {302, 404}
    answer = as_masha.post("/play/", {})
    assert answer.headers["Location"] == SUSPENDED
    assert not Match.objects.exists()


def test_a_request_of_htmx_leads_the_whole_page_there(as_masha: Client, suspension: Sanction) -> None:
    answer = as_masha.post("/play/", {}, headers={"hx-request": "true"})
    assert answer.headers["HX-Redirect"] == SUSPENDED


def test_watching_and_looking_after_the_account_stay_open(as_masha: Client, masha: User, suspension: Sanction) -> None:
    assert as_masha.get("/").status_code == 200
    assert as_masha.get("/accounts/data/export/").status_code == 200
    as_masha.post("/i18n/setlang/", {"language": "hu"})
    masha.refresh_from_db()
    assert masha.language == "hu"
    assert "insults at the table" in as_masha.get("/accounts/settings/").content.decode()
    as_masha.post("/accounts/data/", {"password": PASSWORD})
    assert not User.objects.filter(pk=masha.pk).exists()


def test_an_expired_or_lifted_suspension_is_none(as_masha: Client, suspension: Sanction) -> None:
    Sanction.objects.update(lifted_at=timezone.now())
    assert as_masha.get(SUSPENDED).headers["Location"] == "/"
    assert as_masha.post("/play/", {}).headers.get("Location") != SUSPENDED


def test_a_mute_is_no_suspension_but_stands_in_the_settings(as_masha: Client, masha: User) -> None:
    Sanction.objects.create(user=masha, kind="mute", reason="spam")
    assert as_masha.get(SUSPENDED).headers["Location"] == "/"
    assert "You are muted permanently" in as_masha.get("/accounts/settings/").content.decode()


def test_suspending_closes_all_sockets_muting_none(masha: User, ended: list[dict[str, Any]]) -> None:
    moderator = User.objects.create_user("mo", is_staff=True)
    moderator.user_permissions.set(Permission.objects.filter(codename__in=["mute", "suspend"]))
    for kind in ("mute", "suspend"):
        imposing.impose(moderator=moderator, user=masha, kind=kind, reason="spam", until=None)
    assert ended == [{"user_id": masha.pk, "code": "suspended", "session": ""}]


def test_visitors_see_no_such_page(client: Client) -> None:
    assert client.get(SUSPENDED).headers["Location"].startswith("/accounts/login/")
    assert who(Client()) is None
