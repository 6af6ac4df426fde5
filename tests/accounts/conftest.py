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
    """Somebody with an account and a confirmed address."""
    user = User.objects.create_user("masha", "masha@example.org", PASSWORD, name="Masha")
    EmailAddress.objects.create(user=user, email="masha@example.org", verified=True, primary=True)
    return user


@pytest.fixture
def guest(client: Client) -> User:
    """A guest, logged in on ``client``."""
    client.post("/accounts/guest/", {"name": "Petya", "colour": "green"})
    return User.objects.get(is_guest=True)


@pytest.fixture
def as_masha(client: Client, masha: User) -> Client:
    client.post("/accounts/login/", {"login": "masha", "password": PASSWORD})
    return client


@pytest.fixture
def sure_masha(as_masha: Client) -> Client:
    """Masha has just given her password once more, as sensitive changes ask."""
    as_masha.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return as_masha


@pytest.fixture
def ended() -> Iterator[list[dict[str, Any]]]:
    """What the sockets hear: one entry for each ``access_ended``."""
    heard: list[dict[str, Any]] = []

    def listen(signal: object, sender: object, **said: Any) -> None:
        heard.append(said)

    access_ended.connect(listen)
    yield heard
    access_ended.disconnect(listen)


def who(client: Client) -> User | None:
    """Return the person the site takes this browser for."""
    key = client.session.get("_auth_user_id")
    return User.objects.filter(pk=key).first() if key else None
