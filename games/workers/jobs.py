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

MOST_ADDRESSES = 10  # times ``most``: unfinished jobs of all addresses together

Key = TypeVar("Key", bound=Hashable)
Job = TypeVar("Job", bound=Future[Any])


class Jobs(Generic[Key, Job]):
    """Runs jobs once for all requests with the same key and caches the last ``cached`` of them.

    While ``most`` jobs are unfinished, an address may have only one, so that a few addresses cannot occupy all places.
    ``limit`` names the rate limits for one address or account.
    """

    def __init__(self, limit: str, *, most: int, cached: int) -> None:
        self.limit, self.most, self.cached = limit, most, cached
        self.jobs: OrderedDict[Key, Job] = OrderedDict()
        self.unfinished: Counter[str] = Counter()  # by address
        self.lock = threading.RLock()  # a job may end while it is started

    def get(self, key: Key) -> Job | None:
        return self.jobs.get(key)

    def ask(self, key: Key, begin: Callable[[], Job], *, address: str = "", account: int | None = None) -> Job:
        """Return the job, and start it if it is new or failed.

        Raises Refused ``too_fast`` while too many jobs are unfinished, TooFast for a client over its limit.
        """
        with self.lock:
            job = self.jobs.get(key)
            if job is None or has_failed(job):
                if not self.has_place(address):
                    raise Refused("too_fast")
                limits.require(self.limit, address=address, account=account)
                give_back = limits.hold(self.limit, address=address, account=account)
                job = self.jobs[key] = begin()
                self.unfinished[address] += 1
                job.add_done_callback(partial(self.finish, address, give_back))
            self.jobs.move_to_end(key)
            while len(self.jobs) > self.cached:
                self.jobs.popitem(last=False)
            return job

    def has_place(self, address: str) -> bool:
        unfinished = self.unfinished.total()
        return unfinished < (MOST_ADDRESSES * self.most if not self.unfinished[address] else self.most)

    def finish(self, address: str, give_back: Callable[[], None], _job: Job) -> None:
        give_back()
        with self.lock:
            self.unfinished[address] -= 1
            self.unfinished += Counter()  # drops what is zero


def has_failed(job: Future[Any]) -> bool:
    return job.done() and (job.cancelled() or job.exception() is not None)
