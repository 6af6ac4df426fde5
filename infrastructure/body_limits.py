"""Which request bodies are read, decided by the headers.

A large body is stored in a file while it arrives and in memory while its request waits, so only addresses of
``UPLOAD_PATHS`` accept one, and only ``BODIES_PLACES`` for each client address at a time. Of smaller ones, those that
arrive slowly are dropped when an address sends many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from django.conf import settings

from infrastructure.limits import limits
from infrastructure.refusals import BUSY
from infrastructure.runtime import PerProcess

BoundedRequest: TypeAlias = Any  # of ``infrastructure.bounds``, which imports this module
MAX_INCOMPLETE = 100  # bodies of one address that are arriving at the same time; a form arrives in milliseconds


def max_bytes(path: bytes) -> int:
    """Return the largest body that is accepted at this path."""
    is_upload = path.partition(b"?")[0].decode("latin1") in settings.UPLOAD_PATHS
    return settings.BODY_BYTES if is_upload else min(settings.FORM_BYTES, settings.BODY_BYTES)


def hold_place(length: int, address: str) -> Callable[[], None] | None:
    """Return a function that gives the place of a large body back, None for a small one. Raises TooFast."""
    return limits.hold("bodies", address=address) if length > settings.FORM_BYTES else None


class IncompleteBodies:
    """The requests whose bodies are still arriving, by client address, oldest first."""

    def __init__(self) -> None:
        self.requests: dict[str, dict[BoundedRequest, None]] = {}

    def add(self, request: BoundedRequest) -> None:
        """Add a request. If its address has too many, refuse the oldest, so that a newer form still gets through."""
        requests = self.requests.setdefault(request.address, {})
        requests[request] = None
        if len(requests) > MAX_INCOMPLETE:
            oldest = next(iter(requests))
            self.discard(oldest)
            oldest.channel.refuse(BUSY)
            oldest.channel.loseConnection()

    def discard(self, request: BoundedRequest) -> None:
        requests = self.requests.get(request.address, {})
        requests.pop(request, None)
        if not requests:
            self.requests.pop(request.address, None)


incomplete_bodies: PerProcess[IncompleteBodies] = PerProcess(IncompleteBodies)
