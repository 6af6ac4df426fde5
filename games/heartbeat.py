"""The heartbeat of a process: writes once a second that the process is on time."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from datetime import datetime
from typing import Any

import structlog
from channels.layers import get_channel_layer
from django.utils import timezone
from prometheus_client import Histogram

from games.broadcast.database_threads import in_database
from games.models import SiteHeartbeat
from games.presence.lost_connections import lost_connections
from games.services import downtime
from games.services.downtime import LATE_AFTER, Role
from games.site_processes import process_report
from games.site_switches import Switches, current_switches, read_switches
from infrastructure.health import clock_status
from infrastructure.outages import is_outage
from infrastructure.runtime import Runtime

log = structlog.get_logger()
INTERVAL_SECONDS = 1.0
SITE_CHANGED: dict[str, Any] = {"type": "site.changed"}
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
        self.shown_switches = Switches()
        self.showing: asyncio.Task[None] | None = None  # the event loop itself keeps no reference

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
            self.show_switches()
            if await in_database(process_report().exchange, self.roles, timezone.now()):
                # As the service manager does: moves in progress are finished, and sockets get a code for coming back.
                log.info("ended_by_operator")
                os.kill(os.getpid(), signal.SIGTERM)
        except Exception as error:
            if not is_outage(error):
                log.exception("heartbeat_failed")

    def show_switches(self) -> None:
        """Show the switches on the open pages of this process when an operator has changed them.

        The heartbeat does not wait for thousands of pages: while moves are made, they get the message in batches.
        """
        before, self.shown_switches = self.shown_switches, current_switches()
        if self.shown_switches != before:
            layer: Any = get_channel_layer()  # only the layers of this site have ``send_to_everybody``
            self.showing = asyncio.create_task(layer.send_to_everybody(SITE_CHANGED))

    def is_on_time(self, now: datetime) -> bool:
        """Return True if this process may enforce deadlines: time counts, and its last heartbeat was on time."""
        return self.last_written_at is not None and now - self.last_written_at <= LATE_AFTER


def _write_heartbeat(roles: tuple[Role, ...], *, is_startup: bool, lost_since: datetime | None) -> datetime | None:
    """Return the time of the heartbeat, None if time does not count."""
    now = timezone.now()
    clocks_stopped = read_switches().clocks_stopped
    time_counts = downtime.write_heartbeat(
        roles, now=now, is_startup=is_startup, lost_since=lost_since, clocks_stopped=clocks_stopped
    )
    clock_status().last_at = SiteHeartbeat.objects.values_list("clock_at", flat=True).first()
    return now if time_counts else None
