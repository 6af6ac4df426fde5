"""Gauges of the whole site, which are the same in every process: matches, late events and boards, open cases."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import nan
from typing import NamedTuple

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client import Gauge

from games.broadcast.database_threads import in_database
from games.models import BoardDay, Case, Match
from infrastructure.scrapes import refresh_at_scrape

LATE_EVENT_AFTER = timedelta(seconds=5)  # the clock handles a due event within half a second
MATCHES = Gauge("dominoes_matches", "Matches that run, and open tables", ["status"])
MATCH_GAUGES = {status: MATCHES.labels(status) for status in Match.UNFINISHED}
LATE_EVENTS = Gauge("dominoes_late_events", "Due events of matches that nobody has handled for 5 seconds")
LATEST_SECONDS = Gauge("dominoes_late_events_seconds", "How late the oldest of these events is; 0 without any")
LATE_BOARDS_SECONDS = Gauge(
    "dominoes_late_boards_seconds", "How late the oldest day of boards that should open or close is; 0 without any"
)
OPEN_CASES = Gauge("dominoes_open_cases", "Cases that wait for a decision of the moderators")


class SiteCounts(NamedTuple):
    matches: dict[str, int]
    late_events: int
    seconds_late: float
    open_cases: int
    seconds_late_boards: float


def count_site(now: datetime) -> SiteCounts:
    """Count with queries that indexes answer."""
    statuses = Match.objects.filter(status__in=Match.UNFINISHED).values_list("status").annotate(Count("pk")).order_by()
    late = Match.objects.filter(due_at__lte=now - LATE_EVENT_AFTER).aggregate(count=Count("pk"), oldest=Min("due_at"))
    seconds_late = (now - late["oldest"]).total_seconds() if late["oldest"] else 0.0
    open_cases = Case.objects.filter(closed_at=None).count()
    return SiteCounts(dict(statuses), late["count"], seconds_late, open_cases, seconds_late_of_boards(now))


def seconds_late_of_boards(now: datetime) -> float:
    unfinished = BoardDay.objects.filter(due_at__isnull=False, date__lte=now.date()).only("date", "opened_at")
    return max([0.0, *((now - day.next_step_at).total_seconds() for day in unfinished)])


@refresh_at_scrape
async def refresh() -> None:
    """Publish the counts. Without the database they are unknown."""
    counts = None
    try:
        counts = await in_database(count_site, timezone.now())
    finally:
        set_gauges(counts)


def set_gauges(counts: SiteCounts | None) -> None:
    for status, gauge in MATCH_GAUGES.items():
        gauge.set(nan if counts is None else counts.matches.get(status, 0))
    LATE_EVENTS.set(nan if counts is None else counts.late_events)
    LATEST_SECONDS.set(nan if counts is None else counts.seconds_late)
    LATE_BOARDS_SECONDS.set(nan if counts is None else counts.seconds_late_boards)
    OPEN_CASES.set(nan if counts is None else counts.open_cases)
