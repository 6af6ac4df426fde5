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

import prometheus_client
from django.conf import settings

from infrastructure.limit_settings import Rate

# About 15 MB. The least recently used bucket is dropped first, because it is probably full again.
MAX_BUCKETS = 50_000
PLACE_RETRY_SECONDS = 5.0  # after which a client without a place is asked to try again
MAX_PAUSE_SECONDS = 0.05

# ``kind`` is "rate" or "places".
REFUSALS = prometheus_client.Counter(
    "dominoes_refusals_total",
    "Requests, messages and sockets over a limit, by its name",
    ["limit", "kind"],
)
for kind, names in (("rate", settings.RATES), ("places", settings.PLACES)):
    for name in names:
        REFUSALS.labels(name, kind)

T = TypeVar("T")
# The name of the limit, the kind of its client (``address``, ``visitors`` or ``account``), and the client.
LimitKey = tuple[str, str, str | int]


class LimitExceeded(Exception):
    """A client is over a limit; after ``seconds`` it can try again. ``limit`` is its name in the settings."""

    def __init__(self, seconds: float, limit: str = "") -> None:
        super().__init__(f"try again in {seconds:.0f} s")
        self.seconds, self.limit = seconds, limit


def fair_pause(seconds: float) -> float:
    """Return the pause after this much work for one client, which leaves half of the time to other clients."""
    return min(seconds, MAX_PAUSE_SECONDS)


class TokenBucket:
    """A token bucket: up to ``size`` tokens, ``rate`` new ones per second."""

    __slots__ = ("at", "rate", "size", "tokens")

    def __init__(self, size: float, rate: float, now: float) -> None:
        self.size, self.rate = size, rate
        self.tokens, self.at = size, now

    def seconds_until_token(self, now: float) -> float:
        """Return the seconds until there is a token, 0 if there is one."""
        self.tokens = min(self.size, self.tokens + (now - self.at) * self.rate)
        self.at = now
        return 0.0 if self.tokens >= 1 else (1 - self.tokens) / self.rate

    def take_token(self, now: float) -> bool:
        """Take a token if there is one."""
        if self.seconds_until_token(now):
            return False
        self.tokens -= 1
        return True


class Limits:
    """The buckets and places of a process, for all its threads. The settings ``RATES`` and ``PLACES`` define them."""

    def __init__(self) -> None:
        self.buckets: OrderedDict[LimitKey, TokenBucket] = OrderedDict()
        self.taken_places: Counter[LimitKey] = Counter()
        self.lock = Lock()

    def consume(self, name: str, *, address: str = "", account: int | None = None, visitors: str = "") -> float:
        """Take a token for each given client and return 0. If one has no token, return the seconds until it has.

        ``visitors`` is an address whose people without an account are counted together, so that they cannot use up
        the tokens of accounts at their address.
        """
        now = time.monotonic()
        with self.lock:
            limits_by_key = limit_keys(name, settings.RATES[name], address, account, visitors)
            buckets = [self._bucket(key, rate, now) for key, rate in limits_by_key]
            seconds = max((bucket.seconds_until_token(now) for bucket in buckets), default=0.0)
            if not seconds:
                for bucket in buckets:
                    bucket.tokens -= 1
        if seconds:
            REFUSALS.labels(name, "rate").inc()
        return seconds

    def enforce(self, name: str, *, address: str = "", account: int | None = None, visitors: str = "") -> None:
        """Take a token. Raises LimitExceeded."""
        if seconds := self.consume(name, address=address, account=account, visitors=visitors):
            raise LimitExceeded(seconds, name)

    def acquire_place(
        self, name: str, *, address: str = "", account: int | None = None, visitors: str = ""
    ) -> Callable[[], None]:
        """Take a place, and return a function that releases it. Raises LimitExceeded."""
        with self.lock:
            places_by_key = dict(limit_keys(name, settings.PLACES[name], address, account, visitors))
            if any(self.taken_places[key] >= places for key, places in places_by_key.items()):
                REFUSALS.labels(name, "places").inc()
                raise LimitExceeded(PLACE_RETRY_SECONDS, name)
            self.taken_places.update(places_by_key.keys())
        return partial(self._release_places, places_by_key.keys())

    @contextmanager
    def hold_place(
        self, name: str, *, address: str = "", account: int | None = None, visitors: str = ""
    ) -> Iterator[None]:
        """Hold a place in a ``with`` block. Raises LimitExceeded."""
        release = self.acquire_place(name, address=address, account=account, visitors=visitors)
        try:
            yield
        finally:
            release()

    def reset(self) -> None:
        """Fill all buckets and free all places."""
        self.buckets.clear()
        self.taken_places.clear()

    def _bucket(self, key: LimitKey, rate: Rate, now: float) -> TokenBucket:
        bucket = self.buckets.get(key) or TokenBucket(rate.burst, rate.per_second, now)
        self.buckets[key] = bucket
        self.buckets.move_to_end(key)
        while len(self.buckets) > MAX_BUCKETS:
            self.buckets.popitem(last=False)
        return bucket

    def _release_places(self, keys: Iterable[LimitKey]) -> None:
        with self.lock:
            self.taken_places.subtract(keys)
            for key in keys:
                if self.taken_places[key] <= 0:
                    del self.taken_places[key]


def limit_keys(
    name: str, limit: Mapping[str, T], address: str, account: int | None, visitors: str
) -> Iterator[tuple[LimitKey, T]]:
    """Yield the keys under which a request is counted, each with its limit."""
    clients: dict[str, str | int | None] = {"address": address, "account": account, "visitors": visitors}
    for kind, client in clients.items():
        if kind in limit and client not in (None, ""):
            yield (name, kind, client or 0), limit[kind]


limits = Limits()
