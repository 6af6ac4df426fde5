"""No page tells whether an address has an account: one that has and one that has not get the same answer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts import adapter
from accounts.models import User
from tests.accounts.conftest import PASSWORD, who

pytestmark = pytest.mark.django_db
LOGIN, SIGNUP = "/accounts/login/", "/accounts/signup/"
KNOWN, UNKNOWN = "masha@example.org", "nobody@example.org"


def seen(browser: Client, address: str, fields: dict[str, str]) -> tuple[str, str]:
    """Post, follow, and return all a visitor sees, without the parts that differ on every request."""
    answer = browser.post(address, fields, follow=True)
    return str(answer.redirect_chain), plain(answer)


def plain(page: Any) -> str:
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|(?<=/people/)\d+', "", page.content.decode())
    return text.replace(KNOWN, "ADDRESS").replace(UNKNOWN, "ADDRESS")


def signup(email: str, username: str = "petya") -> dict[str, str]:
    return {"username": username, "email": email, "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture(autouse=True)
def known(masha: User, monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setattr(adapter, "any_colour", lambda: "red")
    return masha


def test_a_wrong_log_in() -> None:
    answers = [seen(Client(), LOGIN, {"login": email, "password": "wrong"}) for email in (KNOWN, UNKNOWN)]
    assert answers[0] == answers[1]


def test_a_forgotten_password() -> None:
    answers = [seen(Client(), "/accounts/password/reset/", {"email": email}) for email in (KNOWN, UNKNOWN)]
    assert answers[0] == answers[1]
    assert [message.to for message in mail.outbox] == [[KNOWN], [UNKNOWN]], "both take the time of a mail"


@pytest.mark.parametrize("as_guest", [False, True])
def test_a_sign_up_and_everything_the_new_account_sees(as_guest: bool) -> None:
    answers: list[list[object]] = []
    for email in (KNOWN, UNKNOWN):
        browser = Client()
        if as_guest:
            browser.post("/accounts/guest/", {"name": "Petya", "colour": "red"})
        steps: list[object] = [seen(browser, SIGNUP, signup(email))]
        steps += [plain(browser.get(page)) for page in ("/accounts/email/", "/accounts/settings/", "/accounts/2fa/")]
        steps.append(seen(Client(), SIGNUP, signup(email, "vasya")))
        answers.append(steps)
        User.objects.filter(username__in=["petya", "vasya"]).delete()
    assert answers[0] == answers[1]


def test_the_log_in_by_an_address_one_has_not_confirmed() -> None:
    """Sign up with somebody's address, then log in by it: that fails alike whether its owner has an account."""
    answers = []
    for email in (KNOWN, UNKNOWN):
        Client().post(SIGNUP, signup(email) | {"password1": "nine-tailed-goats", "password2": "nine-tailed-goats"})
        answers.append(seen(Client(), LOGIN, {"login": email, "password": "nine-tailed-goats"}))
        User.objects.filter(username="petya").delete()
    assert answers[0] == answers[1]
    assert "errorlist" in answers[0][1]


def test_an_address_added_to_an_account() -> None:
    answers = []
    for email in (KNOWN, UNKNOWN):
        browser = Client()
        browser.post(SIGNUP, signup("petya@example.org"))
        browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
        answers.append(seen(browser, "/accounts/email/", {"email": email, "action_add": ""}))
        User.objects.filter(username="petya").delete()
        cache.clear()
    assert answers[0] == answers[1]
    assert "ADDRESS" in answers[0][1]


def test_the_account_found_by_a_confirmed_address_is_its_owners(known: User) -> None:
    """Somebody else's unconfirmed claim to the address neither logs in by it nor resets anybody's password."""
    Client().post("/accounts/signup/", signup(KNOWN))
    mail.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": KNOWN})
    (message,) = mail.outbox
    assert "Your user name is masha." in message.body
    browser = Client()
    browser.post("/accounts/login/", {"login": KNOWN, "password": PASSWORD})
    assert who(browser) == known
