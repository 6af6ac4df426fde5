"""Choosing a new password, known or forgotten, and looking after one's addresses."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, logged_in_user

CHANGE, RESET, EMAIL = "/accounts/password/change/", "/accounts/password/reset/", "/accounts/email/"
NEW = "eight-legged-goats"


def link_in(message: mail.EmailMessage) -> str:
    return re.search(r"http://testserver(/\S+/\S+/\S*)", str(message.body))[1]


def test_new_password_ends_other_sessions_and_sockets(
    as_masha: Client, masha: User, access_endings: list[dict[str, Any]]
) -> None:
    other = Client()
    other.post("/accounts/login/", {"login": "masha", "password": PASSWORD})
    answer = as_masha.post(CHANGE, {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert answer.status_code == 302
    assert as_masha.get("/accounts/settings/").status_code == 200
    assert other.get("/accounts/settings/").status_code == 302
    assert access_endings == [{"user_id": masha.pk, "code": "password", "session": ""}]
    (message,) = mail.outbox
    assert "Your password has been changed." in message.body


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"oldpassword": "wrong"}, "oldpassword"),
        ({"password2": "something else"}, "password2"),
        ({"password1": "masha123", "password2": "masha123"}, "password1"),
        ({"password1": "password", "password2": "password"}, "password1"),
    ],
)
def test_bad_new_password_has_an_error_at_its_field(
    as_masha: Client, masha: User, change: dict[str, str], field: str
) -> None:
    page = as_masha.post(CHANGE, {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW} | change)
    assert f'id="id_{field}_error"' in page.content.decode()
    masha.refresh_from_db()
    assert masha.check_password(PASSWORD)


def test_forgotten_password_can_be_reset_by_mail(
    client: Client, masha: User, access_endings: list[dict[str, Any]]
) -> None:
    assert client.post(RESET, {"email": "masha@example.org"}).headers["Location"] == RESET + "done/"
    (message,) = mail.outbox
    assert "Your user name is masha." in message.body
    answer = client.get(link_in(message))
    assert answer.headers["Location"].endswith("-set-password/"), "the key does not stay in the address"
    done = client.post(answer.headers["Location"], {"password1": NEW, "password2": NEW})
    assert done.headers["Location"] == RESET + "key/done/"
    assert client.get(done.headers["Location"]).status_code == 200
    masha.refresh_from_db()
    assert masha.check_password(NEW)
    assert access_endings == [{"user_id": masha.pk, "code": "password", "session": ""}]
    again = client.get(link_in(message)).content.decode()
    assert "already been used, is too old or is incomplete" in again


def test_forged_reset_link_changes_nothing(client: Client, masha: User) -> None:
    page = client.get(RESET + "key/1-c0ffee-0123456789abcdef/").content.decode()
    assert "already been used, is too old or is incomplete" in page


def test_reset_link_of_an_account_does_not_log_a_guest_out(client: Client, guest: User, masha: User) -> None:
    Client().post(RESET, {"email": "masha@example.org"})
    client.get(link_in(mail.outbox[0]), follow=True)
    assert logged_in_user(client) == guest
    EmailAddress.objects.update(verified=False)
    key = EmailConfirmationHMAC(EmailAddress.objects.get()).key
    assert client.get(f"/accounts/confirm-email/{key}/").status_code == 200
    assert logged_in_user(client) == guest


def test_mail_for_one_address_is_limited(client: Client, masha: User) -> None:
    for _number in range(5):
        assert client.post(RESET, {"email": "masha@example.org"}).status_code == 302
    assert client.post(RESET, {"email": "masha@example.org"}).status_code == 429
    assert len(mail.outbox) == 5


def test_address_can_be_added_confirmed_made_primary_and_removed(reauthenticated_masha: Client, masha: User) -> None:
    reauthenticated_masha.post(EMAIL, {"email": "m@example.net", "action_add": ""})
    assert mail.outbox[-1].to == ["m@example.net"]
    reauthenticated_masha.post(link_in(mail.outbox[-1]))
    reauthenticated_masha.post(EMAIL, {"email": "m@example.net", "action_primary": ""})
    masha.refresh_from_db()
    assert masha.email == "m@example.net"
    reauthenticated_masha.post(EMAIL, {"email": "masha@example.org", "action_remove": ""})
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("m@example.net", True)]
    recipients = [message.to for message in mail.outbox]
    assert ["masha@example.org"] in recipients, "the old address gets a notice"


def test_nobody_manages_somebody_elses_address(reauthenticated_masha: Client, masha: User) -> None:
    other = User.objects.create_user("petya")
    EmailAddress.objects.create(user=other, email="petya@example.org", verified=True, primary=True)
    for act in ("action_remove", "action_primary", "action_send"):
        reauthenticated_masha.post(EMAIL, {"email": "petya@example.org", act: ""})
    assert EmailAddress.objects.filter(user=other, primary=True).exists()
    assert not mail.outbox


def test_change_of_address_needs_the_password(as_masha: Client) -> None:
    confirm_page = as_masha.post(EMAIL, {"email": "m@example.net", "action_add": ""}).headers["Location"]
    assert not EmailAddress.objects.filter(email="m@example.net").exists()
    as_masha.post(confirm_page, {"password": PASSWORD})
    assert EmailAddress.objects.filter(email="m@example.net").exists()


def test_an_account_has_at_most_three_addresses(reauthenticated_masha: Client) -> None:
    for number in range(3):
        reauthenticated_masha.post(EMAIL, {"email": f"m{number}@example.net", "action_add": ""})
    assert EmailAddress.objects.count() == 3
