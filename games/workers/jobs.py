"""Background jobs that visitors ask for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from games.errors import Refused
from infrastructure.limits import limits

Key = TypeVar("Key", bound=Hashable)
Job = TypeVar("Job", bound=Future[Any])


class Jobs(Generic[Key, Job]):
    """Each job runs once, however many ask. At most ``most`` are unfinished, and the last ``kept`` are cached.

    ``limit`` names the limits for one address or account.
    """

    def __init__(self, limit: str, *, most: int, kept: int) -> None:
        self.limit, self.most, self.kept = limit, most, kept
        self.jobs: OrderedDict[Key, Job] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: Key) -> Job | None:
        return self.jobs.get(key)

    def ask(self, key: Key, begin: Callable[[], Job], *, address: str = "", account: int | None = None) -> Job:
        """Return the job; start it if nobody has asked for it yet or if it failed.

        Raises Refused ``too_fast`` while too many others wait, TooFast for a client over its limit.
        """
        with self.lock:
            job = self.jobs.get(key)
            if job is None or has_failed(job):
                if sum(not other.done() for other in self.jobs.values()) >= self.most:
                    raise Refused("too_fast")
                limits.require(self.limit, address=address, account=account)
                give_back = limits.hold(self.limit, address=address, account=account)
                job = self.jobs[key] = begin()
                job.add_done_callback(lambda _done: give_back())
            self.jobs.move_to_end(key)
            while len(self.jobs) > self.kept:
                self.jobs.popitem(last=False)
            return job


def has_failed(job: Future[Any]) -> bool:
    return job.done() and (job.cancelled() or job.exception() is not None)
