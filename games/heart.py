"""The heart of a process: once a second it says that the process is on time, and finds out when it was not."""

from __future__ import annotations

import asyncio
from datetime import datetime

import structlog
from django.utils import timezone

from domino_site.outages import is_outage
from games import live
from games.offload import in_database
from games.services import timekeeping
from games.services.timekeeping import LATE, Role

log = structlog.get_logger()
SECONDS = 1.0


class Heart:
    """Run it with ``run`` beside all else in the event loop: where that is stopped, the heart is."""

    def __init__(self, *roles: Role) -> None:
        self.roles = roles
        self.beaten_at: datetime | None = None

    async def run(self) -> None:
        live.attach()
        while True:
            await self.beat()
            await asyncio.sleep(SECONDS)

    async def beat(self) -> None:
        """Beat once; without the database the heart stands still."""
        try:
            self.beaten_at = await in_database(_beat, self.roles)
        except Exception as error:
            if not is_outage(error):
                log.exception("heart_failed")

    def is_on_time(self, now: datetime) -> bool:
        """Tell whether this process may let deadlines pass: time counts, and the last beat was a moment ago."""
        return self.beaten_at is not None and now - self.beaten_at <= LATE


def _beat(roles: tuple[Role, ...]) -> datetime | None:
    """Return when the heart beat, None if time does not count."""
    now = timezone.now()
    return now if timekeeping.beat(roles, now=now) else None
