"""The months of open data: when one is due, which process makes it, and what is listed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from games.models import OpenDataMonth
from games.open_data.files import FileInfo
from games.open_data.selection import ONE_DAY, first_of_month, next_month

LEASE = timedelta(minutes=10)  # renewed with every batch of matches
WAIT = ONE_DAY  # after the end of a month, so that its last daily boards are closed


class LeaseLost(Exception):
    """Another process makes the month, because this one was silent for too long."""


def month_due(now: datetime) -> date:
    """Return the latest month whose files can be made.

    >>> month_due(datetime(2026, 11, 1, 23)), month_due(datetime(2026, 11, 2))
    (datetime.date(2026, 9, 1), datetime.date(2026, 10, 1))
    """
    return first_of_month(first_of_month((now - WAIT).date()) - ONE_DAY)


def is_over(month: date, now: datetime) -> bool:
    return next_month(month) <= now.date()


def lease_month(month: date, now: datetime, *, again: bool = False) -> datetime | None:
    """Lease a month that is not made, or ``again``. Return until when, None if another process has it."""
    OpenDataMonth.objects.bulk_create([OpenDataMonth(month=month)], ignore_conflicts=True)
    rows = OpenDataMonth.objects.filter(month=month)
    leased_until = rows.values_list("leased_until", flat=True).get()
    if leased_until is not None and leased_until > now:
        return None
    free = rows.filter(leased_until=leased_until) if again else rows.filter(leased_until=leased_until, made_at=None)
    return now + LEASE if free.update(leased_until=now + LEASE) else None


def renew_lease(month: date, leased_until: datetime, now: datetime) -> datetime:
    """Extend a lease and return its new end. Raises LeaseLost."""
    if not OpenDataMonth.objects.filter(month=month, leased_until=leased_until).update(leased_until=now + LEASE):
        raise LeaseLost
    return now + LEASE


def list_files(month: date, files: Sequence[FileInfo], now: datetime) -> None:
    """Store the list of the complete files of a month, and end its lease."""
    rows = [file._asdict() for file in files]
    OpenDataMonth.objects.filter(month=month).update(files=rows, made_at=now, leased_until=None)


def listed_months() -> list[tuple[date, list[FileInfo]]]:
    """Return the months that have files, the latest first."""
    rows = OpenDataMonth.objects.exclude(made_at=None).values_list("month", "files")
    return [(month, [FileInfo(**row) for row in files]) for month, files in rows if files]


def find_file(month: date, name: str) -> FileInfo | None:
    files = OpenDataMonth.objects.filter(month=month).exclude(made_at=None).values_list("files", flat=True).first()
    return next((FileInfo(**row) for row in files or () if row["name"] == name), None)
