"""Sends pushes beside everything else: nothing waits for a push service, and a slow one delays only other pushes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor

import structlog
from django.utils import timezone

from accounts.push import subscriptions
from accounts.push.delivery import Delivery, deliver
from games.broadcast.database_threads import in_database
from games.services import pushes
from infrastructure.outages import is_outage

log = structlog.get_logger()
SECONDS = 2.0
THREADS = 4
AT_ONCE = 100
"""So many are under way at most: more are taken when these have been answered."""


class Pushing:
    """Run it with ``run``."""

    def __init__(self) -> None:
        self.under_way: set[asyncio.Task[None]] = set()
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="push")

    async def run(self) -> None:
        """Work until cancelled; where the site has no key there is nothing to do."""
        try:
            while subscriptions.is_offered():
                await self.safely(self.tick())
                await asyncio.sleep(SECONDS)
        finally:
            self.threads.shutdown(wait=False, cancel_futures=True)

    async def tick(self) -> None:
        room = AT_ONCE - len(self.under_way)
        if room <= 0:
            return
        for delivery in await in_database(pushes.take, now=timezone.now(), limit=room):
            task = asyncio.create_task(self.safely(self.send(delivery)))
            self.under_way.add(task)
            task.add_done_callback(self.under_way.discard)

    async def send(self, delivery: Delivery) -> None:
        outcome = await asyncio.get_running_loop().run_in_executor(self.threads, deliver, delivery)
        await in_database(subscriptions.note, delivery.subscription_id, outcome)

    async def safely(self, work: Awaitable[None]) -> None:
        """What fails is logged, and ends nothing else."""
        try:
            await work
        except Exception as error:
            if not is_outage(error):
                log.exception("push_broken")
