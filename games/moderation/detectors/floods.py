"""Floods: writing too fast in the chat again and again, despite warnings."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

WEEK = timedelta(days=7)
THRESHOLD = 6  # marks within a week; there is at most one a minute


def count_recent_marks(marks: Iterable[datetime], now: datetime) -> int:
    """Return the number of marks within the last week."""
    return sum(now - WEEK < at <= now for at in marks)
