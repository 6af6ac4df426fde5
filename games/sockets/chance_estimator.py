"""Estimates the chances of the players to win the matches that somebody watches.

A worker of the lowest priority estimates one version of a match for all of its spectators. CPU time is budgeted: the
process may spend a small constant part of a core, and ``CHANCES_CPU_PERCENT`` of what it uses for everything else.
While the budget is used up, matches wait; of each only the newest version does. Moves never wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from functools import partial
from itertools import islice
from zlib import crc32

import structlog
from django.conf import settings

from games import bots
from games.engine.state import replace_fields
from games.engine.view import View
from games.match.snapshots import Snapshot
from games.spectators import chances
from games.workers.pool import LOWEST_PRIORITY_NICENESS, Workers
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
IDLE_CPU_SHARE = 0.004  # of a core, for sites where little happens
MAX_CREDIT_SECONDS = 0.04  # of CPU time
WAIT_SECONDS = 0.25  # before the budget is checked again
MATCHES_PER_JOB = 8
PLAYOUTS_OF_JOB = 48  # shared by its matches
MAX_PLAYOUTS, MIN_PLAYOUTS = 32, 6  # for one match
JOB_TIMEOUT_SECONDS = 10.0
# CPU time of this process, measured on a busy machine: for a second of the worker, and for a socket.
OVERHEAD_FACTOR, SOCKET_SECONDS = 1.0, 0.00004

# Sends the chances to the sockets of a match, and returns their number.
Deliver = Callable[[], int]


class CpuBudget:
    """CPU time that may be spent: it grows with time and with the CPU time of this process, up to a limit."""

    def __init__(self) -> None:
        self.credit = MAX_CREDIT_SECONDS
        self.measured_at = time.monotonic(), time.process_time()

    def spend(self, seconds: float) -> None:
        self.credit -= seconds

    def is_available(self) -> bool:
        before, self.measured_at = self.measured_at, (time.monotonic(), time.process_time())
        elapsed, used = (now - then for now, then in zip(self.measured_at, before, strict=True))
        self.credit += IDLE_CPU_SHARE * elapsed + settings.CHANCES_CPU_PERCENT / 100 * used
        self.credit = min(self.credit, MAX_CREDIT_SECONDS)
        return self.credit > 0


class Request:
    """A version of a match that waits for its estimate, and those who want the result."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.receivers: dict[Deliver, None] = {}


class ChanceEstimator:
    """The matches that wait, in the order in which they began to."""

    def __init__(self) -> None:
        self.waiting: dict[Hashable, Request] = {}
        self.budget = CpuBudget()
        self.task: asyncio.Task[None] | None = None

    def request(self, snapshot: Snapshot, deliver: Deliver) -> None:
        """Estimate the chances in a match as its spectators see it, then call ``deliver``."""
        if not chances.needs_estimate(snapshot):
            return
        request = self.waiting.setdefault(chances.estimate_key(snapshot), Request(snapshot))
        if request.snapshot.table.version < snapshot.table.version:
            request.snapshot = snapshot
        request.receivers[deliver] = None
        if self.task is None:
            self.task = asyncio.create_task(self.work())

    async def work(self) -> None:
        """Work until no match waits."""
        try:
            while self.waiting:
                if self.budget.is_available():
                    await self.estimate_next()
                else:
                    await asyncio.sleep(WAIT_SECONDS)
        except TimeoutError:  # the machine is busy, and the next move asks again
            log.info("chances_late")
        except Exception:
            log.exception("chances_failed")
        finally:
            self.task = None

    async def estimate_next(self) -> None:
        """Estimate the matches that have waited longest."""
        playouts = max(MIN_PLAYOUTS, min(MAX_PLAYOUTS, PLAYOUTS_OF_JOB // len(self.waiting)))
        keys = list(islice(self.waiting, MATCHES_PER_JOB))
        requests = [self.waiting.pop(key) for key in keys]
        views = [visible_position(request.snapshot) for request in requests]
        seeds = [estimate_seed(request.snapshot) for request in requests]
        async with asyncio.timeout(JOB_TIMEOUT_SECONDS):
            job = chance_workers().submit(bots.estimate_chances_timed, views, seeds, playouts)
            estimates, seconds = await asyncio.wrap_future(job)
        self.budget.spend(seconds * (1 + OVERHEAD_FACTOR))
        for key, request, estimate in zip(keys, requests, estimates, strict=True):
            chances.store_estimate(request.snapshot, estimate)
            if key not in self.waiting:  # otherwise a newer version was shown, and shows this estimate for now
                sockets = sum(deliver() for deliver in request.receivers)
                self.budget.spend(SOCKET_SECONDS * sockets)


def visible_position(snapshot: Snapshot) -> View:
    """Return the view of spectators with the newest of the past rounds, which is all that playouts need."""
    view = snapshot.view(None)
    if view is None:
        raise ValueError("The match has not started.")
    return replace_fields(view, rounds=view.rounds[-1:])


def estimate_seed(snapshot: Snapshot) -> int:
    """Return the seed of a version. It contains nothing secret."""
    return crc32(f"{snapshot.table.slug} {snapshot.table.version}".encode())


chance_workers = PerProcess(partial(Workers, 1, LOWEST_PRIORITY_NICENESS))
chance_estimator = PerProcess(ChanceEstimator)
