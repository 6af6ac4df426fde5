"""Tokens of the API: stored as a hash, shown once, limited by scopes, and refused as soon as they are revoked."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Sanction, User
from accounts.sanctions import imposing
from accounts.services import session_hash
from accounts.tokens import issuing
from accounts.tokens.authentication import (
    LAST_USE_STEP,
    InvalidToken,
    MissingScope,
    authenticate,
    require_scope,
)
from tests.games.tables import browser_of, person

TOKENS = "/accounts/tokens/"
FORM = {"name": "My statistics", "scopes": ["read"], "days": "30"}


def new_token(user: User, *scopes: str, **options: Any) -> str:
    return issuing.create_token(user=user, name="bot", scopes=scopes or ("read",), **options)


def is_accepted(secret: str) -> bool:
    try:
        return authenticate(f"Bearer {secret}") is not None
    except InvalidToken:
        return False


def test_page_shows_a_new_token_once(reauthenticated_masha: Client, masha: User) -> None:
    page = reauthenticated_masha.post(TOKENS, FORM)
    (secret,) = set(re.findall(r"dom_[\w-]{43}", page.content.decode()))
    assert "no-store" in page.headers["Cache-Control"]
    assert secret not in reauthenticated_masha.get(TOKENS).content.decode()
    token = authenticate(f"Bearer {secret}")
    assert token is not None
    assert (token.user, token.name, token.scopes) == (masha, "My statistics", ["read"])
    assert token.expires_at is not None
    assert timedelta(days=29) < token.expires_at - timezone.now() < timedelta(days=31)


def test_database_contains_no_token(masha: User) -> None:
    secret = new_token(masha)
    (row,) = ApiToken.objects.values_list()
    assert secret not in str(row)
    assert secret.removeprefix("dom_") not in str(row)


def test_page_asks_for_the_password_again(client: Client, masha: User) -> None:
    client.force_login(masha)
    answer = client.post(TOKENS, FORM)
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()


def test_guests_and_visitors_have_no_tokens(client: Client) -> None:
    assert client.get(TOKENS).headers["Location"].startswith("/accounts/login/")
    guest = browser_of(person("Guest", is_guest=True))
    assert guest.post(TOKENS, FORM).headers["Location"] == "/accounts/guest/upgrade/"
    assert not ApiToken.objects.exists()


def test_people_cannot_get_a_token_that_plays(reauthenticated_masha: Client) -> None:
    reauthenticated_masha.post(TOKENS, FORM | {"scopes": ["read", "bot:play"]})
    assert not ApiToken.objects.exists()


def test_reloading_the_page_creates_no_second_token(reauthenticated_masha: Client) -> None:
    for _ in range(2):
        page = reauthenticated_masha.post(TOKENS, FORM)
    assert ApiToken.objects.count() == 1
    assert "You already have a token with this name." in page.content.decode()


def test_accounts_have_a_limited_number_of_tokens(masha: User) -> None:
    for number in range(issuing.MAX_TOKENS):
        issuing.create_token(user=masha, name=str(number), scopes=["read"])
    with pytest.raises(ValidationError):
        new_token(masha)


def test_revoked_token_is_refused_at_once_and_its_streams_close(
    as_masha: Client, masha: User, access_endings: list[dict[str, Any]]
) -> None:
    secret, other = new_token(masha), issuing.create_token(user=masha, name="other", scopes=["read"])
    token = ApiToken.objects.get(name="bot")
    assert is_accepted(secret)
    as_masha.post(f"{TOKENS}{token.pk}/revoke/")
    assert not is_accepted(secret)
    assert is_accepted(other)
    (ending,) = [ending for ending in access_endings if ending["code"] == "token_revoked"]
    assert ending["session"] == session_hash(token.session_key)


def test_only_the_owner_can_revoke(masha: User) -> None:
    secret = new_token(masha)
    browser_of(person("Ben")).post(f"{TOKENS}{ApiToken.objects.get().pk}/revoke/")
    assert is_accepted(secret)


def test_expired_token_is_refused(masha: User) -> None:
    secret = new_token(masha, expires_at=timezone.now() + timedelta(days=1))
    with time_machine.travel(timezone.now() + timedelta(hours=23)):
        assert is_accepted(secret)
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert not is_accepted(secret)


def test_tokens_end_with_the_access_to_the_account(masha: User) -> None:
    def change_password() -> None:
        masha.set_password("another-password")
        masha.save()

    def suspend() -> None:
        imposing.impose(
            moderator=person("Mo", is_staff=True, is_superuser=True),
            user=masha,
            kind=Sanction.Kind.SUSPENSION,
            reason="Cheats.",
        )

    def deactivate() -> None:
        masha.is_active = False
        masha.save()

    for end_access in (change_password, suspend, deactivate):
        secret = new_token(masha)
        assert is_accepted(secret), end_access
        end_access()
        assert not is_accepted(secret), end_access


def test_logout_keeps_tokens(as_masha: Client, masha: User) -> None:
    secret = new_token(masha)
    as_masha.post("/accounts/logout/")
    assert is_accepted(secret)


def test_closed_account_is_refused_even_without_a_signal(masha: User) -> None:
    secret = new_token(masha)
    User.objects.update(is_closed=True)
    assert not is_accepted(secret)


def test_headers_without_a_valid_token_are_refused(masha: User) -> None:
    secret = new_token(masha)
    assert authenticate("") is None
    assert authenticate(f"bearer  {secret} ") is not None
    for header in ("Bearer", f"Basic {secret}", secret, f"Bearer {secret}x", "Bearer dom_\0", f"Bearer {'x' * 9000}"):
        with pytest.raises(InvalidToken):
            authenticate(header)


def test_scopes_are_required_one_by_one(masha: User) -> None:
    token = authenticate(f"Bearer {new_token(masha, 'read', 'bot:play')}")
    assert token is not None
    require_scope(token, "read")
    require_scope(token, "bot:play")
    with pytest.raises(MissingScope):
        require_scope(token, "tournament:host")


def test_last_use_is_recorded_in_steps(masha: User) -> None:
    secret, start = new_token(masha), timezone.now()
    for minutes, recorded in ((0, 0), (5, 0), (10, 10), (19, 10), (25, 25)):
        with time_machine.travel(start + timedelta(minutes=minutes), tick=False):
            assert is_accepted(secret)
        assert ApiToken.objects.get().last_used_at == start + timedelta(minutes=recorded)
    assert timedelta(minutes=10) == LAST_USE_STEP
