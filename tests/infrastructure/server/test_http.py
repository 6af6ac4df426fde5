"""Requests that are too long or too slow are refused before the site sees them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pytest_django import Settings

from infrastructure.server.http import IDLE_SECONDS, LINGER_BODIES, LINGER_SECONDS
from tests.wire import ServerConnection, http_request, websocket_request


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


async def test_body_at_the_limit_is_accepted(site: Site) -> None:
    whole = b"x" * 1000
    assert (await ServerConnection(site).exchange(http_request("POST", "/play/", whole))).endswith(b"ok")
    assert site.bodies == [whole]


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
async def test_longer_body_is_refused_by_its_content_length(site: Site, method: str) -> None:
    line = ServerConnection(site)
    line.send(http_request(method, "/play/", b"x" * 1001)[:-1001])
    assert line.received.startswith(b"HTTP/1.1 413 ")
    assert "This page accepts at most 1000\xa0bytes at a time".encode() in line.received
    assert b"Connection: close" in line.received
    assert not line.closed, "a browser that is still sending would see no answer"
    assert site.bodies == []


async def test_refusal_has_the_language_of_the_browser(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    line = ServerConnection(site)
    line.send(http_request("POST", "/", b"x" * 1001, Accept_Language="hu"))
    assert b'<html lang="hu"' in line.received
    line = ServerConnection(site)
    line.send(http_request("POST", "/", b"x" * 1001, Accept_Language="hu", Cookie="django_language=pl"))
    assert b'<html lang="pl"' in line.received


async def test_data_after_a_refusal_is_dropped_for_a_limited_time(site: Site) -> None:
    line = ServerConnection(site)
    line.send(http_request("POST", "/", b"x" * 5000)[:-4000])
    line.send(b"y" * (LINGER_BODIES * 1000 - 1000))
    assert not line.closed
    line.send(b"y")
    assert line.closed
    line = ServerConnection(site)
    line.send(http_request("POST", "/", b"x" * 5000)[:-4000])
    line.clock.advance(LINGER_SECONDS)
    assert line.closed


async def test_forms_are_read_by_the_site_alone_and_not_before(site: Site) -> None:
    """Twisted would read each by itself: a megabyte of small fields holds every table up for a second."""
    site.may.clear()
    line = ServerConnection(site)
    line.send(http_request("POST", "/", b"a=1&b=2"))
    assert line.protocol.requests[0].args == {}
    line = ServerConnection(site)
    line.send(http_request("POST", "/", b"a=1", Content_Type="a/b\x85c"))
    assert line.received.startswith(b"HTTP/1.1 400 ")


async def test_refused_request_gets_no_100_continue(site: Site) -> None:
    line = ServerConnection(site)
    line.send(http_request("POST", "/", b"x" * 1001, Expect="100-continue")[:-1001])
    assert b"100 Continue" not in line.received


async def test_slow_headers_time_out(site: Site) -> None:
    line = ServerConnection(site)
    line.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
    for _ in range(9):
        line.clock.advance(1)
        line.send(b"x")
    assert line.received == b""
    line.clock.advance(1)
    assert line.received.startswith(b"HTTP/1.1 408 ")
    assert line.closed


async def test_slow_request_line_times_out(site: Site) -> None:
    line = ServerConnection(site)
    line.send(b"G")
    line.clock.advance(10)
    assert line.received.startswith(b"HTTP/1.1 408 ")
    assert line.closed


async def test_slow_body_times_out(site: Site) -> None:
    line = ServerConnection(site)
    line.send(http_request("POST", "/play/", b"x" * 100)[:-100])
    for _ in range(59):
        line.clock.advance(1)
        line.send(b"x")
    assert line.received == b""
    line.clock.advance(1)
    assert line.received.startswith(b"HTTP/1.1 408 ")
    assert line.closed
    assert site.bodies == []


async def test_idle_connection_times_out_after_a_minute(site: Site) -> None:
    line = ServerConnection(site)
    line.clock.advance(IDLE_SECONDS - 1)
    line.send(http_request("GET", "/", Connection="keep-alive"))
    await line.receive_until(b"ok")
    line.clock.advance(IDLE_SECONDS - 1)
    assert not line.closed
    line.clock.advance(1)
    assert line.closed
    assert line.received.count(b"HTTP/1.1") == 1, "nobody is waiting for an answer"


async def test_two_requests_in_one_packet_are_two(site: Site) -> None:
    line = ServerConnection(site)
    line.send(http_request("GET", "/", Connection="keep-alive") + http_request("GET", "/rules/"))
    while not line.closed:
        await asyncio.sleep(0)
    assert line.received.count(b"HTTP/1.1 200") == 2


async def test_responses_and_sockets_have_no_deadline(site: Site) -> None:
    site.may.clear()
    page, socket = ServerConnection(site), ServerConnection(site)
    page.send(http_request("GET", "/"))
    socket.send(websocket_request("/ws/lobby/"))
    for line in (page, socket):
        line.clock.advance(3600)
        assert not line.closed
    site.may.set()
    await page.receive_until(b"ok")
    await socket.receive_until(b"HTTP/1.1 101")
    socket.clock.advance(3600)
    assert not socket.closed
    await socket.disconnect()


async def test_head_response_has_no_body() -> None:
    async def site(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"6")]})
        await send({"type": "http.response.body", "body": b"abc", "more_body": True})
        await send({"type": "http.response.body", "body": b"def"})

    assert (await ServerConnection(site).exchange(http_request("GET", "/"))).endswith(b"\r\n\r\nabcdef")
    assert (await ServerConnection(site).exchange(http_request("HEAD", "/"))).endswith(b"\r\n\r\n")
