"""Sends push notifications in threads of their own: a slow push service delays only other notifications."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor

import structlog
from django.utils import timezone

from accounts.push import subscriptions
from accounts.push.delivery import Delivery, deliver
from games.broadcast.database_threads import in_database
from games.services import push_notifications
from infrastructure.outages import is_outage

log = structlog.get_logger()
INTERVAL_SECONDS = 2.0
SENDER_THREADS = 4
MAX_PENDING = 100  # notifications without an answer of a push service


class PushSender:
    def __init__(self) -> None:
        self.pending: set[asyncio.Task[None]] = set()
        self.threads = ThreadPoolExecutor(SENDER_THREADS, thread_name_prefix="push")

    async def run(self) -> None:
        """Send notifications until cancelled. Without a VAPID key there is nothing to do."""
        try:
            while subscriptions.is_push_available():
                await self.log_errors(self.send_due_notifications())
                await asyncio.sleep(INTERVAL_SECONDS)
        finally:
            self.threads.shutdown(wait=False, cancel_futures=True)

    async def send_due_notifications(self) -> None:
        free_slots = MAX_PENDING - len(self.pending)
        if free_slots <= 0:
            return
        for delivery in await in_database(
            push_notifications.take_due_notifications, now=timezone.now(), limit=free_slots
        ):
            task = asyncio.create_task(self.log_errors(self.send(delivery)))
            self.pending.add(task)
            task.add_done_callback(self.pending.discard)

    async def send(self, delivery: Delivery) -> None:
        outcome = await asyncio.get_running_loop().run_in_executor(self.threads, deliver, delivery)
        await in_database(subscriptions.record_outcome, delivery.subscription_id, outcome)

    async def log_errors(self, work: Awaitable[None]) -> None:
        """Log a failure instead of stopping the sender."""
        try:
            await work
        except Exception as error:
            if not is_outage(error):
                log.exception("push_broken")
