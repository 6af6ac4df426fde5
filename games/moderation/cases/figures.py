"""The published figures: reports, decisions and measures a month, without names."""

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

MAX_MONTHS = 12
MIN_PUBLISHED_COUNT = 5  # a smaller number is not published, since it could identify a person
REPORTS = "reports"
# Acts without a decision about anybody: looks, and what operators switch for the whole site.
OTHER_ACTS = {
    *(ModerationAct.Act.LOOK, ModerationAct.Act.SET_BANNER, ModerationAct.Act.PAUSE_MATCHES),
    *(ModerationAct.Act.RESUME_MATCHES, ModerationAct.Act.STOP_CLOCKS, ModerationAct.Act.START_CLOCKS),
    ModerationAct.Act.END_PROCESS,
}
FIGURE_KINDS = (REPORTS, *FIGURE_LABELS, *(act for act in ModerationAct.Act.values if act not in OTHER_ACTS))


@dataclass(frozen=True, slots=True)
class Month:
    """The number of reports by people and of acts by kind in a month, None if below ``MIN_PUBLISHED_COUNT``."""

    first: date
    counts: Mapping[str, int | None]


def monthly_figures(now: datetime) -> list[Month]:
    """Return the last complete months, newest first, back to the first in which anything happened.

    The current month is left out: watching its numbers would reveal when an act happened.
    """
    firsts = [_first_day_of_month(now.astimezone(UTC))]
    while len(firsts) <= MAX_MONTHS:
        firsts.append(_first_day_of_month(firsts[-1] - timedelta(days=1)))
    counts = _counts_by_month(since=firsts[-1], until=firsts[0])
    began = min(counts, default=firsts[0])
    return [
        Month(
            first.date(),
            {kind: count if (count := counts[first][kind]) >= MIN_PUBLISHED_COUNT else None for kind in FIGURE_KINDS},
        )
        for first in firsts[1:]
        if first >= began
    ]


def _counts_by_month(*, since: datetime, until: datetime) -> dict[datetime, Counter[str]]:
    counts: dict[datetime, Counter[str]] = defaultdict(Counter)
    month = TruncMonth("at", tzinfo=UTC)
    reports = Report.objects.filter(detector="", at__gte=since, at__lt=until).exclude(reason=Report.Reason.BY_HAND)
    for first, count in reports.values_list(month).annotate(Count("pk")).order_by():
        counts[first][REPORTS] = count
    acts = ModerationAct.objects.filter(act__in=FIGURE_KINDS, at__gte=since, at__lt=until)
    for first, act, count in acts.values_list(month, "act").annotate(Count("pk")).order_by():
        counts[first][act] = count
    return counts


def _first_day_of_month(time: datetime) -> datetime:
    return time.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
