"""Rate limits (token buckets) and concurrency limits (places) for each address and account, counted in each process.

They are in memory, because a flood must cost next to nothing, even without Redis. A shared cache would need a query
for every page and every message. With several processes the limits add up. Limits for the whole site, such as those of
wrong passwords and mails, are in the shared cache (``accounts.login.attempts`` and ``ACCOUNT_RATE_LIMITS``).
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TypeVar

from django.conf import settings

from infrastructure.limit_settings import Rate

# About 15 MB. The least recently used bucket is dropped first, because it is probably full again.
MAX_BUCKETS = 50_000
PLACE_SECONDS = 5.0  # after which a client without a place is asked to try again
MAX_REST_SECONDS = 0.05

T = TypeVar("T")
# The name of the limit, the kind of its client (``address``, ``visitors`` or ``account``), and the client.
Key = tuple[str, str, str | int]


class TooFast(Exception):
    """A client is over a limit; after ``seconds`` it can try again."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"try again in {seconds:.0f} s")
        self.seconds = seconds


def rest_after(seconds: float) -> float:
    """Return the pause after this much work for one client, which leaves half of the time to other clients."""
    return min(seconds, MAX_REST_SECONDS)


class Bucket:
    """A token bucket: up to ``size`` tokens, ``rate`` new ones per second."""

    __slots__ = ("at", "rate", "size", "tokens")

    def __init__(self, size: float, rate: float, now: float) -> None:
        self.size, self.rate = size, rate
        self.tokens, self.at = size, now

    def wait(self, now: float) -> float:
        """Return the seconds until there is a token, 0 if there is one."""
        self.tokens = min(self.size, self.tokens + (now - self.at) * self.rate)
        self.at = now
        return 0.0 if self.tokens >= 1 else (1 - self.tokens) / self.rate

    def take(self, now: float) -> bool:
        """Take a token if there is one."""
        if self.wait(now):
            return False
        self.tokens -= 1
        return True


class Limits:
    """The buckets and places of a process, for all its threads. The settings ``RATES`` and ``PLACES`` define them."""

    def __init__(self) -> None:
        self.buckets: OrderedDict[Key, Bucket] = OrderedDict()
        self.taken_places: Counter[Key] = Counter()
        self.lock = Lock()

    def wait(self, what: str, *, address: str = "", account: int | None = None, visitors: str = "") -> float:
        """Take a token for each given client and return 0. If one has no token, return the seconds until it has.

        ``visitors`` is an address whose people without an account are counted together, so that they cannot use up
        the tokens of accounts at their address.
        """
        now = time.monotonic()
        with self.lock:
            counted = keys(what, settings.RATES[what], address, account, visitors)
            buckets = [self._bucket(key, rate, now) for key, rate in counted]
            seconds = max((bucket.wait(now) for bucket in buckets), default=0.0)
            if not seconds:
                for bucket in buckets:
                    bucket.tokens -= 1
        return seconds

    def require(self, what: str, *, address: str = "", account: int | None = None, visitors: str = "") -> None:
        """Take a token. Raises TooFast."""
        if seconds := self.wait(what, address=address, account=account, visitors=visitors):
            raise TooFast(seconds)

    def hold(
        self, what: str, *, address: str = "", account: int | None = None, visitors: str = ""
    ) -> Callable[[], None]:
        """Take a place, and return a function that gives it back. Raises TooFast."""
        with self.lock:
            counted = dict(keys(what, settings.PLACES[what], address, account, visitors))
            if any(self.taken_places[key] >= places for key, places in counted.items()):
                raise TooFast(PLACE_SECONDS)
            self.taken_places.update(counted.keys())
        return partial(self._give_back, counted.keys())

    @contextmanager
    def place(self, what: str, *, address: str = "", account: int | None = None, visitors: str = "") -> Iterator[None]:
        """Hold a place in a ``with`` block. Raises TooFast."""
        give_back = self.hold(what, address=address, account=account, visitors=visitors)
        try:
            yield
        finally:
            give_back()

    def forget(self) -> None:
        """Fill all buckets and free all places."""
        self.buckets.clear()
        self.taken_places.clear()

    def _bucket(self, key: Key, rate: Rate, now: float) -> Bucket:
        bucket = self.buckets.get(key) or Bucket(rate.burst, rate.per_second, now)
        self.buckets[key] = bucket
        self.buckets.move_to_end(key)
        while len(self.buckets) > MAX_BUCKETS:
            self.buckets.popitem(last=False)
        return bucket

    def _give_back(self, keys: Iterable[Key]) -> None:
        with self.lock:
            self.taken_places.subtract(keys)
            for key in keys:
                if self.taken_places[key] <= 0:
                    del self.taken_places[key]


def keys(
    what: str, limit: Mapping[str, T], address: str, account: int | None, visitors: str
) -> Iterator[tuple[Key, T]]:
    """Yield the keys under which a request is counted, each with its limit."""
    owners: dict[str, str | int | None] = {"address": address, "account": account, "visitors": visitors}
    for counted, owner in owners.items():
        if counted in limit and owner not in (None, ""):
            yield (what, counted, owner or 0), limit[counted]


limits = Limits()
