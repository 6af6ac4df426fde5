"""Second factors: a code counts once, what they rest on is encrypted, and the staff of a real site has one."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.mfa.utils import decrypt
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.accounts.conftest import PASSWORD, logged_in_user
from tests.accounts.test_admin import person_form, staff
from tests.accounts.test_login import code_now
from tests.games.tables import browser_of

LOGIN, CODE = "/accounts/login/", "/accounts/2fa/authenticate/"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def secret(masha: User) -> str:
    secret = generate_totp_secret()
    TOTP.activate(masha, secret)
    return secret


def log_in_with_code(code: str) -> User | None:
    """Log in with this code; used codes that only the cache knew are forgotten, as under load."""
    cache.clear()
    browser = Client()
    browser.post(LOGIN, {"login": "masha", "password": PASSWORD})
    browser.post(CODE, {"code": code})
    return logged_in_user(browser)


@pytest.mark.parametrize("later", [0, 31, 59])
def test_code_works_once(masha: User, secret: str, later: int) -> None:
    begin = time.time() // 30 * 30
    with time_machine.travel(begin, tick=False) as clock:
        code = code_now(secret, 1)
        assert log_in_with_code(code) == masha
        clock.shift(later)
        assert log_in_with_code(code) is None
        assert log_in_with_code(f"{code[:3]} {code[3:]}") is None


def test_older_codes_do_not_work_after_a_newer_one(masha: User, secret: str) -> None:
    with time_machine.travel(time.time() // 30 * 30, tick=False) as clock:
        assert log_in_with_code(code_now(secret)) == masha
        assert log_in_with_code(code_now(secret, -1)) is None
        clock.shift(30)
        assert log_in_with_code(code_now(secret)) == masha


def test_activation_code_cannot_log_in(reauthenticated_masha: Client, masha: User) -> None:
    address = "/accounts/2fa/totp/activate/"
    with time_machine.travel(time.time() // 30 * 30, tick=False) as clock:
        secret = re.search(r"<code>(\w+)</code>", reauthenticated_masha.get(address).content.decode())[1]
        code = code_now(secret)
        assert reauthenticated_masha.post(address, {"code": code}).status_code == 302
        assert log_in_with_code(code) is None
        clock.shift(30)
        assert log_in_with_code(code) is None
        assert log_in_with_code(code_now(secret)) == masha


def test_used_code_cannot_reauthenticate(as_masha: Client, masha: User, secret: str) -> None:
    code = code_now(secret)
    assert log_in_with_code(code) == masha
    cache.clear()
    assert as_masha.post("/accounts/2fa/reauthenticate/", {"code": code}).status_code == 200


def stored_data() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator ORDER BY id")
        return str(cursor.fetchall())


def test_secrets_are_encrypted_in_the_database(masha: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecoveryCodes, "generate_seed", classmethod(lambda _cls: "5eed" * 20))
    TOTP.activate(masha, SECRET)
    codes = RecoveryCodes.activate(masha)
    assert SECRET not in stored_data()
    assert "5eed" not in stored_data()
    assert len(codes.get_unused_codes()) == 10


def test_fallback_keys_decrypt_secrets(masha: User, secret: str, settings: Settings) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new key " * 5, [settings.SECRET_KEY]
    assert log_in_with_code(code_now(secret)) == masha
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(ValidationError, match="cannot be read"):
        decrypt(Authenticator.objects.get().data["secret"])
    assert log_in_with_code(code_now(secret, 1)) is None


@pytest.mark.parametrize("group", ["", "Match moderators"])
def test_admin_needs_a_second_factor(settings: Settings, group: str) -> None:
    settings.STAFF_SECOND_FACTOR = True
    browser = staff("mo", group)
    for address in ("/admin/", "/admin/accounts/user/", "/admin/games/case/open/?user=1"):
        page = browser.get(address)
        assert page.status_code == 403
        assert "/accounts/2fa/totp/activate/" in page.content.decode()
    secret = generate_totp_secret()
    TOTP.activate(User.objects.get(username="mo"), secret)
    assert enter_code(browser, "/admin/accounts/user/", secret).status_code == 200


def enter_code(browser: Client, address: str, secret: str) -> Any:
    """Open a page of the administration that asks for a code, and return what comes after the code."""
    question = browser.get(address)
    assert question.headers["Location"] == f"/accounts/2fa/reauthenticate/?next={address}"
    return browser.post(question.headers["Location"], {"code": code_now(secret), "next": address}, follow=True)


@pytest.fixture
def administrator(masha: User, settings: Settings) -> User:
    settings.STAFF_SECOND_FACTOR = True
    masha.is_staff = masha.is_superuser = True
    masha.save()
    return masha


def with_password() -> Client:
    """Return a browser that has logged in as the administrator by password alone."""
    browser = Client()
    browser.post(LOGIN, {"login": "masha", "password": PASSWORD})
    return browser


def set_up(browser: Client) -> str:
    """Turn two-step login on through the pages and return the secret. Its first code is used up."""
    address = "/accounts/2fa/totp/activate/"
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    secret = re.search(r"<code>(\w+)</code>", browser.get(address).content.decode())[1]
    assert browser.post(address, {"code": code_now(secret, -1)}).status_code == 302
    return secret


def test_activation_ends_other_sessions_and_sockets(administrator: User, access_endings: list[dict[str, Any]]) -> None:
    thief, owner = with_password(), with_password()
    set_up(owner)
    assert thief.get("/accounts/settings/").status_code == 302
    assert thief.get("/admin/").headers["Location"].startswith("/admin/login/")
    assert owner.get("/accounts/settings/").status_code == 200
    assert access_endings == [{"user_id": administrator.pk, "code": "second_factor", "session": ""}]


def test_activating_session_can_open_the_admin(administrator: User) -> None:
    owner = with_password()
    set_up(owner)
    assert owner.get("/admin/").status_code == 200


def test_session_by_password_needs_a_code_for_the_admin(administrator: User, secret: str) -> None:
    browser = browser_of(administrator)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert browser.get("/admin/").status_code == 302
    assert enter_code(browser, "/admin/", secret).status_code == 200
    assert browser.get("/admin/accounts/user/").status_code == 200


@pytest.mark.parametrize("kind", ["code", "recovery code"])
def test_login_with_a_code_can_open_the_admin(administrator: User, secret: str, kind: str) -> None:
    recovery = RecoveryCodes.activate(administrator).get_unused_codes()[0]
    browser = with_password()
    browser.post(CODE, {"code": code_now(secret) if kind == "code" else recovery})
    assert browser.get("/admin/").status_code == 200


def test_code_of_one_account_does_not_open_the_admin_for_another(administrator: User, secret: str) -> None:
    browser = with_password()
    browser.post(CODE, {"code": code_now(secret)})
    other = User.objects.create(username="mo", is_staff=True, is_superuser=True)
    TOTP.activate(other, generate_totp_secret())
    browser.force_login(other)
    assert browser.get("/admin/").status_code == 302


def test_deleted_second_factor_closes_the_admin(administrator: User, secret: str) -> None:
    browser = with_password()
    browser.post(CODE, {"code": code_now(secret)})
    Authenticator.objects.all().delete()
    assert browser.get("/admin/").status_code == 403


def test_people_without_a_role_do_not_learn_about_the_second_factor(settings: Settings, as_masha: Client) -> None:
    settings.STAFF_SECOND_FACTOR = True
    assert "two-step login" not in as_masha.get("/admin/", follow=True).content.decode()


@pytest.mark.parametrize("factor", [False, True])
def test_staff_rights_need_a_second_factor(administrator: User, secret: str, factor: bool) -> None:
    browser = with_password()
    browser.post(CODE, {"code": code_now(secret)})
    ann = User.objects.create(username="ann", name="Ann", password="unusable")
    if factor:
        TOTP.activate(ann, generate_totp_secret())
    fields = person_form(ann) | {"is_active": "on", "is_staff": "on"}
    page = browser.post(f"/admin/accounts/user/{ann.pk}/change/", fields)
    ann.refresh_from_db()
    assert ann.is_staff is factor
    assert ("turn on two-step login first" in page.content.decode()) is not factor
