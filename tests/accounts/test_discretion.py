"""No page reveals if an address has an account: one that has and one that has not get the same answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.login import adapter, hashing
from accounts.login.guests import create_guest
from accounts.models import User
from domino_site.settings import accounts as account_settings
from tests.accounts.conftest import PASSWORD, logged_in_user

LOGIN, SIGNUP = "/accounts/login/", "/accounts/signup/"
KNOWN, UNKNOWN = "masha@example.org", "nobody@example.org"


def response_of(browser: Client, address: str, fields: dict[str, str]) -> tuple[str, str]:
    """Post, follow, and return all a visitor sees, without the parts that differ on every request."""
    answer = browser.post(address, fields, follow=True)
    return str(answer.redirect_chain), without_addresses(answer)


def without_addresses(page: Any) -> str:
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|(?<=/people/)\d+', "", page.content.decode())
    return text.replace(KNOWN, "ADDRESS").replace(UNKNOWN, "ADDRESS")


def signup(email: str, username: str = "petya") -> dict[str, str]:
    return {"username": username, "email": email, "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture(autouse=True)
def owner(masha: User, monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setattr(adapter, "random_colour", lambda: "red")
    return masha


def test_wrong_login_does_not_reveal_accounts() -> None:
    answers = [response_of(Client(), LOGIN, {"login": email, "password": "wrong"}) for email in (KNOWN, UNKNOWN)]
    assert answers[0] == answers[1]


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[object]:
    """Record each hashing of a password, by the hasher of the real site."""
    settings.PASSWORD_HASHERS = account_settings.PASSWORD_HASHERS
    in_turn = hashing._hash_in_pool
    calls: list[object] = []

    def count(work: Callable[..., Any], *arguments: str) -> Any:
        calls.append(work)
        return in_turn(work, *arguments)

    monkeypatch.setattr(hashing, "_hash_in_pool", count)
    return calls


@pytest.mark.parametrize(
    "login",
    [
        *("masha", KNOWN, "nobody", UNKNOWN, "unconfirmed", "unconfirmed@example.org"),
        *("inactive", "inactive@example.org", "guest-abc", "Ｍａｓｈａ", "not\0a name", "@", "@example.org"),
    ],
)
def test_every_wrong_login_computes_one_hash(hashes: list[object], login: str) -> None:
    for name in ("unconfirmed", "inactive"):
        user = User.objects.create_user(name, password=PASSWORD, is_active=name != "inactive")
        EmailAddress.objects.create(user=user, email=f"{name}@example.org", verified=name == "inactive")
    create_guest(name="Petya", colour="red")
    User.objects.filter(is_guest=True).update(username="guest-abc")
    hashes.clear()
    Client().post(LOGIN, {"login": login, "password": "wrong"})
    assert len(hashes) == (0 if "\0" in login else 1)


def test_wrong_logins_have_the_same_queries_for_known_and_unknown_names() -> None:
    numbers = []
    for login in ("masha", KNOWN, "nobody", UNKNOWN):
        with CaptureQueriesContext(connection) as queries:
            Client().post(LOGIN, {"login": login, "password": "wrong"})
        numbers.append(len(queries))
    assert len(set(numbers)) == 1


def test_limits_do_not_reveal_the_owner_of_an_address() -> None:
    """The attempts are limited for the whole account, but only the name that was typed gets the refusal."""
    for _number in range(5):
        Client().post(LOGIN, {"login": "masha", "password": "wrong"})
    answers = [response_of(Client(), LOGIN, {"login": email, "password": PASSWORD}) for email in (KNOWN, UNKNOWN)]
    assert answers[0] == answers[1]
    assert "errorlist" in answers[0][1]


def test_password_reset_does_not_reveal_accounts() -> None:
    answers = [response_of(Client(), "/accounts/password/reset/", {"email": email}) for email in (KNOWN, UNKNOWN)]
    assert answers[0] == answers[1]
    assert [message.to for message in mail.outbox] == [[KNOWN], [UNKNOWN]], "both take the time of a mail"


@pytest.mark.parametrize("as_guest", [False, True])
def test_sign_up_does_not_reveal_accounts(as_guest: bool) -> None:
    answers: list[list[object]] = []
    for email in (KNOWN, UNKNOWN):
        browser = Client()
        if as_guest:
            browser.post("/accounts/guest/", {"name": "Petya", "colour": "red"})
        steps: list[object] = [response_of(browser, SIGNUP, signup(email))]
        steps += [
            without_addresses(browser.get(page))
            for page in ("/accounts/email/", "/accounts/settings/", "/accounts/2fa/")
        ]
        steps.append(response_of(Client(), SIGNUP, signup(email, "vasya")))
        answers.append(steps)
        User.objects.filter(username__in=["petya", "vasya"]).delete()
    assert answers[0] == answers[1]


def test_login_by_an_unconfirmed_address_does_not_reveal_accounts() -> None:
    """Sign up with somebody's address, then log in by it: that fails alike whether its owner has an account."""
    answers = []
    for email in (KNOWN, UNKNOWN):
        Client().post(SIGNUP, signup(email) | {"password1": "nine-tailed-goats", "password2": "nine-tailed-goats"})
        answers.append(response_of(Client(), LOGIN, {"login": email, "password": "nine-tailed-goats"}))
        User.objects.filter(username="petya").delete()
    assert answers[0] == answers[1]
    assert "errorlist" in answers[0][1]


def test_adding_an_address_does_not_reveal_accounts() -> None:
    answers = []
    for email in (KNOWN, UNKNOWN):
        browser = Client()
        browser.post(SIGNUP, signup("petya@example.org"))
        browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
        answers.append(response_of(browser, "/accounts/email/", {"email": email, "action_add": ""}))
        User.objects.filter(username="petya").delete()
        cache.clear()
    assert answers[0] == answers[1]
    assert "ADDRESS" in answers[0][1]


def test_confirmed_address_belongs_to_its_owner(owner: User) -> None:
    """Somebody else's unconfirmed claim to the address neither logs in by it nor resets anybody's password."""
    Client().post("/accounts/signup/", signup(KNOWN))
    mail.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": KNOWN})
    (message,) = mail.outbox
    assert "Your user name is masha." in message.body
    browser = Client()
    browser.post("/accounts/login/", {"login": KNOWN, "password": PASSWORD})
    assert logged_in_user(browser) == owner
