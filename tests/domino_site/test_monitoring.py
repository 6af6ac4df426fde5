"""/healthz and /metrics."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from datetime import timedelta
from math import inf
from pathlib import Path
from threading import Event

import pytest
from django.test import AsyncClient, Client
from django.utils import timezone
from prometheus_client import REGISTRY
from pytest_django import Settings

from domino_site import monitoring
from games.broadcast.database_threads import DATABASE_THREADS, in_database
from infrastructure import version
from infrastructure.health import clock_status
from infrastructure.limit_settings import parse_rate_limits
from tests.wire import ServerConnection, http_request

NO_CLOCK = {"clock": False, "clock_age_seconds": None}  # no process has ever run one


def test_healthy_site_answers_200(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"database": True, "layer": True} | NO_CLOCK)


@pytest.mark.parametrize(("age", "alive"), [(0.4, True), (7, True), (10.4, False), (3600, False)])
def test_dead_clock_is_reported_but_pages_stay_in_service(
    client: Client, monkeypatch: pytest.MonkeyPatch, age: float, alive: bool
) -> None:
    monkeypatch.setattr(clock_status(), "last_at", timezone.now() - timedelta(seconds=age))
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json()["clock"] is alive
    assert answer.json()["clock_age_seconds"] == pytest.approx(age, abs=5)
    assert REGISTRY.get_sample_value("dominoes_clock_age_seconds") == pytest.approx(age, abs=5)


def test_site_that_never_had_a_clock_exposes_an_infinite_age() -> None:
    assert REGISTRY.get_sample_value("dominoes_clock_age_seconds") == inf


def test_version_is_exposed() -> None:
    version.publish_build_info()
    labels = {"version": version.version(), "revision": version.revision()}
    assert REGISTRY.get_sample_value("dominoes_build_info", labels) == 1
    assert re.fullmatch(r"\d+\.\d+\.\d+", labels["version"])


def test_release_file_names_the_revision(tmp_path: Path) -> None:
    assert version.read_revision(tmp_path) == "unknown"
    (tmp_path / version.RELEASE_FILE).write_text("2026-11-27\n")
    assert version.read_revision(tmp_path) == "2026-11-27"


def test_failing_part_is_named(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken() -> None:
        raise ConnectionError

    monkeypatch.setattr(monitoring, "ping_channel_layer", broken)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"database": True, "layer": False} | NO_CLOCK)


def test_lasting_failure_is_logged_once(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise ConnectionError

    assert client.get("/healthz").status_code == 200
    with monkeypatch.context() as patch:
        patch.setattr(monitoring, "ping_channel_layer", broken)
        assert [client.get("/healthz").status_code for _ in range(3)] == [503] * 3
    assert len(caplog.records) == 1
    assert client.get("/healthz").status_code == 200
    monkeypatch.setattr(monitoring, "ping_channel_layer", broken)
    client.get("/healthz")
    assert len(caplog.records) == 2


@pytest.fixture
def locked_database(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """A database that takes a question and gives no answer until the event is set."""
    going_on, ask = Event(), monitoring.query_database
    monkeypatch.setattr(monitoring, "CHECK_TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr(monitoring, "query_database", lambda: going_on.wait(20) and ask())
    yield going_on
    going_on.set()


async def test_hanging_database_is_reported_without_blocking_pages(locked_database: Event) -> None:
    begun = time.monotonic()
    answers = await asyncio.gather(*[AsyncClient().get("/healthz") for _ in range(3)])
    assert {(answer.status_code, answer.json()["database"]) for answer in answers} == {(503, False)}
    assert time.monotonic() - begun < 2
    locked_database.set()
    while (await AsyncClient().get("/healthz")).status_code == 503:
        assert time.monotonic() - begun < 20


async def test_site_with_only_busy_database_threads_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "CHECK_TIMEOUT_SECONDS", 0.5)
    going_on = Event()
    work = [asyncio.create_task(in_database(going_on.wait, 20)) for _ in range(DATABASE_THREADS)]
    try:
        answer = await AsyncClient().get("/healthz")
        assert (answer.status_code, answer.json()) == (503, {"database": False, "layer": True} | NO_CLOCK)
    finally:
        going_on.set()
    await asyncio.gather(*work)
    begun = time.monotonic()
    while (await AsyncClient().get("/healthz")).status_code == 503:
        assert time.monotonic() - begun < 20


def test_metrics_are_open_to_the_machine_in_development(client: Client) -> None:
    client.get("/healthz")
    text = client.get("/metrics").content.decode()
    assert 'dominoes_http_responses_total{page="healthz",status="200"}' in text


@pytest.mark.parametrize(
    ("token", "header", "status"),
    [("abc", "Bearer abc", 200), ("abc", "Bearer abd", 404), ("abc", "", 404), ("", "", 404)],
)
def test_in_production_only_the_token_opens_the_metrics(
    client: Client, settings: Settings, token: str, header: str, status: int
) -> None:
    settings.PRODUCTION, settings.METRICS_TOKEN = True, token
    assert client.get("/metrics", headers={"Authorization": header}).status_code == status


def test_metrics_are_closed_to_strangers(client: Client) -> None:
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.1").status_code == 404


HOSTS = ["10.0.3.7:8000", "localhost", "evil.example", ""]


@pytest.fixture
def in_production(settings: Settings) -> None:
    settings.PRODUCTION, settings.ALLOWED_HOSTS, settings.METRICS_TOKEN = True, ["dominoes.example"], "abc"


@pytest.mark.usefixtures("in_production")
@pytest.mark.parametrize("host", HOSTS)
async def test_probes_are_answered_for_any_host(host: str) -> None:
    for method in ("GET", "HEAD"):
        answer = await ServerConnection().exchange(http_request(method, "/healthz", Host=host))
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert (b'\r\n\r\n{"database": true, "layer": true, "clock": ' in answer) == (method == "GET")
    metrics = await ServerConnection().exchange(http_request("GET", "/metrics", Host=host, Authorization="Bearer abc"))
    assert metrics.startswith(b"HTTP/1.1 200 ")
    assert b"dominoes_http_responses_total" in metrics


@pytest.mark.usefixtures("in_production")
async def test_probe_without_a_host_is_answered() -> None:
    assert (await ServerConnection().exchange(b"GET /healthz HTTP/1.0\r\n\r\n")).split()[1] == b"200"


@pytest.mark.usefixtures("in_production")
async def test_probe_answers_while_its_address_waits_for_a_page(settings: Settings) -> None:
    settings.PLACES = {"pages": {"address": 0}}
    assert (await ServerConnection().exchange(http_request("GET", "/healthz"))).startswith(b"HTTP/1.1 200 ")


async def test_flood_of_probes_is_limited_like_pages(settings: Settings) -> None:
    settings.RATES = settings.RATES | {"pages": parse_rate_limits("2+1/h address")}
    statuses = [(await ServerConnection().exchange(http_request("GET", "/healthz"))).split()[1] for _ in range(3)]
    assert statuses == [b"200", b"200", b"429"]


@pytest.mark.usefixtures("in_production")
@pytest.mark.parametrize(("method", "path"), [("GET", "/metrics"), ("POST", "/healthz"), ("GET", "/rules/")])
async def test_other_pages_check_the_host(method: str, path: str) -> None:
    assert (await ServerConnection().exchange(http_request(method, path, Host="evil.example"))).split()[1] in (
        b"400",
        b"301",
    )
