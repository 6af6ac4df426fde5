"""Bodies are refused by their headers: too large, too many, or in chunks."""

from __future__ import annotations

import asyncio
import gc
import resource
import time
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from pytest_django import Settings

from domino_site import settings as site_settings
from infrastructure.limit_settings import parse_place_limits
from infrastructure.server import http
from tests.wire import ServerConnection, http_request, websocket_request

UPLOAD = "/review/import/"
READ_BYTES = 2**16  # what Twisted reads from a connection at once
LARGE = b"x" * 1_090_000
PAGE_BYTES = resource.getpagesize()


class Site:
    """An application that leaves each body in its queue until it ``may`` answer, as a busy site does."""

    def __init__(self) -> None:
        self.received: list[int] = []
        self.may = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.may.wait()
        size, more = 0, True
        while more:
            part = await receive()
            size, more = size + len(part.get("body", b"")), part.get("more_body", False)
        self.received.append(size)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
async def site() -> Site:
    return Site()


def send(site: Site, path: str, body: bytes, **headers: str) -> ServerConnection:
    """Send a request as it arrives from the network, as far as the server reads it."""
    line = ServerConnection(site)
    data = http_request("POST", path, body, **headers)
    for start in range(0, len(data), READ_BYTES):
        if line.received:
            break
        line.send(data[start : start + READ_BYTES])
    return line


def status(line: ServerConnection) -> int:
    return int(line.received.split()[1]) if line.received else 0


def resident_megabytes() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / 1e6


async def test_300_whole_bodies_of_one_address_take_little_memory(site: Site, settings: Settings) -> None:
    settings.PLACES = site_settings.PLACES
    await send(site, "/play/", LARGE).receive_until(b"413")  # loads the templates
    before = resident_megabytes()
    lines = [send(site, UPLOAD, LARGE) for _ in range(300)]
    await asyncio.sleep(0.01)
    assert resident_megabytes() - before < 30
    assert [status(line) for line in lines] == [0] * 4 + [429] * 296
    site.may.set()
    for line in lines[:4]:
        await line.receive_until(b"ok")
    assert site.received == [len(LARGE)] * 4


async def test_place_of_a_large_body_is_free_again_after_the_answer_or_a_lost_connection(
    site: Site, settings: Settings
) -> None:
    settings.PLACES = {"bodies": parse_place_limits("1 address")}
    lost = ServerConnection(site)
    lost.send(http_request("POST", UPLOAD, LARGE)[:-1])
    assert status(send(site, UPLOAD, LARGE)) == 429
    await lost.disconnect()
    answered = send(site, UPLOAD, LARGE)
    assert status(send(site, UPLOAD, LARGE)) == 429
    site.may.set()
    await answered.receive_until(b"ok")
    await send(site, UPLOAD, LARGE).receive_until(b"ok")


async def test_place_of_a_large_body_is_taken_while_its_application_waits_without_a_connection(
    site: Site, settings: Settings
) -> None:
    settings.PLACES = {"bodies": parse_place_limits("1 address")}
    lost = send(site, UPLOAD, LARGE)
    hanging_up = asyncio.create_task(lost.disconnect())
    await asyncio.sleep(0.01)
    assert status(send(site, UPLOAD, LARGE)) == 429
    site.may.set()
    await hanging_up
    await send(site, UPLOAD, LARGE).receive_until(b"ok")


async def test_only_an_upload_may_be_larger_than_a_form(site: Site, settings: Settings) -> None:
    site.may.set()
    form = b"x" * settings.FORM_BYTES
    for path in ("/play/", f"{UPLOAD}?next=/", "/review/import/other/"):
        assert (await send(site, path, form).receive_until(b"ok")).startswith(b"HTTP/1.1 200")
    await send(site, f"{UPLOAD}?next=/", form + b"x").receive_until(b"ok")
    for path in ("/play/", "/review/import/other/", f"/play/?{UPLOAD}"):
        line = send(site, path, form + b"x")
        assert status(line) == 413
        assert "at most 64.0\xa0KB".encode() in line.received


def test_pages_with_large_forms_exist() -> None:
    assert {reverse("review-import")} == site_settings.UPLOAD_PATHS


async def test_body_in_chunks_is_refused_before_it_is_read(site: Site) -> None:
    line = ServerConnection(site)
    chunks = http_request("POST", UPLOAD, Transfer_Encoding="chunked") + b"1\r\nx\r\n" * 100_000
    begun = time.thread_time()
    for start in range(0, len(chunks), READ_BYTES):
        line.send(chunks[start : start + READ_BYTES])
    assert time.thread_time() - begun < 0.05
    assert status(line) == 411
    assert site.received == []


async def test_request_for_a_socket_has_no_body(site: Site) -> None:
    line = ServerConnection(site)
    line.send(websocket_request(UPLOAD, Content_Length="100000"))
    assert status(line) == 400


async def test_form_gets_through_while_its_address_sends_many_slow_ones(
    site: Site, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "MAX_INCOMPLETE", 2)
    settings.BEHIND_PROXY = True
    form = http_request("POST", "/play/", b"a=1", X_Forwarded_For="192.0.2.1")
    slow = [ServerConnection(site) for _ in range(3)]
    for line in slow[:2]:
        line.send(form[:-1])
    elsewhere = ServerConnection(site)
    elsewhere.send(form.replace(b"192.0.2.1", b"192.0.2.2"))
    assert [status(line) for line in slow[:2]] == [0, 0]
    slow[2].send(form[:-1])
    assert [status(line) for line in slow] == [429, 0, 0]
    assert slow[0].closed
    site.may.set()
    for line in (*slow[1:], elsewhere):
        line.send(form[-1:] if line is not elsewhere else b"")
        await line.receive_until(b"ok")
    assert http.incomplete_bodies().requests == {}
