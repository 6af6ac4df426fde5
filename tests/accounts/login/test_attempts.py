"""Guessing ends soon for the guesser, and the owner of the account notices nothing of it."""

from __future__ import annotations

import time
from typing import Any

import pytest
import time_machine
from allauth.account import app_settings
from allauth.account.models import EmailAddress
from allauth.core.internal.ratelimit import parse_rates
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.login.attempts import DEVICES_COOKIE
from accounts.models import User
from tests.accounts.conftest import PASSWORD, logged_in_user
from tests.accounts.test_login import code_now

LOGIN, CODE, RESET = "/accounts/login/", "/accounts/2fa/authenticate/", "/accounts/password/reset/"
HOME, ATTACKER = "203.0.113.7", "198.51.100.9"
MINUTE = 60


def log_in(client: Client, password: str = PASSWORD, login: str = "masha") -> str:
    return client.post(LOGIN, {"login": login, "password": password}).content.decode()


def guess(address: str, times: int = 5, login: str = "masha") -> None:
    for _number in range(times):
        log_in(Client(REMOTE_ADDR=address), "wrong", login)


def client_at(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


@pytest.mark.parametrize("login", ["masha", "masha@example.org"])
def test_wrong_passwords_from_elsewhere_do_not_block_the_owner(masha: User, login: str) -> None:
    guess(ATTACKER, 8, login)
    owner = client_at(HOME)
    log_in(owner, login=login)
    assert logged_in_user(owner) == masha


@pytest.mark.parametrize(
    ("address", "refused"),
    [("198.51.100.9", True), ("198.51.100.200", True), ("198.51.101.9", False), ("2001:db8::1", False)],
)
def test_the_neighbours_in_a_network_count_together(masha: User, address: str, refused: bool) -> None:
    guess(ATTACKER)
    neighbour = client_at(address)
    assert ("Too many failed attempts" in log_in(neighbour)) is refused
    assert (logged_in_user(neighbour) is None) is refused


def test_all_addresses_of_a_home_count_together(masha: User) -> None:
    for number in range(5):
        guess(f"2001:db8::{number + 1:x}", 1)
    assert "Too many failed attempts" in log_in(client_at("2001:db8::ffff"))
    assert "Too many failed attempts" in log_in(client_at("2001:db8:0:ff::1"))
    assert "Too many failed attempts" not in log_in(client_at("2001:db8:0:100::1"))


def test_names_and_addresses_of_an_account_share_attempts(masha: User) -> None:
    EmailAddress.objects.create(user=masha, email="m@example.com", verified=True)
    logins = ["masha", "MASHA", "Ｍａｓｈａ", "masha@example.org", "m@example.com"]
    for login in logins:
        guess(ATTACKER, 1, login)
    thief, owner = client_at(ATTACKER), client_at(HOME)
    log_in(thief, login="masha@example.org")
    assert logged_in_user(thief) is None
    log_in(owner, login="masha@example.org")
    assert logged_in_user(owner) == masha


def test_spellings_of_a_name_share_attempts(db: None) -> None:
    for login in ("nobody", "Nobody", "ＮＯＢＯＤＹ", "ｎobody", "n\u200dobody"):
        guess(ATTACKER, 1, login)
    assert "Too many failed attempts" in log_in(client_at(ATTACKER), login="nobody")


def test_password_reset_works_while_strangers_guess(masha: User, settings: Settings) -> None:
    limited(settings, tries_of_strangers="5/h/key")
    guess(ATTACKER)
    owner = client_at(HOME)
    assert "Set a new password by email" in log_in(owner)
    owner.post(RESET, {"email": "masha@example.org"})
    link = next(line for line in mail.outbox[-1].body.splitlines() if "/password/reset/key/" in line)
    form = owner.get(link.removeprefix("http://testserver")).headers["Location"]
    owner.post(form, dict.fromkeys(("password1", "password2"), "eight-legged-goats"))
    log_in(owner, "eight-legged-goats")
    assert logged_in_user(owner) == masha


def test_refusal_has_the_waiting_time(masha: User) -> None:
    with time_machine.travel(time.time(), tick=False) as clock:
        guess(ATTACKER)
        clock.shift(2 * MINUTE)
        browser = client_at(ATTACKER)
        assert "Try again in 3 minutes." in log_in(browser)
        clock.shift(3 * MINUTE)
        log_in(browser)
        assert logged_in_user(browser) == masha


def limited(settings: Any, **limits: str) -> None:
    """Set lower limits."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | limits


def test_known_browser_can_log_in_while_others_guess(masha: User, settings: Settings) -> None:
    """Guessing from many networks slows down unknown browsers, but not the owner's."""
    browser = client_at(HOME)
    log_in(browser)
    browser.post("/accounts/logout/")
    limited(settings, tries_of_strangers="10/h/key")
    for number in range(2):
        guess(f"198.51.{number}.9")
    guess(HOME)
    stranger = client_at("192.0.2.1")
    assert "Too many failed attempts" in log_in(stranger)
    log_in(browser)
    assert logged_in_user(browser) == masha


def test_known_browser_has_a_limit_too(masha: User) -> None:
    browser = client_at(HOME)
    log_in(browser)
    browser.post("/accounts/logout/")
    for _number in range(5):
        log_in(browser, "wrong")
    assert "Too many failed attempts" in log_in(browser)


def test_browser_is_known_only_to_its_own_account(masha: User) -> None:
    """A guesser with an account has a cookie too: of that account."""
    User.objects.create_user("petya", password=PASSWORD)
    guesser = client_at(ATTACKER)
    log_in(guesser, login="petya")
    assert logged_in_user(guesser).username == "petya"
    guesser.post("/accounts/logout/")
    guess(ATTACKER)
    assert "Too many failed attempts" in log_in(guesser)


def test_forged_device_cookie_makes_no_browser_known(masha: User) -> None:
    guess(ATTACKER)
    guesser = client_at(ATTACKER)
    guesser.cookies[DEVICES_COOKIE] = f"eyIxIjoieCJ9:{masha.pk}:none"
    assert "Too many failed attempts" in log_in(guesser)


def test_cookie_is_http_only_and_lasts_a_year(client: Client, masha: User) -> None:
    log_in(client)
    cookie = client.cookies[DEVICES_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 365 * 24 * 3600
    assert "masha" not in cookie.value


def test_counts_survive_many_other_clients(masha: User) -> None:
    guess(ATTACKER)
    cache.set_many({f"of-somebody-else-{number}": [] for number in range(3000)})
    assert "Too many failed attempts" in log_in(client_at(ATTACKER))


def test_right_passwords_do_not_count(masha: User, settings: Settings) -> None:
    limited(settings, tries_of_an_address="2/m/ip", tries_from_a_network="2/m/key")
    for _number in range(4):
        browser = client_at(HOME)
        log_in(browser)
        assert logged_in_user(browser) == masha


def test_wrong_codes_from_elsewhere_do_not_block_the_owner(masha: User) -> None:
    secret = generate_totp_secret()
    TOTP.activate(masha, secret)
    thief, owner = client_at(ATTACKER), client_at(HOME)
    for browser in (thief, owner):
        log_in(browser)
    for _number in range(6):
        page = thief.post(CODE, {"code": "000000"})
    assert "Too many failed attempts" in page.content.decode()
    owner.post(CODE, {"code": code_now(secret)})
    assert logged_in_user(owner) == masha


def test_reauthentication_is_not_blocked_from_elsewhere(as_masha: Client, masha: User) -> None:
    guess("127.0.0.1", 6, "masha@example.org")
    answer = as_masha.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert answer.status_code == 302


def test_a_stolen_session_cannot_guess_the_password(as_masha: Client) -> None:
    for _number in range(5):
        as_masha.post("/accounts/reauthenticate/", {"password": "wrong"})
    page = as_masha.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert "Too many failed attempts" in page.content.decode()


def test_mails_to_an_account_are_limited_across_addresses(masha: User) -> None:
    start = time.time()
    with time_machine.travel(start, tick=False) as clock:
        for hour in range(4):
            clock.move_to(start + hour * 3600)
            for number in range(6):
                client_at(f"198.51.{hour}.{number}").post(RESET, {"email": "masha@example.org"})
    assert len(mail.outbox) == 10


def test_confirmation_mails_are_limited(masha: User) -> None:
    start = time.time()
    with time_machine.travel(start, tick=False) as clock:
        for number in range(12):
            clock.move_to(start + number * 600)
            fields = {"username": f"petya{number}", "email": "masha@example.org"}
            client_at(f"198.51.{number}.1").post(
                "/accounts/signup/", fields | dict.fromkeys(("password1", "password2"), PASSWORD)
            )
    assert len(mail.outbox) == 10


def test_class_behind_one_address_can_log_in_within_a_minute() -> None:
    limits = app_settings.RATE_LIMITS
    for action in ("login", "tries_of_an_address", "signup", "guest"):
        assert all(rate.amount >= 60 for rate in parse_rates(limits[action])), action
