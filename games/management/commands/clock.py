"""``manage.py clock``: run the clock and the bots in a process of their own, next to any number of web processes."""

from __future__ import annotations

import asyncio
import signal
from argparse import ArgumentParser
from contextlib import AsyncExitStack
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from domino_site.probe_server import serve_probes
from games.broadcast.database_threads import finish_work
from games.scheduler import Scheduler
from infrastructure.startup import check_database, check_shared_services
from infrastructure.version import publish_build_info


class Command(BaseCommand):
    help = "Run the clock and the bots in a process of their own (several may run)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--metrics-port", type=int, help="also answer /healthz and /metrics at this port")
        parser.add_argument("--metrics-host", default="localhost", help="address for that port (default: localhost)")

    def handle(self, *, metrics_host: str, metrics_port: int | None, **options: Any) -> None:
        check_shared_services()
        check_database()
        publish_build_info()
        asyncio.run(run_until_signal(metrics_host, metrics_port))


async def run_until_signal(metrics_host: str = "localhost", metrics_port: int | None = None) -> None:
    """Run the clock, and the probes if they have a port. Raises CommandError if the port is taken."""
    async with AsyncExitStack() as stack:
        if metrics_port is not None:
            try:
                await stack.enter_async_context(serve_probes(metrics_host, metrics_port))
            except OSError as error:
                raise CommandError(f"Cannot listen at {metrics_host}:{metrics_port}: {error.strerror}.") from error
        task = asyncio.ensure_future(Scheduler().run())
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        try:
            await task
        except asyncio.CancelledError:
            await finish_work()
