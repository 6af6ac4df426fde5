"""The epoch and units of exact times: a float of seconds since 1970 would lose microseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
MICROSECOND = timedelta(microseconds=1)
