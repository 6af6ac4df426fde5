"""Gauges that need the database: computed at a scrape of the metrics, at most every few seconds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from infrastructure.outages import is_outage
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
CACHE_SECONDS = 10.0
TIMEOUT_SECONDS = 1.5

Refresh = Callable[[], Awaitable[object]]
_refreshes: list[Refresh] = []


class LastRefresh:
    at = -CACHE_SECONDS  # by the monotonic clock


last_refresh = PerProcess(LastRefresh)


def refresh_at_scrape(function: Refresh) -> Refresh:
    """Call a function before a scrape. If it fails, the scrape goes on without it."""
    _refreshes.append(function)
    return function


async def refresh_gauges() -> None:
    """Bring the registered gauges up to date, unless they were computed a moment ago."""
    if time.monotonic() < last_refresh().at + CACHE_SECONDS:
        return
    last_refresh().at = time.monotonic()
    for refresh in _refreshes:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await refresh()
        except TimeoutError:
            log.warning("metrics_not_refreshed")
        except Exception as error:
            if not is_outage(error):
                log.exception("metrics_not_refreshed")
