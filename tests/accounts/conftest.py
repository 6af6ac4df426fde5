from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from accounts.signals import access_ended

PASSWORD = "seven-spotted-goats"


@pytest.fixture(autouse=True)
def fresh_rate_limits() -> None:
    cache.clear()


@pytest.fixture
def masha() -> User:
    """Return an account with a confirmed address."""
    user = User.objects.create_user("masha", "masha@example.org", PASSWORD, name="Masha")
    EmailAddress.objects.create(user=user, email="masha@example.org", verified=True, primary=True)
    return user


@pytest.fixture
def guest(client: Client) -> User:
    """Return a guest who is logged in on ``client``."""
    client.post("/accounts/guest/", {"name": "Petya", "colour": "green"})
    return User.objects.get(is_guest=True)


@pytest.fixture
def as_masha(client: Client, masha: User) -> Client:
    client.post("/accounts/login/", {"login": "masha", "password": PASSWORD})
    return client


@pytest.fixture
def reauthenticated_masha(as_masha: Client) -> Client:
    """Return a browser in which Masha has just confirmed her password."""
    as_masha.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return as_masha


@pytest.fixture
def access_endings() -> Iterator[list[dict[str, Any]]]:
    """Return the arguments of all ``access_ended`` signals."""
    sent: list[dict[str, Any]] = []

    def listen(signal: object, sender: object, **arguments: Any) -> None:
        sent.append(arguments)

    access_ended.connect(listen)
    yield sent
    access_ended.disconnect(listen)


def logged_in_user(client: Client) -> User | None:
    """Return the person logged in on this browser."""
    key = client.session.get("_auth_user_id")
    return User.objects.filter(pk=key).first() if key else None
