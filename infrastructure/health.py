"""Checks that other modules register for ``/healthz``, and the age of the clock.

The module that owns a resource registers its check.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from math import inf

from django.utils import timezone
from prometheus_client import Gauge

from infrastructure.runtime import PerProcess

Check = Callable[[], Awaitable[object]]
_database_checks: list[Check] = []


def register_database_check(check: Check) -> Check:
    """Add a check that raises an exception if its connection to the database does not work."""
    _database_checks.append(check)
    return check


async def check_database() -> None:
    """Run all registered checks at the same time. Raises the exception of the first that fails."""
    await asyncio.gather(*(check() for check in _database_checks))


# A clock writes a heartbeat once a second. After this time without one, it is dead or cannot reach the database.
CLOCK_DEAD_AFTER = timedelta(seconds=10)
# A scheduler that completes no pass for this time hangs. A pass after an outage takes seconds.
PASS_OVERDUE_SECONDS = 30.0
CLOCK_AGE = Gauge("dominoes_clock_age_seconds", "Seconds since the last heartbeat of any process that runs the clock")


class ClockStatus:
    """The last heartbeat of any clock, as the heartbeat of this process read it, and the clock of this process."""

    last_at: datetime | None = None
    # The end of the last complete pass of the scheduler of this process, by the monotonic clock; None without one.
    passed_at: float | None = None

    def age(self) -> float:
        """Return the seconds since the last heartbeat of a clock, infinity before the first one."""
        return inf if self.last_at is None else max(0.0, (timezone.now() - self.last_at).total_seconds())

    def is_alive(self) -> bool:
        return self.age() <= CLOCK_DEAD_AFTER.total_seconds()

    def is_hanging(self) -> bool:
        """Return True if this process runs a clock that has not completed a pass for a while."""
        return self.passed_at is not None and time.monotonic() - self.passed_at > PASS_OVERDUE_SECONDS


clock_status = PerProcess(ClockStatus)
CLOCK_AGE.set_function(lambda: clock_status().age())
