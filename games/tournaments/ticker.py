"""Runs the clock of tournaments in the scheduler. A worker process computes pairings and the bots' results."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import datetime
from typing import Any

import structlog
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.tournaments import clock
from games.tournaments.core.proposal import PairingTask, propose
from games.tournaments.levels import LevelsTask, level_raws
from games.workers.pool import Workers
from infrastructure.outages import is_outage

log = structlog.get_logger()
PAIRING_SECONDS = 8  # the longest wait for a worker; shorter than the lease


class TournamentTicker:
    """``tick`` is one pass; the tasks of workers go on beside it."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.tasks: set[asyncio.Task[None]] = set()

    async def tick(self, now: datetime, *, with_deadlines: bool) -> None:
        work = await in_database(clock.run_due, now=now, with_deadlines=with_deadlines)
        for pairing in work.pairings:
            self.begin(self.pair(pairing))
        for levels in work.levels:
            self.begin(self.compute_levels(levels))
        for tournament_id, number in work.tables:
            await in_database(clock.begin_table, tournament_id=tournament_id, number=number, now=now)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def pair(self, task: PairingTask) -> None:
        """Store the pairing of a worker. If it fails, the lease ends and the clock pairs again."""
        try:
            async with asyncio.timeout(PAIRING_SECONDS):
                proposal = await asyncio.wrap_future(self.workers.submit(propose, task))
            await in_database(clock.store_proposal, task=task, proposal=proposal, now=timezone.now())
        except Exception as error:
            if not is_outage(error):
                log.exception("pairing_failed", tournament=task.tournament)

    async def compute_levels(self, task: LevelsTask) -> None:
        """Close a board with the bots' results of a worker. If it fails, the lease ends and the clock tries again."""
        try:
            async with asyncio.timeout(PAIRING_SECONDS):
                levels = await asyncio.wrap_future(self.workers.submit(level_raws, task))
            await in_database(clock.store_levels, task=task, levels=levels, now=timezone.now())
        except Exception as error:
            if not is_outage(error):
                log.exception("levels_failed", tournament=task.tournament)

    def close(self) -> None:
        for task in self.tasks:
            task.cancel()
