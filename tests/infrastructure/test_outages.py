"""Faults of the database and of Redis are told from bugs, and logged once for all who meet them."""

from __future__ import annotations

import logging
from typing import Any, cast

import pytest
import redis.exceptions
from django.db import IntegrityError, InterfaceError, OperationalError, ProgrammingError
from django.test import AsyncClient, Client

from infrastructure import outages


def test_a_fault_of_the_infrastructure_is_no_bug() -> None:
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
        assert outages.fault_of(error) == of
        assert outages.is_outage(error) == bool(of)


def test_a_fault_is_one_line_however_many_meet_it_and_one_a_minute_while_it_lasts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fault = outages.OutageLog("database")
    for number in range(500):
        fault.record(OperationalError("database is locked"), now=1000 + number / 10)
    assert [told(record)["not_logged"] for record in caplog.records] == [0]
    fault.record(OperationalError("database is locked"), now=1061)
    fault.record(OperationalError("database is locked"), now=1062)
    assert [told(record)["not_logged"] for record in caplog.records] == [0, 499]
    assert "Traceback" not in caplog.text


def told(record: logging.LogRecord) -> dict[str, Any]:
    return cast(dict[str, Any], record.msg)


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the database away from the pages."""

    def broken(*_arguments: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("games.lobby.views.render", broken)
    outages.forget()


@pytest.mark.django_db
class TestPages:
    def test_a_page_says_so_and_when_to_come_back_and_no_traceback_stands_in_the_log(
        self, away: None, client: Client, caplog: pytest.LogCaptureFixture
    ) -> None:
        client.raise_request_exception = False
        answers = [client.get("/") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [503] * 3
        assert answers[0]["Retry-After"] == "5"
        assert "Your last action changed nothing" in answers[0].content.decode()

    async def test_an_asynchronous_server_says_so_too(self, away: None, async_client: AsyncClient) -> None:
        async_client.raise_request_exception = False
        assert (await async_client.get("/")).status_code == 503

    def test_a_bug_is_an_error_of_ours(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("games.lobby.views.render", lambda *_arguments: 1 / 0)
        client.raise_request_exception = False
        assert client.get("/").status_code == 500


def test_what_libraries_log_of_a_fault_is_noted_and_dropped() -> None:
    outages.forget()
    once, noted = outages.OncePerFault(), []

    def record(error: Exception | None) -> logging.LogRecord:
        info = (type(error), error, None) if error else None
        return logging.LogRecord("django.request", logging.ERROR, "", 0, "Internal Server Error: /", (), info)

    before = outages.ERRORS.labels("database")._value.get()
    noted = [once.filter(record(error)) for error in (OperationalError("database is locked"), ValueError(), None)]
    assert noted == [False, True, True]
    assert outages.ERRORS.labels("database")._value.get() == before + 1
