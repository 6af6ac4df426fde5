"""Database work of the sockets and the scheduler, on threads of its own.

SQLite gets one thread with a persistent connection: it has one writer anyway, and this way nobody waits for a lock.
PostgreSQL gets a few threads, one for each transaction that runs at a time.

``database_sync_to_async`` of Channels would need 78 µs of CPU instead of 49 for a call, and a closing socket would
wait for its work in the database.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import OperationalError, close_old_connections, connection
from prometheus_client import Gauge

from games.broadcast import announcements
from infrastructure.health import register_database_check
from infrastructure.outages import DATABASE, failed_service, is_contention
from infrastructure.runtime import PerProcess

P = ParamSpec("P")
T = TypeVar("T")
DATABASE_THREADS = 1 if settings.ON_SQLITE else 4
FAILED_WAIT_SECONDS = 1.0  # a failure after a longer wait opens the breaker
BREAKER_OPEN_SECONDS = 1.0
FINISH_SECONDS = 5.0  # the longest wait for work in progress when the process stops


def _keep_connection() -> None:
    """Keep the connection of this thread open on SQLite, as long as it works."""
    if settings.ON_SQLITE:
        connection.settings_dict = connection.settings_dict | {"CONN_MAX_AGE": None}


_threads = ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="database", initializer=_keep_connection)


WAITING_WORK = Gauge(
    "dominoes_database_waiting", "Pieces of work of sockets and the clock that wait for a database thread"
)
WAITING_WORK.set_function(_threads._work_queue.qsize)


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the database, and wait for it without blocking the event loop."""
    work = partial(_with_connection, partial(function, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_threads, work)


async def finish_work() -> None:
    """Wait until the threads have finished their work and its announcements are sent, before the event loop ends."""
    idle = threading.Barrier(DATABASE_THREADS, timeout=FINISH_SECONDS)
    loop = asyncio.get_running_loop()
    # All threads meet at the barrier once each has finished the work before it. Its own timeout begins only then.
    waits = (loop.run_in_executor(_threads, idle.wait) for _thread in range(DATABASE_THREADS))
    await asyncio.wait([asyncio.gather(*waits, return_exceptions=True)], timeout=FINISH_SECONDS)
    await announcements.finish_sending()


class CircuitBreaker:
    """A circuit breaker: after work waited for the database and failed, the work behind it fails at once."""

    def __init__(self) -> None:
        self.open_until = 0.0

    def require_available(self) -> None:
        if time.monotonic() < self.open_until:
            raise OperationalError("the database was unavailable a moment ago")

    def record_failure(self, error: Exception, started_at: float) -> None:
        """Open for a moment if the work failed after a wait, except for a locked row: other work can continue."""
        now = time.monotonic()
        if now - started_at > FAILED_WAIT_SECONDS and failed_service(error) == DATABASE and not is_contention(error):
            self.open_until = now + BREAKER_OPEN_SECONDS


_breaker = PerProcess(CircuitBreaker)


def _with_connection(work: Callable[[], T]) -> T:
    breaker = _breaker()
    breaker.require_available()
    started_at = time.monotonic()
    close_old_connections()
    announcements.forget_unconfirmed()
    try:
        return work()
    except Exception as error:
        breaker.record_failure(error, started_at)
        if failed_service(error) == DATABASE and not is_contention(error):
            announcements.repeat_unconfirmed()
        raise
    finally:
        close_old_connections()


@register_database_check
async def check_threads() -> None:
    """Check that one of the threads is free and reaches the database."""
    await in_database(_open_database_connection)


def _open_database_connection() -> None:
    # Passing ``connection.ensure_connection`` itself would bind it to the caller's connection, which nobody closes.
    connection.ensure_connection()
