"""Faults of what the site stands on, the database and Redis: told from bugs, and logged once for all who meet them.

Such a fault is nobody's error and goes away by itself: a browser that meets one is told to try again and comes back.
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
MET = Counter("dominoes_outages_total", "Acts that met a fault of the database or of Redis", ["of"])
QUIET_SECONDS = 60.0
"""A fault that is met again within so long is the same one; one that lasts is told of again so often."""
BUGS = ("no such ", "has no column", "near ")
"""SQLite tells of wrong statements, too, by an OperationalError."""


class Fault:
    """What is known of the faults of the database, or of Redis."""

    def __init__(self, of: str) -> None:
        self.of = of
        self.told_at = -QUIET_SECONDS
        self.met_since = 0

    def meet(self, error: BaseException, now: float) -> None:
        """Count an act that met it, and log the first, and one a minute with how many there were since."""
        MET.labels(self.of).inc()
        if now < self.told_at + QUIET_SECONDS:
            self.met_since += 1
            return
        log.error("outage", of=self.of, error=f"{type(error).__name__}: {error}".strip(), met_since=self.met_since)
        self.told_at, self.met_since = now, 0


DATABASE, REDIS = "database", "redis"
_faults = {name: Fault(name) for name in (DATABASE, REDIS)}


def fault_of(error: BaseException) -> str:
    """Return whose fault an error is: ``DATABASE``, ``REDIS``, or "" for ours."""
    if isinstance(error, RedisConnectionError | RedisTimeoutError):
        return REDIS
    if isinstance(error, InterfaceError):
        return DATABASE
    if isinstance(error, OperationalError) and not str(error).startswith(BUGS):
        return DATABASE
    return ""


def is_outage(error: BaseException) -> bool:
    """Return whether an error is a fault of what the site stands on, and note it if so."""
    fault = fault_of(error)
    if fault:
        _faults[fault].meet(error, time.monotonic())
    return bool(fault)


class OncePerFault(logging.Filter):
    """Drops what libraries log of an exception that is such a fault: it is noted like all others."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return error is None or not is_outage(error)


def forget() -> None:
    """Take the next fault for a new one."""
    for fault in _faults.values():
        fault.told_at, fault.met_since = -QUIET_SECONDS, 0
