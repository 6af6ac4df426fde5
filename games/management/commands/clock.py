"""``manage.py clock``: run the clock and the bots in a process of their own, next to any number of web processes."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

from django.core.management.base import BaseCommand

from games.scheduler import Scheduler
from infrastructure.startup import check_database, check_shared_services
from infrastructure.version import publish_build_info


class Command(BaseCommand):
    help = "Run the clock and the bots in a process of their own (several may run)."

    def handle(self, **options: Any) -> None:
        check_shared_services()
        check_database()
        publish_build_info()
        asyncio.run(run_until_signal())


async def run_until_signal() -> None:
    task = asyncio.ensure_future(Scheduler().run())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        return
