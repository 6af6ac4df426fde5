"""The sockets that this process lost without a word: when many go at once it is hardly the fault of their people."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from infrastructure.runtime import PerProcess

WINDOW = timedelta(seconds=10)
LEAST = 8
"""Fewer at once may be one family, or one café."""
SHARE = 4
"""More than one in so many is a fault of the site, or of what stands before it."""
NO_CLOSE_FRAME = 1006
"""The code of a connection that broke. A page that is left or closed says so."""


class Losses:
    """Of all sockets that are ``open``, those lost within ``WINDOW``."""

    def __init__(self) -> None:
        self.open = 0
        self.lost: deque[tuple[datetime, int]] = deque()
        """When each was lost, and how many were open then, itself included."""

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count a socket for as long as it is served."""
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1

    def add(self, now: datetime) -> None:
        """Note that a socket that is still counted was lost."""
        self.lost.append((now, self.open))

    def since(self, now: datetime) -> datetime | None:
        """Return when a loss of many began, None if no more than a few are missing."""
        while self.lost and self.lost[0][0] <= now - WINDOW:
            self.lost.popleft()
        if len(self.lost) < LEAST:
            return None
        began, were_open = self.lost[0]
        return began if len(self.lost) * SHARE > were_open else None


losses = PerProcess(Losses)
