"""A suspended guest does not come back at once as a new one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import Sanction, User
from accounts.sanctions import imposing
from tests.accounts.conftest import logged_in_user
from tests.games.tables import browser_of

GUEST = "/accounts/guest/"
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(NOW, tick=False) as travelling:
        yield travelling


def enter_as_guest(name: str, address: str = "203.0.113.7") -> Client:
    client = Client(REMOTE_ADDR=address)
    client.post(GUEST, {"name": name, "colour": "green"})
    return client


@pytest.fixture
def rude(clock: Any) -> Client:
    """Return the browser of a guest who was suspended for a day."""
    root = User.objects.create(username="root", is_staff=True, is_superuser=True)
    client = enter_as_guest("Rude Robin")
    until = NOW + timedelta(days=1)
    imposing.impose(moderator=root, user=logged_in_user(client), kind="suspend", reason="insults", until=until)
    return client


def test_name_is_reserved_during_the_suspension(rude: Client, clock: Any) -> None:
    for name in ("Rude Robin", "rude r0bin"):
        assert logged_in_user(enter_as_guest(name, "198.51.100.1")) is None
    clock.shift(timedelta(days=1))
    assert logged_in_user(enter_as_guest("Rude Robin", "198.51.100.1"))


def test_address_has_no_new_guests_for_an_hour(rude: Client, clock: Any) -> None:
    rude.get("/")
    again = Client(REMOTE_ADDR="203.0.113.7")
    answer = again.post(GUEST, {"name": "Somebody Else", "colour": "green"})
    assert answer.status_code == 403
    text = "Nobody can start as a guest from here until"
    assert re.search(rf'{text} <time datetime="[^"]*T13:00:00\+00:00">[^<]*13:00 UTC</time>', answer.text)
    assert again.post("/play/", {"variant": "kozel"}).status_code == 403
    assert logged_in_user(again) is None
    assert logged_in_user(enter_as_guest("Neighbour", "203.0.113.8"))
    clock.shift(timedelta(hours=1, seconds=1))
    assert logged_in_user(enter_as_guest("Somebody Else"))
    assert set(Sanction.objects.values_list("address", flat=True)) == {""}, "old hashes are deleted"


def test_address_is_free_after_lifting_the_suspension(rude: Client) -> None:
    rude.get("/")
    sanction, root = Sanction.objects.get(), User.objects.get(username="root")
    assert "203.0.113.7" not in sanction.address
    imposing.lift(moderator=root, sanction=sanction, reason="appealed")
    assert logged_in_user(enter_as_guest("Somebody Else"))
    assert Sanction.objects.get().address == ""


def test_addresses_of_other_people_are_not_stored(clock: Any, masha: User) -> None:
    root = User.objects.create(username="root", is_staff=True, is_superuser=True)
    guest = enter_as_guest("Robin 1")
    until = NOW + timedelta(days=1)
    imposing.impose(moderator=root, user=logged_in_user(guest), kind="mute", reason="spam", until=until)
    imposing.impose(moderator=root, user=masha, kind="suspend", reason="spam", until=until)
    account = browser_of(masha)
    for client in (guest, account):
        client.get("/")
    assert set(Sanction.objects.values_list("address", flat=True)) == {""}
