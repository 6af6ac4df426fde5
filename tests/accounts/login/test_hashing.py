"""Passwords cost memory: how many are hashed at once, and what becomes of the hashes of earlier years."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident
from typing import Any

import argon2.low_level
import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, get_hasher, identify_hasher
from django.test import Client
from pytest_django import Settings

from accounts.login import hashing
from accounts.models import User
from domino_site import settings as production
from tests.accounts.conftest import PASSWORD, logged_in_user

LOGIN = "/accounts/login/"


@pytest.fixture(autouse=True)
def real_hashers(settings: Settings) -> None:
    """Hash as the site does, not as cheaply as the other tests."""
    settings.PASSWORD_HASHERS = production.PASSWORD_HASHERS


@pytest.fixture
def hashing_threads(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The threads in which something was hashed. Each keeps the memory of one hashing."""
    threads: set[int] = set()

    def noted(work: Callable[..., Any]) -> Callable[..., Any]:
        def note(*arguments: Any, **named: Any) -> Any:
            threads.add(get_ident())
            return work(*arguments, **named)

        return note

    monkeypatch.setattr(argon2.low_level, "hash_secret", noted(argon2.low_level.hash_secret))
    monkeypatch.setattr(argon2.PasswordHasher, "verify", noted(argon2.PasswordHasher.verify))
    return threads


def test_two_threads_hash_all_passwords_with_19_mib(hashing_threads: set[int]) -> None:
    hasher = get_hasher()
    with ThreadPoolExecutor(12) as crowd:
        hashes = list(crowd.map(lambda number: hasher.encode("secret", f"some-salt-{number}"), range(12)))
        right = list(crowd.map(lambda encoded: hasher.verify("secret", encoded), hashes))
    assert all(right)
    assert 1 <= len(hashing_threads) <= 2
    assert {"m=19456,t=2,p=1"} == {encoded.split("$")[3] for encoded in hashes}


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a priority of their own on Linux only")
def test_hashing_has_a_low_priority() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    assert hashing.hashing_pool.submit(os.getpriority, os.PRIO_PROCESS, 0).result() >= min(
        19, before + hashing.NICENESS
    )
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


@pytest.mark.parametrize(
    ("address", "form"),
    [
        (LOGIN, {"login": "masha", "password": PASSWORD}),
        (LOGIN, {"login": "nobody", "password": PASSWORD}),
        ("/accounts/signup/", {"username": "petya", "email": "p@example.org", "password1": "x" * 9 + "yz7",
                               "password2": "x" * 9 + "yz7"}),
    ],
)  # fmt: skip
def test_timeout_answers_503_with_a_retry_time(
    settings: Settings, masha: User, address: str, form: dict[str, str]
) -> None:
    settings.PASSWORD_WAIT_SECONDS = 0
    release = Event()
    for _number in range(settings.PASSWORDS_AT_ONCE):
        hashing.hashing_pool.submit(release.wait)
    try:
        answer = Client().post(address, form)
    finally:
        release.set()
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "Many people are logging in" in answer.content.decode()


class Earlier(Argon2PasswordHasher):
    """With what the site hashed before."""

    memory_cost = 1024
    parallelism = 8


def test_old_hash_is_upgraded_only_at_the_log_in(
    client: Client, masha: User, access_endings: list[dict[str, Any]]
) -> None:
    masha.password = Earlier().encode(PASSWORD, "abcdefghijklmnopqrstuvwxyz")
    User.objects.bulk_update([masha], ["password"])
    client.force_login(masha)
    before = masha.password
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert logged_in_user(client) == masha
    assert client.get("/accounts/settings/").status_code == 200, "the right password does not log out"
    masha.refresh_from_db()
    assert masha.password == before
    Client().post(LOGIN, {"login": "masha", "password": PASSWORD})
    masha.refresh_from_db()
    assert not identify_hasher(masha.password).must_update(masha.password)
    assert masha.check_password(PASSWORD)
    assert access_endings == []
