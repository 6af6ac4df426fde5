"""/healthz and /metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from threading import Event

import pytest
from django.test import AsyncClient, Client
from pytest_django import Settings

from domino_site import monitoring

pytestmark = pytest.mark.django_db


def test_a_healthy_site_says_so(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"database": True, "layer": True})


def test_a_part_that_fails_is_named(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken() -> None:
        raise ConnectionError

    monkeypatch.setattr(monitoring, "layer_answers", broken)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"database": True, "layer": False})


def test_a_part_that_stays_down_is_one_line_of_the_log(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise ConnectionError

    assert client.get("/healthz").status_code == 200
    with monkeypatch.context() as patch:
        patch.setattr(monitoring, "layer_answers", broken)
        assert [client.get("/healthz").status_code for _ in range(3)] == [503] * 3
    assert len(caplog.records) == 1
    assert client.get("/healthz").status_code == 200
    monkeypatch.setattr(monitoring, "layer_answers", broken)
    client.get("/healthz")
    assert len(caplog.records) == 2


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """A database that takes a question and gives no answer until the event is set."""
    going_on, ask = Event(), monitoring.ask_database
    monkeypatch.setattr(monitoring, "CHECK_SECONDS", 0.2)
    monkeypatch.setattr(monitoring, "ask_database", lambda: going_on.wait(20) and ask())
    yield going_on
    going_on.set()


async def test_a_database_that_is_held_is_down_at_once_and_nobody_else_waits(held: Event) -> None:
    begun = time.monotonic()
    answers = await asyncio.gather(*[AsyncClient().get("/healthz") for _ in range(3)])
    assert {(answer.status_code, answer.json()["database"]) for answer in answers} == {(503, False)}
    assert time.monotonic() - begun < 2
    held.set()
    while (await AsyncClient().get("/healthz")).status_code == 503:
        assert time.monotonic() - begun < 20


def test_the_machine_itself_reads_the_metrics_in_development(client: Client) -> None:
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


def test_strangers_do_not_read_the_metrics(client: Client) -> None:
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.1").status_code == 404
