"""Background jobs requested by visitors."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import partial
from typing import Any, Generic, TypeVar

from games.errors import Refused
from infrastructure.limits import limits

# All addresses together may have this many times ``max_unfinished`` jobs.
SHARED_CAPACITY_FACTOR = 10

Key = TypeVar("Key", bound=Hashable)
Job = TypeVar("Job", bound=Future[Any])


class Jobs(Generic[Key, Job]):
    """Runs jobs once for all requests with the same key and caches the last ``max_cached`` of them.

    While ``max_unfinished`` jobs are unfinished, an address may have only one, so that a few addresses cannot use all
    of the capacity. ``limit_name`` names the rate limits for one address or account.
    """

    def __init__(self, limit_name: str, *, max_unfinished: int, max_cached: int) -> None:
        self.limit_name, self.max_unfinished, self.max_cached = limit_name, max_unfinished, max_cached
        self.jobs: OrderedDict[Key, Job] = OrderedDict()
        self.unfinished: Counter[str] = Counter()  # by address
        self.lock = threading.RLock()  # a job may end while it is started

    def find_job(self, key: Key) -> Job | None:
        return self.jobs.get(key)

    def get_or_start(
        self, key: Key, start_job: Callable[[], Job], *, address: str = "", account: int | None = None
    ) -> Job:
        """Return the job, and start it if it is new or failed.

        Raises Refused ``too_fast`` while too many jobs are unfinished, LimitExceeded for a client over its limit.
        """
        with self.lock:
            job = self.jobs.get(key)
            if job is None or has_failed(job):
                if not self.has_capacity(address):
                    raise Refused("too_fast")
                limits.enforce(self.limit_name, address=address, account=account)
                release_limit = limits.acquire_place(self.limit_name, address=address, account=account)
                job = self.jobs[key] = start_job()
                self.unfinished[address] += 1
                job.add_done_callback(partial(self.on_job_done, address, release_limit))
            self.jobs.move_to_end(key)
            while len(self.jobs) > self.max_cached:
                self.jobs.popitem(last=False)
            return job

    def has_capacity(self, address: str) -> bool:
        is_first = not self.unfinished[address]
        capacity = SHARED_CAPACITY_FACTOR * self.max_unfinished if is_first else self.max_unfinished
        return self.unfinished.total() < capacity

    def on_job_done(self, address: str, release_limit: Callable[[], None], _job: Job) -> None:
        release_limit()
        with self.lock:
            self.unfinished[address] -= 1
            self.unfinished += Counter()  # drops zero counts


def has_failed(job: Future[Any]) -> bool:
    return job.done() and (job.cancelled() or job.exception() is not None)
