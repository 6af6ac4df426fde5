"""What ``/healthz`` reports besides its own checks: the database of other modules, and the age of the clock.

The module that owns a resource registers its check.
"""

from __future__ import annotations

import asyncio
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
CLOCK_AGE = Gauge("dominoes_clock_age_seconds", "Seconds since the last heartbeat of any process that runs the clock")


class ClockStatus:
    """The last heartbeat of a clock, as the heartbeat of this process read it."""

    last_at: datetime | None = None

    def age(self) -> float:
        """Return the seconds since the last heartbeat of a clock, infinity before the first one."""
        return inf if self.last_at is None else max(0.0, (timezone.now() - self.last_at).total_seconds())

    def is_alive(self) -> bool:
        return self.age() <= CLOCK_DEAD_AFTER.total_seconds()


clock_status = PerProcess(ClockStatus)
CLOCK_AGE.set_function(lambda: clock_status().age())
