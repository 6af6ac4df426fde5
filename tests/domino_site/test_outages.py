"""Faults of the database and of Redis are told from bugs, and logged once for all who meet them."""

from __future__ import annotations

import pytest
import redis.exceptions
from django.db import IntegrityError, InterfaceError, OperationalError, ProgrammingError

from domino_site import outages


@pytest.mark.parametrize(
    ("error", "of"),
    [
        (OperationalError("database is locked"), "database"),
        (OperationalError("database or disk is full"), "database"),
        (OperationalError("couldn't get a connection after 4.00 sec"), "database"),
        (OperationalError("the connection is closed"), "database"),
        (InterfaceError("connection already closed"), "database"),
        (redis.exceptions.ConnectionError("Error 111 connecting"), "redis"),
        (redis.exceptions.TimeoutError("Timeout reading"), "redis"),
        (OperationalError("no such table: games_match"), ""),
        (OperationalError('near "SELCT": syntax error'), ""),
        (ProgrammingError("syntax"), ""),
        (IntegrityError("UNIQUE"), ""),
        (RuntimeError("planted"), ""),
    ],
)
def test_a_fault_of_the_infrastructure_is_no_bug(error, of):
    assert outages.fault_of(error) == of
    assert outages.is_outage(error) == bool(of)


def test_a_fault_is_one_line_however_many_meet_it_and_one_a_minute_while_it_lasts(caplog):
    fault = outages.Fault("database")
    for number in range(500):
        fault.meet(OperationalError("database is locked"), now=1000 + number / 10)
    assert [record.msg["met_since"] for record in caplog.records] == [0]
    fault.meet(OperationalError("database is locked"), now=1061)
    fault.meet(OperationalError("database is locked"), now=1062)
    assert [record.msg["met_since"] for record in caplog.records] == [0, 499]
    assert "Traceback" not in caplog.text
