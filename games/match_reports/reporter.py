"""Makes the reports of matches that are over, one after the other, beside everything else."""

from __future__ import annotations

import asyncio

import structlog
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.match import record
from games.match_reports import kept, making
from games.workers.pool import LEAST_URGENT, Workers
from infrastructure.outages import is_outage

log = structlog.get_logger()
SECONDS = 5.0
WORK_SECONDS = 300


class Reporter:
    """Run it with ``run``. A process of its own thinks, which gets what moves and pages leave of the processor."""

    def __init__(self) -> None:
        self.workers = Workers(1, LEAST_URGENT)

    async def run(self) -> None:
        """Work until cancelled."""
        try:
            while True:
                try:
                    while await self.tick():
                        pass
                except Exception as error:
                    if not is_outage(error):
                        log.exception("reporter_failed")
                await asyncio.sleep(SECONDS)
        finally:
            self.workers.close()

    async def tick(self) -> bool:
        """Make one report. Return whether there was one to make. What fails is logged, and not tried again."""
        match_id = await in_database(kept.waiting, timezone.now())
        if match_id is None:
            return False
        if await in_database(kept.take, match_id):
            try:
                await self.make(match_id)
            except Exception as error:
                if is_outage(error):
                    raise
                log.exception("match_report_failed", match=match_id)
        return True

    async def make(self, match_id: int) -> None:
        events = await in_database(record.events, match_id)
        async with asyncio.timeout(WORK_SECONDS):
            made = await asyncio.wrap_future(self.workers.submit(making.timed, events))
        await in_database(kept.keep, match_id, *made)
