"""A second press closes the connection of the first one, whose form is processed all the same."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from threading import Event
from time import sleep
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from accounts.models import User
from domino_site.abandoned_forms import ProcessAbandonedForms
from games.models import Match
from games.services.quick_play import join
from games.views import seats
from tests.wire import Line, request

BODY = {"type": "http.request", "body": b"a", "more_body": True}
LAST = {"type": "http.request", "body": b"b"}
GONE = {"type": "http.disconnect"}


def form() -> tuple[bytes, str]:
    """Return the body of the form that starts a quick game, and the cookie of its browser."""
    client = Client()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get("/").text)
    assert token
    body = f"variant=kozel&csrfmiddlewaretoken={token[1]}".encode()
    return body, f"csrftoken={client.cookies['csrftoken'].value}"


@pytest.mark.django_db(transaction=True)
async def test_the_second_press_gets_what_the_first_one_made(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work = Event()

    def join_slowly(**options: Any) -> Match:
        at_work.set()
        sleep(0.2)
        return join(**options)

    monkeypatch.setattr(seats, "join_quick_game", join_slowly)
    body, cookie = await sync_to_async(form)()
    first = Line()
    first.say(request("POST", "/play/", body, Cookie=cookie))
    await sync_to_async(at_work.wait)(10)
    await first.hang_up()
    answer = await Line().answer(request("POST", "/play/", body, Cookie=cookie))
    match = await Match.objects.aget()
    assert f"Location: /match/{match.slug}/".encode() in answer
    assert b"sessionid=" in answer
    assert await User.objects.acount() == 1


@pytest.mark.parametrize(
    ("method", "messages", "received"),
    [
        ("POST", [BODY, LAST, GONE], [BODY, LAST]),
        ("POST", [BODY, GONE], [BODY, GONE]),
        ("GET", [LAST, GONE], [LAST, GONE]),
    ],
)
async def test_only_a_form_that_has_arrived_outlives_its_connection(
    method: str, messages: list[Any], received: list[Any]
) -> None:
    seen: list[Any] = []

    async def application(_scope: Any, receive: Any, _send: Any) -> None:
        while not seen or seen[-1] != GONE:
            seen.append(await asyncio.wait_for(receive(), 0.05))

    async def receive() -> Any:
        return messages.pop(0)

    async def send(_message: Any) -> None: ...

    with suppress(TimeoutError):
        await ProcessAbandonedForms(application)({"method": method}, receive, send)
    assert seen == received
