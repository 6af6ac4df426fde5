"""Signing up, and a guest becoming an account without losing anything."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpRequest
from django.test import Client

from accounts.login.adapter import Adapter
from accounts.models import User
from games.models import RatingPoints, Seat
from tests.accounts.conftest import PASSWORD, logged_in_user
from tests.games.tables import open_table

SIGNUP = "/accounts/signup/"
FIELDS = {"username": "Petya", "email": "petya@example.org", "password1": PASSWORD, "password2": PASSWORD}


def test_signing_up_makes_an_account_and_logs_in(client: Client) -> None:
    answer = client.post(SIGNUP, FIELDS)
    assert answer.headers["Location"] == "/"
    user = logged_in_user(client)
    assert (user.username, user.name, user.email, user.is_guest) == ("petya", "Petya", "petya@example.org", False)
    assert user.check_password(PASSWORD)
    assert user.colour in User.Colour.values


def test_the_welcome_comes_before_the_errand(client: Client) -> None:
    text = client.post(SIGNUP, FIELDS, follow=True).text
    assert 0 < text.index("Welcome, ") < text.index("We have sent a link to")


def test_a_link_confirms_the_address(client: Client) -> None:
    client.post(SIGNUP, FIELDS)
    (message,) = mail.outbox
    assert message.to == ["petya@example.org"]
    link = next(line for line in message.body.splitlines() if "/confirm-email/" in line).removeprefix(
        "http://testserver"
    )
    assert not EmailAddress.objects.get().verified
    page = Client().get(link).content.decode()
    assert "petya@example.org" in page
    assert not EmailAddress.objects.get().verified, "opening a link, as mail scanners do, confirms nothing"
    client.post(link)
    assert EmailAddress.objects.get().verified


def test_guest_keeps_seats_and_ratings_at_the_sign_up(client: Client, guest: User) -> None:
    match = open_table([guest], bots=1)
    RatingPoints.objects.create(user=guest, variant="kozel", points=18, matches=2)
    answer = client.post(SIGNUP, FIELDS | {"next": f"/match/{match.slug}/"})
    assert answer.headers["Location"] == f"/match/{match.slug}/"
    user = logged_in_user(client)
    assert user.pk == guest.pk
    assert (user.username, user.name, user.colour, user.is_guest) == ("petya", "Petya", "green", False)
    assert Seat.objects.get(user=user).match == match
    assert user.points.get().points == 18
    assert User.objects.count() == 1


def test_former_guest_can_log_in_anywhere(client: Client, guest: User) -> None:
    client.post(SIGNUP, FIELDS)
    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": "petya", "password": PASSWORD})
    assert logged_in_user(elsewhere) == guest


def test_old_session_of_the_guest_and_its_sockets_end(
    client: Client, guest: User, access_endings: list[dict[str, Any]]
) -> None:
    copied, key = Client(), client.session.session_key
    copied.cookies["sessionid"] = client.cookies["sessionid"].value
    client.post(SIGNUP, FIELDS)
    assert logged_in_user(client) == guest
    assert client.session.session_key != key
    assert copied.get("/accounts/settings/").status_code == 302
    assert access_endings == [{"user_id": guest.pk, "code": "password", "session": ""}]


def test_a_guest_with_a_bad_form_stays_a_guest(client: Client, guest: User) -> None:
    page = client.post(SIGNUP, FIELDS | {"password2": "something else"})
    assert 'id="id_password2_error"' in page.content.decode()
    assert logged_in_user(client).is_guest
    assert logged_in_user(client).username == guest.username


def test_first_of_two_sign_ups_of_a_guest_counts(client: Client, guest: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def overtaken(_adapter: Adapter, _request: HttpRequest) -> User:
        User.objects.filter(pk=guest.pk).update(username="faster", is_guest=False)
        return guest

    monkeypatch.setattr(Adapter, "new_user", overtaken)
    assert client.post(SIGNUP, FIELDS).headers["Location"] == "/"
    assert User.objects.get().username == "faster"


def test_accounts_cannot_sign_up_again(as_masha: Client, masha: User) -> None:
    assert as_masha.get(SIGNUP).headers["Location"] == "/"
    assert as_masha.post(SIGNUP, FIELDS).headers["Location"] == "/"
    assert as_masha.get("/accounts/guest/upgrade/").headers["Location"] == "/"
    assert User.objects.get() == masha


def test_sign_up_page_explains_what_guests_keep(client: Client, guest: User) -> None:
    page = client.get("/accounts/guest/upgrade/").content.decode()
    assert "you keep your seats, matches and ratings" in page
    assert "Petya" in page


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": "admin"}, "username"),
        ({"username": "guest-2345"}, "username"),
        ({"username": "x"}, "username"),
        ({"username": "x" * 21}, "username"),
        ({"username": "pet@ya"}, "username"),
        ({"username": ""}, "username"),
        ({"username": "MASHA"}, "username"),
        ({"email": "not an address"}, "email"),
        ({"email": ""}, "email"),
        ({"password1": "12345678", "password2": "12345678"}, "password1"),
        ({"password1": "short", "password2": "short"}, "password1"),
        ({"password2": "something else"}, "password2"),
    ],
)
def test_bad_input_has_an_error_at_its_field(client: Client, masha: User, change: dict[str, str], field: str) -> None:
    page = client.post(SIGNUP, FIELDS | change).content.decode()
    assert f'id="id_{field}_error"' in page
    assert logged_in_user(client) is None
    assert User.objects.get() == masha


def test_concurrent_sign_ups_with_the_same_user_name(
    client: Client, masha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Adapter, "clean_username", lambda _self, username, shallow=False: username)
    page = client.post(SIGNUP, FIELDS | {"username": "masha"})
    assert page.status_code == 200
    assert 'id="id_username_error"' in page.content.decode()


def test_limit_is_sixty_sign_ups_a_minute() -> None:
    for _number in range(60):
        assert Client().post(SIGNUP, {}).status_code == 200
    assert Client().post(SIGNUP, FIELDS).status_code == 429
    assert not User.objects.exists()
