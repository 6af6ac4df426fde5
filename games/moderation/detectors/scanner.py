"""A background task that runs the detectors on finished matches, one match at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import ParamSpec, TypeVar

import structlog
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.engine.moves import Move
from games.engine.state import State
from games.models import Match
from games.moderation.detectors import findings, partners, scans, throwing
from games.moderation.detectors.findings import Finding, SeatedPeople
from games.workers.pool import Workers
from infrastructure.outages import is_outage

log = structlog.get_logger()
P = ParamSpec("P")
T = TypeVar("T")
INTERVAL_SECONDS = 20.0
PAUSE_SECONDS = 0.1  # between two detectors, so that moves reach the database
SCAN_BATCH = 40  # matches scanned per interval
WORKER_TIMEOUT_SECONDS = 20
MAX_QUEUE_FOR_BOT = 10  # while this many matches wait, the bot judges no choices: that takes seconds


class MatchScanner:
    """Scans finished matches until it is cancelled. Slow computations run in a process of their own."""

    def __init__(self) -> None:
        self.workers = Workers(1)

    async def run(self) -> None:
        """Scan until cancelled. Errors are logged; a match whose scan failed is not scanned again."""
        try:
            while True:
                try:
                    await self.scan_waiting()
                except Exception as error:
                    if not is_outage(error):
                        log.exception("watch_failed")
                await asyncio.sleep(INTERVAL_SECONDS)
        finally:
            self.workers.close()

    async def scan_waiting(self) -> None:
        waiting = await in_database(scans.unscanned_matches, timezone.now(), SCAN_BATCH)
        for match_id in waiting:
            if await in_database(scans.claim_match, match_id, timezone.now()):
                for detect in findings.FAST_DETECTORS:
                    await in_database(scans.report_findings, match_id, detect, timezone.now())
                    await asyncio.sleep(PAUSE_SECONDS)
                if len(waiting) < MAX_QUEUE_FOR_BOT:
                    await self.judge_losers(match_id)
                    await self.judge_partners(match_id)

    async def judge_losers(self, match_id: int) -> None:
        """Let the bot judge the choices of the people in last place."""
        await self._judge(match_id, scans.load_losers_choices, throwing.judge_decision, findings.detect_throwing)

    async def judge_partners(self, match_id: int) -> None:
        """Let the bot judge how well the choices of partners fit each other's hands."""
        await self._judge(
            match_id, scans.load_partners_choices, partners.evaluate_fit, findings.detect_knowing_partners
        )

    async def _judge(
        self,
        match_id: int,
        sample_of: Callable[[int], scans.ChoicesToJudge | None],
        judge: Callable[[State, Move, int], T],
        detect: Callable[[Mapping[int, Sequence[T]], Match, SeatedPeople, datetime], Iterator[Finding]],
    ) -> None:
        """Judge a sample of choices one by one, so that stopping never waits long, and report the findings."""
        sample = await in_database(sample_of, match_id)
        if sample is None:
            return
        decisions = await self.run_in_worker(throwing.sample_decisions, *sample, match_id)
        judgements = {
            seat: [await self.run_in_worker(judge, *decision) for decision in seat_decisions]
            for seat, seat_decisions in decisions.items()
        }
        await in_database(scans.report_findings, match_id, partial(detect, judgements), timezone.now())

    async def run_in_worker(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async with asyncio.timeout(WORKER_TIMEOUT_SECONDS):
            return await asyncio.wrap_future(self.workers.submit(function, *args, **kwargs))
