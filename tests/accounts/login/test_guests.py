"""Guests: in at one click, remembered by the browser, sent on only within the site."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.utils.html import escape

from accounts.models import User
from tests.accounts.conftest import PASSWORD, logged_in_user

GUEST = "/accounts/guest/"
YEAR = 365 * 24 * 3600


def test_form_has_a_suggested_name_and_colour(client: Client) -> None:
    page = client.get(GUEST)
    filled = {field.name: field.value() for field in page.context["form"]}
    client.post(GUEST, filled)
    assert logged_in_user(client).name == filled["name"]
    assert logged_in_user(client).colour == filled["colour"]


def test_visitors_get_only_the_csrf_cookie(client: Client) -> None:
    for page in ("/", "/rules/kozel/", "/matches/"):
        answer = client.get(page)
        assert answer.status_code == 200
        assert set(answer.cookies) <= {settings.CSRF_COOKIE_NAME}
        assert "cookie" not in answer.content.decode().lower()
        assert "<dialog" not in answer.content.decode()


def test_name_can_have_twenty_letters_with_separate_accents(client: Client) -> None:
    assert 'maxlength="60"' in client.get(GUEST).content.decode()
    client.post(GUEST, {"name": "e\u0323\u0302" * 20, "colour": "green"})
    assert logged_in_user(client).name == "\u1ec7" * 20


def test_guest_has_only_a_name_and_a_colour(client: Client) -> None:
    client.post(GUEST, {"name": "Petya", "colour": "green"})
    guest = logged_in_user(client)
    assert (guest.name, guest.colour, guest.is_guest, guest.email) == ("Petya", "green", True, "")
    assert not guest.has_usable_password()


def test_guests_cannot_log_in_by_user_name(client: Client, guest: User) -> None:
    visitor = Client()
    visitor.post("/accounts/login/", {"login": guest.username, "password": ""})
    visitor.post("/accounts/login/", {"login": guest.username, "password": guest.password})
    assert logged_in_user(visitor) is None


def test_session_lasts_a_year_from_the_last_visit(client: Client) -> None:
    start = datetime(2026, 3, 1, 12, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        answer = client.post(GUEST, {"name": "Petya", "colour": "green"})
        assert answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == YEAR
        client.get("/accounts/settings/")
        assert settings.SESSION_COOKIE_NAME not in client.get("/accounts/settings/").cookies
        clock.shift(timedelta(days=300))
        assert client.get("/accounts/settings/").cookies[settings.SESSION_COOKIE_NAME]["max-age"] == YEAR
        clock.shift(timedelta(days=300))
        assert client.get("/accounts/settings/").status_code == 200


@pytest.mark.parametrize("name", ["", "A", "x" * 21, "admin", "Bot Ada", "Ma\u202esha"])
def test_bad_name_has_an_error_and_creates_nobody(client: Client, name: str) -> None:
    page = client.post(GUEST, {"name": name, "colour": "green"})
    assert page.status_code == 200
    assert 'id="id_name_error"' in page.content.decode()
    assert not User.objects.exists()


def test_an_unknown_colour_is_refused(client: Client) -> None:
    page = client.post(GUEST, {"name": "Petya", "colour": "chip-red evil"})
    assert 'id="id_colour_error"' in page.content.decode()
    assert not User.objects.exists()


def test_name_is_escaped(client: Client) -> None:
    client.post(GUEST, {"name": "<b>Petya</b>", "colour": "green"})
    page = client.get("/accounts/settings/").content.decode()
    assert escape("<b>Petya</b>") in page
    assert "<b>Petya</b>" not in page


def test_next_leads_back_into_the_site(client: Client) -> None:
    page = client.get(GUEST, {"next": "/rules/kozel/?a=1&b=2"}).content.decode()
    assert '<input type="hidden" name="next" value="/rules/kozel/?a=1&amp;b=2">' in page
    answer = client.post(GUEST, {"name": "Petya", "colour": "green", "next": "/rules/kozel/?a=1&b=2"})
    assert answer.headers["Location"] == "/rules/kozel/?a=1&b=2"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "///elsewhere.example/",
        "/\\elsewhere.example/",
        "http:elsewhere.example",
        "javascript:alert(1)",
        "https://testserver@elsewhere.example/",
        "\x00//elsewhere.example",
    ],
)
@pytest.mark.parametrize("page", [GUEST, "/accounts/login/", "/accounts/signup/", "/accounts/logout/"])
def test_next_never_leads_to_another_site(client: Client, masha: User, page: str, elsewhere: str) -> None:
    fields = {
        GUEST: {"name": "Petya", "colour": "green"},
        "/accounts/login/": {"login": "masha", "password": PASSWORD},
        "/accounts/signup/": {
            "username": "petya",
            "email": "p@example.org",
            "password1": PASSWORD,
            "password2": PASSWORD,
        },
        "/accounts/logout/": {"sure": "yes"},
    }[page]
    answer = client.post(page, fields | {"next": elsewhere})
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/"


def test_logged_in_people_are_redirected(client: Client, guest: User) -> None:
    answer = client.post(GUEST, {"name": "Vasya", "colour": "red", "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert client.get(GUEST).headers["Location"] == "/"
    assert User.objects.get() == guest


def test_guest_keeps_the_theme_of_the_visitor(client: Client) -> None:
    client.post("/accounts/theme/", {"theme": "dark"})
    client.post(GUEST, {"name": "Petya", "colour": "green"})
    assert logged_in_user(client).theme == "dark"


def test_limit_is_sixty_guests_a_minute(client: Client) -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    fields = {"name": "Petya", "colour": "green"}
    with time_machine.travel(noon, tick=False) as clock:
        for _number in range(60):
            assert Client().post(GUEST, fields).status_code == 302
        assert client.post(GUEST, fields).status_code == 429
        assert User.objects.count() == 60
        elsewhere = Client(REMOTE_ADDR="203.0.113.7")
        assert elsewhere.post(GUEST, fields).status_code == 302
        clock.shift(timedelta(minutes=1))
        assert client.post(GUEST, fields).status_code == 302


def test_bad_names_do_not_count_against_the_limit(client: Client) -> None:
    for _number in range(25):
        assert client.post(GUEST, {"name": "", "colour": "green"}).status_code == 200


def test_log_out_of_a_guest_needs_confirmation(client: Client, guest: User) -> None:
    page = client.post("/accounts/logout/").content.decode()
    assert logged_in_user(client) == guest
    assert "you give up this guest for good" in page
    client.post("/accounts/logout/", {"sure": "yes"})
    assert logged_in_user(client) is None


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/password/set/",
        "/accounts/2fa/",
        "/accounts/2fa/totp/activate/",
    ],
)
def test_account_pages_redirect_guests_to_the_sign_up(client: Client, guest: User, address: str) -> None:
    for answer in (client.get(address), client.post(address, {"email": "x@example.org", "action_add": ""})):
        assert answer.headers["Location"] == "/accounts/guest/upgrade/"
