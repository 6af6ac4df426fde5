"""Database work of the sockets and the loop, on threads of its own.

SQLite gets one thread with one lasting connection: it has one writer anyway, and this way nobody waits for a lock.
PostgreSQL gets a few, as many transactions at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections, connection

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 1 if settings.ON_SQLITE else 4


def _keep_connection() -> None:
    """Let this thread's connection last on SQLite, as long as it works."""
    if settings.ON_SQLITE:
        connection.settings_dict = connection.settings_dict | {"CONN_MAX_AGE": None}


_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="database", initializer=_keep_connection)


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the database, and wait for it without blocking the event loop."""
    work = partial(_with_connection, partial(function, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_threads, work)


def _with_connection(work: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return work()
    finally:
        close_old_connections()
