"""Makes the reports of matches that are over, one by one, in the background.

Matches that have just ended come first, then uploaded records, then matches whose report an older version made, the
latest first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import structlog
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.match import record
from games.match_reports import computation, reports, upload_reports
from games.workers.pool import LOWEST_PRIORITY_NICENESS, Workers
from games.workers.processor_time import within_processor_time
from infrastructure.outages import is_outage

log = structlog.get_logger()
IDLE_INTERVAL_SECONDS = 5.0  # between two looks for a match without a report
REPORT_SECONDS = 300  # of processor time, for one report

S = TypeVar("S")
T = TypeVar("T")


class Reporter:
    """Makes reports in a worker process of the lowest priority."""

    def __init__(self) -> None:
        self.workers = Workers(1, LOWEST_PRIORITY_NICENESS)
        self.has_outdated = True  # there may be outdated reports; new ones never are

    async def run(self) -> None:
        """Work until cancelled."""
        try:
            while True:
                try:
                    while await self.make_next_report():
                        pass
                except Exception as error:
                    if not is_outage(error):
                        log.exception("reporter_failed")
                await asyncio.sleep(IDLE_INTERVAL_SECONDS)
        finally:
            self.workers.close()

    async def make_next_report(self) -> bool:
        """Make one report. Return whether there was one to make. Failures are logged, and not retried."""
        match_id = await in_database(reports.next_match_to_report, timezone.now())
        if match_id is None:
            upload_id = await in_database(upload_reports.next_upload_to_report)
            if upload_id is not None:
                await self.make_upload_report(upload_id)
                return True
        if match_id is None and self.has_outdated:
            match_id = await in_database(reports.next_match_with_outdated_report)
            self.has_outdated = match_id is not None
        if match_id is None:
            return False
        if await in_database(reports.claim_report, match_id):
            try:
                await self.make_report(match_id)
            except Exception as error:
                if is_outage(error):
                    raise
                log.exception("match_report_failed", match=match_id)
        return True

    async def make_upload_report(self, upload_id: int) -> None:
        if not await in_database(upload_reports.claim_report, upload_id):
            return
        try:
            packed = await in_database(upload_reports.packed_transcript, upload_id)
            if packed is None:
                return
            data = await self.run_in_worker(computation.make_report_of_upload, packed)
            await in_database(upload_reports.store_report, upload_id, data)
        except asyncio.CancelledError:
            await in_database(upload_reports.release_claim, upload_id)
            raise
        except Exception as error:
            if is_outage(error):
                raise
            log.exception("upload_report_failed", upload=upload_id)

    async def make_report(self, match_id: int) -> None:
        events = await in_database(record.events, match_id)
        data, seconds = await self.run_in_worker(computation.make_report_timed, events)
        await in_database(reports.store_report, match_id, data, seconds)

    async def run_in_worker(self, function: Callable[[S], T], subject: S) -> T:
        return await asyncio.wrap_future(self.workers.submit(within_processor_time, REPORT_SECONDS, function, subject))
