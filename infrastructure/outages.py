"""Outages of the database and of Redis: told apart from bugs, and logged once instead of for everybody they affect.

An outage ends without a change of ours: browsers are told to try again, and reconnect.
"""

from __future__ import annotations

import logging
import time

import structlog
from django.db import InterfaceError, OperationalError
from prometheus_client import Counter
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

log = structlog.get_logger()
MET = Counter("dominoes_outages_total", "Operations that failed by a fault of the database or of Redis", ["of"])
DEADLOCKS = Counter(
    "dominoes_deadlocks_total", "Transactions that PostgreSQL ended because they waited for each other"
)
QUIET_SECONDS = 60.0  # an outage is logged once within this time
# SQLite raises OperationalError for wrong statements, too, and for a pattern that is no regular expression.
BUGS = ("no such ", "has no column", "near ", "user-defined function")

# What PostgreSQL calls errors (https://www.postgresql.org/docs/current/errcodes-appendix.html)
LOCK_TIMEOUT, DEADLOCK, IDLE_IN_TRANSACTION = "55P03", "40P01", "25P03"


class Fault:
    """The outages of the database, or of Redis."""

    def __init__(self, of: str) -> None:
        self.of = of
        self.told_at = -QUIET_SECONDS
        self.met_since = 0

    def meet(self, error: BaseException, now: float) -> None:
        """Count an error, and log the first and then one a minute, with the number since."""
        MET.labels(self.of).inc()
        if now < self.told_at + QUIET_SECONDS:
            self.met_since += 1
            return
        log.error("outage", of=self.of, error=f"{type(error).__name__}: {error}".strip(), met_since=self.met_since)
        self.told_at, self.met_since = now, 0


DATABASE, REDIS = "database", "redis"
_faults = {name: Fault(name) for name in (DATABASE, REDIS)}


def sqlstate_of(error: BaseException) -> str:
    """Return the code that PostgreSQL gave an error, "" without one."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def fault_of(error: BaseException) -> str:
    """Return what is out: ``DATABASE``, ``REDIS``, or "" if the error is a bug."""
    if isinstance(error, RedisConnectionError | RedisTimeoutError):
        return REDIS
    if isinstance(error, InterfaceError) or sqlstate_of(error) == IDLE_IN_TRANSACTION:
        return DATABASE
    if isinstance(error, OperationalError) and not str(error).startswith(BUGS):
        return DATABASE
    return ""


def is_contention(error: BaseException) -> bool:
    """Return whether the database works, but another transaction held what this one needed."""
    return sqlstate_of(error) in (LOCK_TIMEOUT, DEADLOCK)


def is_outage(error: BaseException) -> bool:
    """Return whether an error is temporary, so that another try may succeed, and record it if so."""
    if sqlstate_of(error) == DEADLOCK:
        DEADLOCKS.inc()
        log.warning("deadlock")
        return True
    fault = fault_of(error)
    if fault:
        _faults[fault].meet(error, time.monotonic())
    return bool(fault)


class OncePerFault(logging.Filter):
    """Drops log records of libraries about outages, which are recorded here."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return error is None or not is_outage(error)


def forget() -> None:
    """Treat the next error as a new outage."""
    for fault in _faults.values():
        fault.told_at, fault.met_since = -QUIET_SECONDS, 0
