"""Looks at the matches that are over, one after the other, beside everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import structlog
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.moderation.detectors import findings, looking, partners, throwing
from games.workers.pool import Workers
from infrastructure.outages import is_outage

log = structlog.get_logger()
P = ParamSpec("P")
T = TypeVar("T")
SECONDS = 20.0
BETWEEN = 0.1
"""Between two detectors the database is free for moves."""
AT_ONCE = 40
WORK_SECONDS = 20
BUSY = 10
"""While so many wait, the bot is not asked about choices: that takes seconds."""


class Watch:
    """Run it with ``run``. What takes long is worked out in a process of its own."""

    def __init__(self) -> None:
        self.workers = Workers(1)

    async def run(self) -> None:
        """Work until cancelled. What fails is logged; that match is not looked at again."""
        try:
            while True:
                try:
                    await self.tick()
                except Exception as error:
                    if not is_outage(error):
                        log.exception("watch_failed")
                await asyncio.sleep(SECONDS)
        finally:
            self.workers.close()

    async def tick(self) -> None:
        waiting = await in_database(looking.waiting, timezone.now(), AT_ONCE)
        for match_id in waiting:
            if await in_database(looking.take, match_id, timezone.now()):
                for find in findings.ALL:
                    await in_database(looking.look, match_id, find, timezone.now())
                    await asyncio.sleep(BETWEEN)
                if len(waiting) < BUSY:
                    await self.ask(match_id)
                    await self.ask_about_pairs(match_id)

    async def ask(self, match_id: int) -> None:
        """Ask the bot about the choices of whoever came last, one by one, so that nobody waits long for the end."""
        asked = await in_database(looking.question, match_id)
        if asked is None:
            return
        decisions = await self.work(throwing.sample, *asked, match_id)
        choices = {
            seat: [await self.work(throwing.judged, *decision) for decision in known]
            for seat, known in decisions.items()
        }
        await in_database(looking.judge, match_id, choices, timezone.now())

    async def ask_about_pairs(self, match_id: int) -> None:
        """Ask the bot how well the choices of partners fit each other's hands, in the same way."""
        asked = await in_database(looking.pairs, match_id)
        if asked is None:
            return
        decisions = await self.work(throwing.sample, *asked, match_id)
        fits = {
            seat: [await self.work(partners.fitted, *decision) for decision in known]
            for seat, known in decisions.items()
        }
        await in_database(looking.judge_pairs, match_id, fits, timezone.now())

    async def work(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async with asyncio.timeout(WORK_SECONDS):
            return await asyncio.wrap_future(self.workers.submit(function, *args, **kwargs))
