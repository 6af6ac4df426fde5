"""No address may send forms faster than this, whatever it asks for: the rest of the site has its own finer limits."""

from __future__ import annotations

import time
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from domino_site.addresses import client_key

REMEMBERED = 10_000


class Bucket:
    """Holds up to ``size`` tokens, and gains ``rate`` of them a second; a form or a frame of a socket takes one."""

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


class FormPace(MiddlewareMixin):
    """Answer 429 to an address that posts faster than ``FORMS_A_SECOND`` for long. Counts per process."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.buckets: dict[str, Bucket] = {}
        self.lock = Lock()

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if request.method != "POST" or self.has_time(client_key(request.META.get("REMOTE_ADDR", ""))):
            return None
        with translation.override(translation.get_language_from_request(request)):
            response = render(request, "429.html", status=429)
        response["Retry-After"] = "2"
        return response

    def has_time(self, address: str) -> bool:
        # Every request has a thread of its own.
        with self.lock:
            return self.bucket(address).take(time.monotonic())

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
