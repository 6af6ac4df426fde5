"""Logging in and out, with and without a second step."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.conf import settings
from django.test import Client
from prometheus_client import REGISTRY

from accounts.models import User
from accounts.services import session_hash
from games.models import RatingPoints
from tests.accounts.conftest import PASSWORD, logged_in_user

LOGIN = "/accounts/login/"
MONTH = 30 * 24 * 3600


def code_now(secret: str, steps: int = 0) -> str:
    """Return what the app shows, or did or will show so many half minutes from now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


@pytest.mark.parametrize("login", ["masha", "Masha", "masha@example.org", "MASHA@example.org"])
def test_can_log_in_by_user_name_or_confirmed_address(client: Client, masha: User, login: str) -> None:
    answer = client.post(LOGIN, {"login": login, "password": PASSWORD, "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == MONTH
    assert logged_in_user(client) == masha


@pytest.mark.parametrize(
    "name",
    [
        *("Ｄｏｍｉｎｏ７", "ﾀﾛｳ", "Jose\u0301", "İlker", "ΝΙΚΟΣ", "e\u0301" * 20, "ﬁona"),
        *("علی\u200cرضا", "नमस्ते", "สวัสดี", "தமிழ்"),
    ],
)
def test_can_log_in_with_the_name_as_typed_at_sign_up(client: Client, name: str) -> None:
    fields = {"username": name, "email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", fields)
    user = logged_in_user(client)
    assert user is not None
    for spelling in (name, user.username, user.name, name.upper().lower()):
        browser = Client()
        browser.post(LOGIN, {"login": spelling, "password": PASSWORD})
        assert logged_in_user(browser) == user


def test_an_unconfirmed_address_does_not_log_in(client: Client, masha: User) -> None:
    EmailAddress.objects.update(verified=False)
    client.post(LOGIN, {"login": "masha@example.org", "password": PASSWORD})
    assert logged_in_user(client) is None


@pytest.mark.parametrize(
    ("login", "password"),
    [("masha", "wrong"), ("masha@example.org", "wrong"), ("nobody", PASSWORD), ("masha", ""), ("", PASSWORD)],
)
def test_wrong_credentials_show_an_error_without_the_password(
    client: Client, masha: User, login: str, password: str
) -> None:
    page = client.post(LOGIN, {"login": login, "password": password})
    assert page.status_code == 200
    assert logged_in_user(client) is None
    assert "errorlist" in page.content.decode()
    assert PASSWORD not in page.content.decode()


def login_counts() -> dict[str, float]:
    outcomes = ("account", "guest", "failed", "limited")
    return {name: REGISTRY.get_sample_value("dominoes_logins_total", {"outcome": name}) or 0 for name in outcomes}


def test_logins_are_counted_by_outcome(client: Client, masha: User) -> None:
    before = login_counts()
    for password in (*["wrong"] * 5, PASSWORD):
        client.post(LOGIN, {"login": "masha", "password": password})
    Client().post("/accounts/guest/", {"name": "Bob", "colour": "green"})
    Client(REMOTE_ADDR="203.0.113.9").post(LOGIN, {"login": "masha", "password": PASSWORD})
    increase = {name: count - before[name] for name, count in login_counts().items()}
    assert increase == {"account": 1, "guest": 1, "failed": 5, "limited": 1}


def test_five_wrong_passwords_block_the_right_one(client: Client, masha: User) -> None:
    for _number in range(5):
        client.post(LOGIN, {"login": "masha", "password": "wrong"})
    page = client.post(LOGIN, {"login": "masha", "password": PASSWORD})
    assert "Too many failed attempts. Try again in 5 minutes." in page.content.decode()
    assert logged_in_user(client) is None


def test_logged_in_people_are_redirected(as_masha: Client, masha: User) -> None:
    assert as_masha.get(LOGIN, {"next": "/rules/"}).headers["Location"] == "/rules/"
    assert logged_in_user(as_masha) == masha


def test_inactive_account_gets_an_explanation(client: Client, masha: User) -> None:
    User.objects.update(is_active=False)
    answer = client.post(LOGIN, {"login": "masha", "password": PASSWORD})
    assert answer.headers["Location"] == "/accounts/inactive/"
    assert logged_in_user(client) is None


def test_log_out_closes_only_the_sockets_of_the_session(
    as_masha: Client, masha: User, access_endings: list[dict[str, Any]]
) -> None:
    key = as_masha.session.session_key
    answer = as_masha.post("/accounts/logout/")
    assert answer.headers["Location"] == "/"
    assert logged_in_user(as_masha) is None
    assert access_endings == [{"user_id": masha.pk, "code": "logged_out", "session": session_hash(key)}]
    assert key not in session_hash(key)


def test_logging_out_needs_a_post(as_masha: Client, masha: User) -> None:
    assert as_masha.get("/accounts/logout/").status_code == 200
    assert logged_in_user(as_masha) == masha


def test_log_in_page_warns_guests(client: Client, guest: User) -> None:
    page = client.get(LOGIN).content.decode()
    assert "You are playing as the guest Petya" in page
    assert "/accounts/guest/upgrade/" in page


def test_log_in_of_a_guest_does_not_merge_points(
    client: Client, guest: User, masha: User, access_endings: list[dict[str, Any]]
) -> None:
    RatingPoints.objects.create(user=guest, variant="kozel", points=10)
    client.post(LOGIN, {"login": "masha", "password": PASSWORD})
    assert logged_in_user(client) == masha
    assert RatingPoints.objects.get().user == guest
    assert [arguments["user_id"] for arguments in access_endings] == [guest.pk]


def test_wrong_password_keeps_the_guest(client: Client, guest: User, masha: User) -> None:
    client.post(LOGIN, {"login": "masha", "password": "wrong"})
    assert logged_in_user(client) == guest


@pytest.fixture
def secret(reauthenticated_masha: Client) -> str:
    """Masha switched the two-step log-in on, through the pages, a while ago: the code of then is used up."""
    page = reauthenticated_masha.get("/accounts/2fa/totp/activate/").content.decode()
    secret = re.search(r"<code>(\w+)</code>", page)[1]
    with time_machine.travel(time.time() - 120, tick=False):
        answer = reauthenticated_masha.post("/accounts/2fa/totp/activate/", {"code": code_now(secret)})
    assert answer.headers["Location"] == "/accounts/2fa/recovery-codes/"
    return secret


def test_the_second_step_asks_for_a_code(client: Client, masha: User, secret: str) -> None:
    client.logout()
    answer = client.post(LOGIN, {"login": "masha", "password": PASSWORD, "next": "/rules/"})
    assert answer.headers["Location"] == "/accounts/2fa/authenticate/"
    assert logged_in_user(client) is None
    wrong = client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert 'id="id_code_error"' in wrong.content.decode()
    assert logged_in_user(client) is None
    answer = client.post("/accounts/2fa/authenticate/", {"code": code_now(secret)})
    assert answer.headers["Location"] == "/rules/"
    assert logged_in_user(client) == masha


@pytest.mark.parametrize(("steps", "right"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_codes_are_valid_half_a_minute_earlier_and_later(
    client: Client, masha: User, secret: str, steps: int, right: bool
) -> None:
    client.logout()
    client.post(LOGIN, {"login": "masha", "password": PASSWORD})
    with time_machine.travel(time.time(), tick=False):
        client.post("/accounts/2fa/authenticate/", {"code": code_now(secret, steps)})
    assert logged_in_user(client) == (masha if right else None)


def test_recovery_code_works_once(client: Client, masha: User, secret: str) -> None:
    page = client.get("/accounts/2fa/recovery-codes/").content.decode()
    codes = re.findall(r"<li><code>(\d+)</code></li>", page)
    assert len(codes) == 10
    client.logout()
    for expected in (masha, None):
        client.post(LOGIN, {"login": "masha", "password": PASSWORD})
        client.post("/accounts/2fa/authenticate/", {"code": codes[0]})
        assert logged_in_user(client) == expected
        client.logout()


def test_guessing_codes_is_limited(client: Client, masha: User, secret: str) -> None:
    client.logout()
    client.post(LOGIN, {"login": "masha", "password": PASSWORD})
    for _number in range(5):
        client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    client.post("/accounts/2fa/authenticate/", {"code": code_now(secret)})
    assert logged_in_user(client) is None


def test_second_step_without_a_code_is_no_server_error(client: Client, masha: User, secret: str) -> None:
    client.logout()
    client.post(LOGIN, {"login": "masha", "password": PASSWORD})
    assert client.post("/accounts/2fa/authenticate/", {}).status_code < 500
    assert logged_in_user(client) is None


def test_the_second_step_can_be_cancelled(client: Client, masha: User, secret: str) -> None:
    client.logout()
    client.post(LOGIN, {"login": "masha", "password": PASSWORD})
    client.post("/accounts/logout/", {"next": LOGIN})
    answer = client.post("/accounts/2fa/authenticate/", {"code": code_now(secret)})
    assert answer.headers["Location"] == LOGIN
    assert logged_in_user(client) is None


def test_guest_can_pass_the_second_step(client: Client, guest: User, masha: User) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    secret = generate_totp_secret()
    TOTP.activate(masha, secret)
    client.post(LOGIN, {"login": "masha", "password": PASSWORD})
    client.post("/accounts/2fa/authenticate/", {"code": code_now(secret)})
    assert logged_in_user(client) == masha


def test_two_step_login_needs_a_confirmed_address(as_masha: Client) -> None:
    EmailAddress.objects.update(verified=False)
    page = as_masha.get("/accounts/2fa/totp/activate/", follow=True)
    assert page.redirect_chain[-1][0] == "/accounts/2fa/"
    assert "verified your email address" in page.content.decode()


def test_two_step_login_can_be_turned_off(client: Client, masha: User, secret: str) -> None:
    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()


def test_new_recovery_codes_void_the_old_ones(client: Client, masha: User, secret: str) -> None:
    address = "/accounts/2fa/recovery-codes/"
    old = client.get(address).content
    assert client.post(address + "generate/").headers["Location"] == address
    assert client.get(address).content != old
    download = client.get(address + "download/")
    assert len(download.content.decode().split()) == 10


def test_sensitive_changes_need_the_password_every_five_minutes(as_masha: Client) -> None:
    address = "/accounts/2fa/totp/activate/"
    confirm_page = as_masha.get(address).headers["Location"]
    assert confirm_page.startswith("/accounts/reauthenticate/?next=")
    wrong = as_masha.post(confirm_page, {"password": "wrong"})
    assert 'id="id_password_error"' in wrong.content.decode()
    assert as_masha.post(confirm_page, {"password": PASSWORD}).headers["Location"] == address
    assert as_masha.get(address).status_code == 200
    session = as_masha.session
    session["account_authentication_methods"][-1]["at"] = time.time() - 301
    session.save()
    assert as_masha.get(address).headers["Location"] == confirm_page


def test_long_form_is_not_stored_in_the_session(as_masha: Client, masha: User) -> None:
    short = {"action_add": "", "email": "new@example.org"}
    for form in (short, short | {"more": "x" * 10_000}):
        confirm_page = as_masha.post("/accounts/email/", form).headers["Location"]
    assert len(str(dict(as_masha.session))) < 2000
    assert as_masha.post(confirm_page, {"password": PASSWORD}).headers["Location"] == "/accounts/email/"
    assert not masha.emailaddress_set.filter(email="new@example.org").exists()


def test_short_form_is_submitted_after_the_password(as_masha: Client, masha: User) -> None:
    answer = as_masha.post("/accounts/email/", {"action_add": "", "email": "new@example.org"})
    as_masha.post(answer.headers["Location"], {"password": PASSWORD})
    assert masha.emailaddress_set.filter(email="new@example.org").exists()
