"""``manage.py clock``: run the clock and the bots in a process of their own, next to any number of web processes."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

from django.core.management.base import BaseCommand

from games.scheduler import Scheduler
from infrastructure.startup import check_database, check_shared_services


class Command(BaseCommand):
    help = "Run the clock and the bots in a process of their own (several may run)."

    def handle(self, **options: Any) -> None:
        check_shared_services()
        check_database()
        asyncio.run(until_told_to_stop())


async def until_told_to_stop() -> None:
    work = asyncio.ensure_future(Scheduler().run())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, work.cancel)
    try:
        await work
    except asyncio.CancelledError:
        return
