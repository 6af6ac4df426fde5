"""PostgreSQL and Redis that can be taken away from a site."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg

from scripts.with_services import REDIS_SOCKET, run_postgres, run_redis


class Services:
    """Both, until the end of ``stack``, at ``addresses``."""

    def __init__(self, stack: ExitStack) -> None:
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.postgres = run_postgres(stack)
        self.redis = self.start_redis()
        stack.callback(self.end_redis)
        self.addresses = {
            "DATABASE_URL": str(self.postgres.get_uri()),
            "REDIS_URL": f"unix://{self.folder / REDIS_SOCKET}",
        }

    def start_redis(self) -> subprocess.Popen[bytes]:
        return run_redis(self.folder)

    def end_redis(self) -> None:
        self.redis.kill()

    async def away(self, _server: object, *, fault: str, seconds: float) -> None:
        """Take away PostgreSQL, Redis or ``both`` for so long."""
        database, redis = fault != "redis", fault != "database"
        if redis:
            self.redis.kill()
        if database and (pid := self.postgres.get_pid()):
            os.kill(pid, signal.SIGQUIT)  # it stops at once
        await asyncio.sleep(seconds)
        if redis:
            self.redis = self.start_redis()
        if database:
            with suppress(subprocess.TimeoutExpired):  # it goes on starting
                await asyncio.to_thread(self.postgres.ensure_postgres_running)
            await asyncio.to_thread(self.wait_for_postgres)

    def wait_for_postgres(self) -> None:
        while True:
            with suppress(psycopg.OperationalError), psycopg.connect(self.addresses["DATABASE_URL"]):
                return
            time.sleep(0.1)
