"""Whoever is logged in on pages is so on sockets, after a change of the key too."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from domino_site.socket_users import user_of
from tests.games import tables
from tests.wire import Line, upgrade

pytestmark = pytest.mark.django_db(transaction=True)
NEW_KEY = "a new key " * 6


@pytest.fixture
def client_of_ann() -> Client:
    client = Client()
    client.force_login(tables.person("Ann"))
    return client


async def opened(client: Client) -> None:
    line = Line()
    line.say(upgrade("/ws/lobby/", Cookie=f"sessionid={client.cookies['sessionid'].value}"))
    await line.until(b"</hx-partial>")
    await line.hang_up()


def as_on_a_page(client: Client) -> str:
    request = HttpRequest()
    request.session = client.session
    return str(get_user(request))


@pytest.mark.parametrize("kept", [True, False])
async def test_a_guest_outlives_a_change_of_the_key(client_of_ann: Client, settings: Settings, kept: bool) -> None:
    """A page that was open meanwhile opens its socket again before any other page is asked for."""
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW_KEY, [settings.SECRET_KEY] if kept else []
    known = str(await user_of(client_of_ann.session))
    await opened(client_of_ann)
    assert await Session.objects.acount() == 1, "a socket ends no session"
    assert known == await sync_to_async(as_on_a_page)(client_of_ann)
    assert (known == "AnonymousUser") is not kept


async def test_a_password_that_was_changed_elsewhere_ends_it(client_of_ann: Client) -> None:
    user = await user_of(client_of_ann.session)
    assert isinstance(user, User)
    user.set_password("another")
    await user.asave()
    assert (await user_of(client_of_ann.session)).is_anonymous


async def test_a_visitor_is_nobody() -> None:
    assert (await user_of({})).is_anonymous
