"""Requests that are too long or too slow are refused before the site sees them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pytest_django import Settings

from infrastructure.server.http import IDLE_SECONDS, LINGER_BODIES, LINGER_SECONDS
from tests.wire import Line, request, upgrade


class Site:
    """An application that keeps the bodies it got, and answers when it ``may``."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.may = asyncio.Event()
        self.may.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            part = await receive()
            body, more = body + part.get("body", b""), part.get("more_body", False)
        self.bodies.append(body)
        await self.may.wait()
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await receive()
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
async def site() -> Site:
    return Site()


@pytest.fixture(autouse=True)
def small(settings: Settings) -> None:
    settings.BODY_BYTES, settings.HEADER_SECONDS, settings.BODY_SECONDS = 1000, 10, 60


async def test_a_body_at_the_limit_is_taken(site: Site) -> None:
    whole = b"x" * 1000
    assert (await Line(site).answer(request("POST", "/play/", whole))).endswith(b"ok")
    assert site.bodies == [whole]


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
async def test_a_longer_one_is_refused_when_its_length_is_told(site: Site, method: str) -> None:
    line = Line(site)
    line.say(request(method, "/play/", b"x" * 1001)[:-1001])
    assert line.heard.startswith(b"HTTP/1.1 413 ")
    assert "This page accepts at most 1000\xa0bytes at a time".encode() in line.heard
    assert b"Connection: close" in line.heard
    assert not line.closed, "a browser that is still sending would see no answer"
    assert site.bodies == []


async def test_the_refusal_speaks_the_language_of_the_browser(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(site)
    line.say(request("POST", "/", b"x" * 1001, Accept_Language="hu"))
    assert b'<html lang="hu"' in line.heard
    line = Line(site)
    line.say(request("POST", "/", b"x" * 1001, Accept_Language="hu", Cookie="django_language=pl"))
    assert b'<html lang="pl"' in line.heard


async def test_what_still_comes_is_dropped_and_only_for_a_while(site: Site) -> None:
    line = Line(site)
    line.say(request("POST", "/", b"x" * 5000)[:-4000])
    line.say(b"y" * (LINGER_BODIES * 1000 - 1000))
    assert not line.closed
    line.say(b"y")
    assert line.closed
    line = Line(site)
    line.say(request("POST", "/", b"x" * 5000)[:-4000])
    line.clock.advance(LINGER_SECONDS)
    assert line.closed


async def test_forms_are_read_by_the_site_alone_and_not_before(site: Site) -> None:
    """Twisted would read each by itself: a megabyte of small fields holds every table up for a second."""
    site.may.clear()
    line = Line(site)
    line.say(request("POST", "/", b"a=1&b=2"))
    assert line.protocol.requests[0].args == {}
    line = Line(site)
    line.say(request("POST", "/", b"a=1", Content_Type="a/b\x85c"))
    assert line.heard.startswith(b"HTTP/1.1 400 ")


async def test_nobody_is_told_to_go_on_with_what_is_refused(site: Site) -> None:
    line = Line(site)
    line.say(request("POST", "/", b"x" * 1001, Expect="100-continue")[:-1001])
    assert b"100 Continue" not in line.heard


async def test_headers_that_drip_are_given_up(site: Site) -> None:
    line = Line(site)
    line.say(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
    for _ in range(9):
        line.clock.advance(1)
        line.say(b"x")
    assert line.heard == b""
    line.clock.advance(1)
    assert line.heard.startswith(b"HTTP/1.1 408 ")
    assert line.closed


async def test_a_first_line_that_drips_is_given_up(site: Site) -> None:
    line = Line(site)
    line.say(b"G")
    line.clock.advance(10)
    assert line.heard.startswith(b"HTTP/1.1 408 ")
    assert line.closed


async def test_a_body_that_drips_is_given_up(site: Site) -> None:
    line = Line(site)
    line.say(request("POST", "/play/", b"x" * 100)[:-100])
    for _ in range(59):
        line.clock.advance(1)
        line.say(b"x")
    assert line.heard == b""
    line.clock.advance(1)
    assert line.heard.startswith(b"HTTP/1.1 408 ")
    assert line.closed
    assert site.bodies == []


async def test_a_line_waits_a_minute_for_its_first_page_and_for_the_next(site: Site) -> None:
    line = Line(site)
    line.clock.advance(IDLE_SECONDS - 1)
    line.say(request("GET", "/", Connection="keep-alive"))
    await line.until(b"ok")
    line.clock.advance(IDLE_SECONDS - 1)
    assert not line.closed
    line.clock.advance(1)
    assert line.closed
    assert line.heard.count(b"HTTP/1.1") == 1, "nobody is waiting for an answer"


async def test_two_requests_in_one_packet_are_two(site: Site) -> None:
    line = Line(site)
    line.say(request("GET", "/", Connection="keep-alive") + request("GET", "/rules/"))
    while not line.closed:
        await asyncio.sleep(0)
    assert line.heard.count(b"HTTP/1.1 200") == 2


async def test_the_site_may_take_its_time_and_so_may_a_socket(site: Site) -> None:
    site.may.clear()
    page, socket = Line(site), Line(site)
    page.say(request("GET", "/"))
    socket.say(upgrade("/ws/lobby/"))
    for line in (page, socket):
        line.clock.advance(3600)
        assert not line.closed
    site.may.set()
    await page.until(b"ok")
    await socket.until(b"HTTP/1.1 101")
    socket.clock.advance(3600)
    assert not socket.closed
    await socket.hang_up()


async def test_the_answer_to_head_has_no_body_of_however_many_parts() -> None:
    async def site(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"6")]})
        await send({"type": "http.response.body", "body": b"abc", "more_body": True})
        await send({"type": "http.response.body", "body": b"def"})

    assert (await Line(site).answer(request("GET", "/"))).endswith(b"\r\n\r\nabcdef")
    assert (await Line(site).answer(request("HEAD", "/"))).endswith(b"\r\n\r\n")
