"""The heartbeat of a process: writes once a second that the process is on time."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime

import structlog
from django.utils import timezone
from prometheus_client import Histogram

from games.broadcast.database_threads import in_database
from games.models import SiteHeartbeat
from games.presence.lost_connections import lost_connections
from games.services import downtime
from games.services.downtime import LATE_AFTER, Role
from infrastructure.health import clock_status
from infrastructure.outages import is_outage
from infrastructure.runtime import Runtime

log = structlog.get_logger()
INTERVAL_SECONDS = 1.0
LOOP_LAG = Histogram(
    "dominoes_loop_lag_seconds",
    "How late the event loop is, measured once a second",
    buckets=(0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 3, 10),
)


class Heartbeat:
    """Runs in the event loop of the process: when the loop stops, so does the heartbeat."""

    def __init__(self, *roles: Role) -> None:
        self.roles = roles
        self.last_written_at: datetime | None = None
        self.started = False

    async def run(self) -> None:
        Runtime.current.attach_loop()
        while True:
            await self.write()
            started_at = time.monotonic()
            await asyncio.sleep(INTERVAL_SECONDS)
            LOOP_LAG.observe(max(0.0, time.monotonic() - started_at - INTERVAL_SECONDS))

    async def write(self) -> None:
        """Write one heartbeat; none while the database is unavailable."""
        try:
            lost_since = lost_connections().mass_loss_since(timezone.now())
            self.last_written_at = await in_database(
                _write_heartbeat, self.roles, is_startup=not self.started, lost_since=lost_since
            )
            self.started = True
        except Exception as error:
            if not is_outage(error):
                log.exception("heartbeat_failed")

    def is_on_time(self, now: datetime) -> bool:
        """Return True if this process may enforce deadlines: time counts, and its last heartbeat was on time."""
        return self.last_written_at is not None and now - self.last_written_at <= LATE_AFTER


def _write_heartbeat(roles: tuple[Role, ...], *, is_startup: bool, lost_since: datetime | None) -> datetime | None:
    """Return the time of the heartbeat, None if time does not count."""
    now = timezone.now()
    time_counts = downtime.write_heartbeat(roles, now=now, is_startup=is_startup, lost_since=lost_since)
    clock_status().last_at = SiteHeartbeat.objects.values_list("clock_at", flat=True).first()
    return now if time_counts else None
