"""Outages of the database and of Redis: distinguished from bugs, and logged once instead of for everybody affected.

An outage ends without a change of the code, so browsers are asked to try again, and reconnect.
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
OUTAGE_ERRORS = Counter(
    "dominoes_outages_total", "Operations that failed by a fault of the database or of Redis", ["of"]
)
DEADLOCKS = Counter(
    "dominoes_deadlocks_total", "Transactions that PostgreSQL ended because they waited for each other"
)
LOG_INTERVAL_SECONDS = 60.0  # an outage is logged once within this time
# SQLite also raises OperationalError for wrong statements and for invalid regular expressions.
SQLITE_BUG_PREFIXES = ("no such ", "has no column", "near ", "user-defined function")

# Error codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html)
LOCK_TIMEOUT, DEADLOCK, IDLE_IN_TRANSACTION = "55P03", "40P01", "25P03"


class OutageLog:
    """Counts and logs the outages of the database, or of Redis."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.logged_at = -LOG_INTERVAL_SECONDS
        self.not_logged = 0

    def record(self, error: BaseException, now: float) -> None:
        """Count an error. Log the first and then one a minute, with the number of errors not logged."""
        OUTAGE_ERRORS.labels(self.service).inc()
        if now < self.logged_at + LOG_INTERVAL_SECONDS:
            self.not_logged += 1
            return
        log.error(
            "outage", of=self.service, error=f"{type(error).__name__}: {error}".strip(), not_logged=self.not_logged
        )
        self.logged_at, self.not_logged = now, 0


DATABASE, REDIS = "database", "redis"
for service in (DATABASE, REDIS):
    OUTAGE_ERRORS.labels(service)
_logs = {name: OutageLog(name) for name in (DATABASE, REDIS)}


def sqlstate_of(error: BaseException) -> str:
    """Return PostgreSQL's code of an error, "" without one."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def failed_service(error: BaseException) -> str:
    """Return the service that failed: ``DATABASE``, ``REDIS``, or "" if the error is a bug."""
    if isinstance(error, RedisConnectionError | RedisTimeoutError):
        return REDIS
    if isinstance(error, InterfaceError) or sqlstate_of(error) == IDLE_IN_TRANSACTION:
        return DATABASE
    if isinstance(error, OperationalError) and not str(error).startswith(SQLITE_BUG_PREFIXES):
        return DATABASE
    return ""


def is_contention(error: BaseException) -> bool:
    """Return True if the database works, but another transaction locked the rows that this one needed."""
    return sqlstate_of(error) in (LOCK_TIMEOUT, DEADLOCK)


def is_outage(error: BaseException) -> bool:
    """Return True if an error is temporary, so that another try may succeed, and record it."""
    if sqlstate_of(error) == DEADLOCK:
        DEADLOCKS.inc()
        log.warning("deadlock")
        return True
    service = failed_service(error)
    if service:
        _logs[service].record(error, time.monotonic())
    return bool(service)


class OutageLogFilter(logging.Filter):
    """Drops log records of libraries about outages, because this module logs them."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return error is None or not is_outage(error)


def reset_logs() -> None:
    """Treat the next error as a new outage."""
    for outages in _logs.values():
        outages.logged_at, outages.not_logged = -LOG_INTERVAL_SECONDS, 0
