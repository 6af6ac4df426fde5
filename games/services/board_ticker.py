"""Runs the clock of daily boards in the background, and lets a worker process compute the results of bots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

import structlog
from django.utils import timezone

from games.bots.boards import scores_of_levels
from games.broadcast.database_threads import in_database
from games.services import board_clock, board_days
from games.services.board_days import LevelsTask
from games.workers.pool import Workers
from infrastructure.outages import is_outage

log = structlog.get_logger()
IDLE_INTERVAL_SECONDS = 2.0  # between two looks for a day that is due
LEVELS_SECONDS = 20  # the longest wait for a worker; shorter than the lease


class BoardTicker:
    """``is_on_time`` returns whether deadlines may pass now."""

    def __init__(self, workers: Workers, is_on_time: Callable[[datetime], bool]) -> None:
        self.workers, self.is_on_time = workers, is_on_time

    async def run(self) -> None:
        """Work until cancelled. A step that fails is repeated after its lease."""
        while True:
            try:
                while await self.do_due_step():
                    pass
            except Exception as error:
                if not is_outage(error):
                    log.exception("board_clock_failed")
            await asyncio.sleep(IDLE_INTERVAL_SECONDS)

    async def do_due_step(self) -> bool:
        """Do one step. Return whether there was one to do."""
        now = timezone.now()
        step = await in_database(board_clock.do_due_step, now=now) if self.is_on_time(now) else None
        if step is None:
            return False
        if step.task is not None:
            await self.compute_levels(step.task)
        return True

    async def compute_levels(self, task: LevelsTask) -> None:
        try:
            async with asyncio.timeout(LEVELS_SECONDS):
                job = self.workers.submit(scores_of_levels, task.start, task.secret, task.seat)
                scores = await asyncio.wrap_future(job)
            await in_database(board_days.store_levels, task, scores, timezone.now())
        except Exception as error:
            if is_outage(error):
                raise
            log.exception("board_day_failed", set=task.start.source, board=task.start.first)
