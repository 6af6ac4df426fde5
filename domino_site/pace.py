"""No address may send forms faster than this, whatever it asks for: the rest of the site has its own finer limits."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

REMEMBERED = 10_000


class Bucket:
    """Holds up to ``size`` tokens, and gains ``rate`` of them a second."""

    __slots__ = ("at", "rate", "size", "tokens")

    def __init__(self, size: float, rate: float, now: float) -> None:
        self.size, self.rate = size, rate
        self.tokens, self.at = size, now

    def take(self, now: float) -> bool:
        """Take a token if there is one."""
        self.tokens = min(self.size, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class FormPace:
    """Answer 429 to an address that posts faster than ``FORMS_A_SECOND`` for long. Counts per process."""

    async_capable = True
    sync_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        self.buckets: dict[str, Bucket] = {}
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or self.bucket(request.META.get("REMOTE_ADDR", "")).take(time.monotonic()):
            return await self.get_response(request)
        with translation.override(translation.get_language_from_request(request)):
            response = render(request, "429.html", status=429)
        response["Retry-After"] = "2"
        return response

    def bucket(self, address: str) -> Bucket:
        bucket = self.buckets.pop(address, None)
        if bucket is None:
            rate = settings.FORMS_A_SECOND
            bucket = Bucket(size=10 * rate, rate=rate, now=time.monotonic())
        # The least recently seen address stands first and is forgotten first.
        self.buckets[address] = bucket
        if len(self.buckets) > REMEMBERED:
            del self.buckets[next(iter(self.buckets))]
        return bucket
