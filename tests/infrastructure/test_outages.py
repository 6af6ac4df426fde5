"""Faults of the database and of Redis are told from bugs, and logged once for all who meet them."""

from __future__ import annotations

import logging
from typing import Any, cast

import pytest
import redis.exceptions
from django.db import IntegrityError, InterfaceError, OperationalError, ProgrammingError
from django.test import AsyncClient, Client

from infrastructure import outages


def test_outages_are_distinguished_from_bugs() -> None:
    for error, of in [
        (OperationalError("database is locked"), "database"),
        (OperationalError("database or disk is full"), "database"),
        (OperationalError("couldn't get a connection after 4.00 sec"), "database"),
        (OperationalError("the connection is closed"), "database"),
        (InterfaceError("connection already closed"), "database"),
        (redis.exceptions.ConnectionError("Error 111 connecting"), "redis"),
        (redis.exceptions.TimeoutError("Timeout reading"), "redis"),
        (OperationalError("no such table: games_match"), ""),
        (OperationalError('near "SELCT": syntax error'), ""),
        (OperationalError("user-defined function raised exception"), ""),
        (ProgrammingError("syntax"), ""),
        (IntegrityError("UNIQUE"), ""),
        (RuntimeError("planted"), ""),
    ]:
        assert outages.failed_service(error) == of
        assert outages.is_outage(error) == bool(of)


def test_outage_is_logged_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fault = outages.OutageLog("database")
    for number in range(500):
        fault.record(OperationalError("database is locked"), now=1000 + number / 10)
    assert [logged_event(record)["not_logged"] for record in caplog.records] == [0]
    fault.record(OperationalError("database is locked"), now=1061)
    fault.record(OperationalError("database is locked"), now=1062)
    assert [logged_event(record)["not_logged"] for record in caplog.records] == [0, 499]
    assert "Traceback" not in caplog.text


def logged_event(record: logging.LogRecord) -> dict[str, Any]:
    return cast(dict[str, Any], record.msg)


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the database away from the pages."""

    def broken(*_arguments: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("games.lobby.views.render", broken)
    outages.reset_logs()


@pytest.mark.django_db
class TestPages:
    def test_page_answers_503_with_a_retry_time(
        self, away: None, client: Client, caplog: pytest.LogCaptureFixture
    ) -> None:
        client.raise_request_exception = False
        answers = [client.get("/") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [503] * 3
        assert answers[0]["Retry-After"] == "5"
        assert "Your last action was not saved" in answers[0].content.decode()

    async def test_asynchronous_server_answers_503(self, away: None, async_client: AsyncClient) -> None:
        async_client.raise_request_exception = False
        assert (await async_client.get("/")).status_code == 503

    def test_bug_answers_500(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("games.lobby.views.render", lambda *_arguments: 1 / 0)
        client.raise_request_exception = False
        assert client.get("/").status_code == 500


def test_outages_logged_by_libraries_are_counted_and_dropped() -> None:
    outages.reset_logs()
    once, noted = outages.OutageLogFilter(), []

    def record(error: Exception | None) -> logging.LogRecord:
        info = (type(error), error, None) if error else None
        return logging.LogRecord("django.request", logging.ERROR, "", 0, "Internal Server Error: /", (), info)

    before = outages.OUTAGE_ERRORS.labels("database")._value.get()
    noted = [once.filter(record(error)) for error in (OperationalError("database is locked"), ValueError(), None)]
    assert noted == [False, True, True]
    assert outages.OUTAGE_ERRORS.labels("database")._value.get() == before + 1
