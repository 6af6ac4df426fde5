"""Floods: somebody writes too fast in the chat, again and again, whatever the warnings said."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

WEEK = timedelta(days=7)
THRESHOLD = 6
"""Marks within a week. There is at most one a minute."""


def count(marks: Iterable[datetime], now: datetime) -> int:
    """Return how many marks there were within a week."""
    return sum(now - WEEK < at <= now for at in marks)
