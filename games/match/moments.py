"""The epoch and units of exact times: a float of seconds since 1970 would lose microseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
MICROSECOND = timedelta(microseconds=1)


def milliseconds(moment: datetime) -> int:
    """Return a time as whole milliseconds since 1970.

    >>> milliseconds(moment_of(1_700_000_000_123))
    1700000000123
    """
    return (moment - EPOCH) // MILLISECOND


def moment_of(milliseconds: int) -> datetime:
    """Return the time that is this number of milliseconds after the start of 1970."""
    return EPOCH + milliseconds * MILLISECOND
