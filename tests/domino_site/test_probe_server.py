"""The health address and the metrics of a process without a web server."""

from __future__ import annotations

import asyncio
import time

import pytest
from pytest_django import Settings

from domino_site.probe_server import MAX_HEAD_BYTES, serve_probes
from infrastructure import health
from infrastructure.health import clock_status
from tests.server import free_port
from tests.wire import http_request

pytestmark = pytest.mark.django_db(transaction=True)


async def exchange(*requests: bytes) -> list[bytes]:
    """Send each request over a connection of its own and return the answers."""
    port = free_port()
    answers = []
    async with serve_probes("127.0.0.1", port):
        for request in requests:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            async with asyncio.timeout(10):
                answers.append(await reader.read())
            writer.close()
    return answers


async def test_health_and_metrics_are_served(settings: Settings) -> None:
    settings.PRODUCTION, settings.ALLOWED_HOSTS, settings.METRICS_TOKEN = True, ["dominoes.example"], "abc"
    whole, head, metrics, closed, page, posted = await exchange(
        http_request("GET", "/healthz?from=monitor", Host="10.0.0.1:9001"),
        http_request("HEAD", "/healthz"),
        http_request("GET", "/metrics", Authorization="Bearer abc"),
        http_request("GET", "/metrics", Authorization="Bearer abd"),
        http_request("GET", "/"),
        http_request("POST", "/healthz"),
    )
    assert whole.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b'\r\n\r\n{"database": true, "layer": true, "clock": ' in whole
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert head.endswith(b"\r\n\r\n")
    assert b"\ndominoes_clock_age_seconds " in metrics
    assert [answer.split()[1] for answer in (closed, page, posted)] == [b"404"] * 3


async def test_nonsense_ends_the_connection() -> None:
    assert await exchange(b"nonsense\r\n\r\n", b"GET /healthz" + b"x" * 2 * MAX_HEAD_BYTES + b"\r\n\r\n") == [b"", b""]


async def test_hanging_clock_of_this_process_answers_503(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_status(), "passed_at", time.monotonic())
    assert (await exchange(http_request("GET", "/healthz")))[0].split()[1] == b"200"
    monkeypatch.setattr(clock_status(), "passed_at", time.monotonic() - health.PASS_OVERDUE_SECONDS - 1)
    (answer,) = await exchange(http_request("GET", "/healthz"))
    assert answer.split()[1] == b"503"
    assert b'"clock": false' in answer
