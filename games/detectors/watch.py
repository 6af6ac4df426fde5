"""Looks at the matches that are over, one after the other, beside everything else."""

from __future__ import annotations

import asyncio

import structlog
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.detectors import looking
from infrastructure.outages import is_outage

log = structlog.get_logger()
SECONDS = 20.0
BETWEEN = 0.25
"""Between two matches the database is free for moves."""
AT_ONCE = 40


class Watch:
    """Run it with ``run``."""

    async def run(self) -> None:
        """Work until cancelled. What fails is logged; that match is not looked at again."""
        while True:
            try:
                await self.tick()
            except Exception as error:
                if not is_outage(error):
                    log.exception("watch_failed")
            await asyncio.sleep(SECONDS)

    async def tick(self) -> None:
        for match_id in await in_database(looking.waiting, timezone.now(), AT_ONCE):
            await in_database(looking.look, match_id, timezone.now())
            await asyncio.sleep(BETWEEN)
