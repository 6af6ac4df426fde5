"""How many reports, decisions and measures there were in each month, without names: what the site publishes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import Count
from django.db.models.functions import TruncMonth

from accounts.models import ModerationAct
from accounts.sanctions.measures import FIGURE_LABELS
from games.models import Report

MONTHS = 12
FEWEST = 5
"""A smaller number is not published: it could tell of a single person."""
REPORTS = "reports"
KINDS = (REPORTS, *FIGURE_LABELS, *(act for act in ModerationAct.Act.values if act != ModerationAct.Act.LOOK))


@dataclass(frozen=True, slots=True)
class Month:
    """Reports by people, and acts by their kind, from the first day of a month on. None is a number below FEWEST."""

    first: date
    counts: Mapping[str, int | None]


def months(now: datetime) -> list[Month]:
    """Return the last months that are over, the newest first, back to the first of them in which anything happened.

    A month that is not over says nothing yet: whoever looked again would see when an act was done.
    """
    firsts = [_first_of(now.astimezone(UTC))]
    while len(firsts) <= MONTHS:
        firsts.append(_first_of(firsts[-1] - timedelta(days=1)))
    found = _counts(since=firsts[-1], until=firsts[0])
    began = min(found, default=firsts[0])
    return [
        Month(first.date(), {kind: count if (count := found[first][kind]) >= FEWEST else None for kind in KINDS})
        for first in firsts[1:]
        if first >= began
    ]


def _counts(*, since: datetime, until: datetime) -> dict[datetime, Counter[str]]:
    found: dict[datetime, Counter[str]] = defaultdict(Counter)
    month, number = TruncMonth("at", tzinfo=UTC), Count("pk")
    reports = (
        Report.objects.filter(detector="", at__gte=since, at__lt=until)
        .exclude(reason=Report.Reason.BY_HAND)
        .values(month=month)
        .annotate(number=number)
    )
    for first, count in reports.order_by().values_list("month", "number"):
        found[first][REPORTS] = count
    acts = (
        ModerationAct.objects.filter(act__in=KINDS, at__gte=since, at__lt=until)
        .values("act", month=month)
        .annotate(number=number)
    )
    for first, act, count in acts.order_by().values_list("month", "act", "number"):
        found[first][act] = count
    return found


def _first_of(moment: datetime) -> datetime:
    return moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
