"""Makes the files of each month in the background, once for all processes that run the clock."""

from __future__ import annotations

import asyncio
from datetime import date, datetime

import structlog
from django.conf import settings
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.open_data import months
from games.open_data.content import MatchContent, write_matches
from games.open_data.export import MonthReader, add_matches
from games.open_data.files import MonthFiles
from games.open_data.source import SourceMatch
from games.workers.pool import LOWEST_PRIORITY_NICENESS, Workers
from games.workers.processor_time import within_processor_time
from infrastructure.outages import is_outage

log = structlog.get_logger()
CHECK_INTERVAL_SECONDS = 600.0  # between two looks for a month that is due
BATCH_SECONDS = 60  # of processor time


class OpenDataExporter:
    """Reads in the database thread, writes matches in a worker of the lowest priority, and files in a thread."""

    async def run(self) -> None:
        """Work until cancelled. A month that fails is begun again after its lease."""
        while settings.OPEN_DATA:
            try:
                await self.make_due_month()
            except months.LeaseLost:
                log.warning("open_data_lease_lost")
            except Exception as error:
                if not is_outage(error):
                    log.exception("open_data_failed")
            await asyncio.sleep(CHECK_INTERVAL_SECONDS)

    async def make_due_month(self) -> bool:
        """Make the files of the latest month that is over. Return False if another process makes or has made them."""
        now = timezone.now()
        month = months.month_due(now)
        leased_until = await in_database(months.lease_month, month, now)
        if leased_until is None:
            return False
        workers = Workers(1, LOWEST_PRIORITY_NICENESS)
        try:
            await self._export(month, leased_until, workers)
        finally:
            workers.close()
        return True

    async def _export(self, month: date, leased_until: datetime, workers: Workers) -> None:
        reader = MonthReader(month, leased_until)
        with MonthFiles(month) as files:
            while (batch := await in_database(reader.read_batch)) is not None:
                matches = await self._write(batch, workers)
                await asyncio.to_thread(add_matches, files, matches)
            infos = await asyncio.to_thread(files.finish)
            await in_database(months.list_files, month, infos, timezone.now())

    async def _write(self, batch: list[SourceMatch], workers: Workers) -> list[MatchContent]:
        job = workers.submit(within_processor_time, BATCH_SECONDS, write_matches, batch)
        return await asyncio.wrap_future(job)
