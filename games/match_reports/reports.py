"""Stores match reports, and finds the matches that lack one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import bots
from games.match.disclosure import ended_or_disclosed_after, open_board_ids
from games.match_reports.report import REPORT_VERSION, Report, report_from_data
from games.models import Match, MatchReport, Seat

MAX_MATCH_AGE = timedelta(days=1)  # matches that ended earlier get their report by ``manage.py match_reports``
REPORT_EXPECTED_WITHIN = timedelta(minutes=5)  # of the end of a match

OVER_STATUSES = (Match.Status.FINISHED, Match.Status.STOPPED)


def reportable_matches() -> QuerySet[Match]:
    """Return the matches that are over but not void, and were played or visited by a person."""
    has_people = Exists(Seat.objects.filter(match=OuterRef("pk"), user__isnull=False))
    matches = Match.objects.filter(status__in=OVER_STATUSES, version__gt=0).exclude(pk__in=open_board_ids())
    return matches.filter(has_people | Q(visited=True))


def next_match_to_report(now: datetime) -> int | None:
    """Return the recently ended match that has waited longest for its report."""
    matches = reportable_matches().filter(ended_or_disclosed_after(now - MAX_MATCH_AGE), report=None)
    rows = matches.order_by("finished_at", "pk")
    return next((pk for pk, variant in rows.values_list("pk", "variant") if bots.has_bot_for_variant(variant)), None)


def next_match_with_outdated_report() -> int | None:
    """Return the latest match with a report of an older version."""
    reports = MatchReport.objects.filter(version__lt=REPORT_VERSION, match__status__in=OVER_STATUSES)
    return reports.order_by("-match__finished_at", "-match").values_list("match", flat=True).first()


def unreported_match_ids() -> list[int]:
    """Return the matches without a report of this version, including those whose report failed, newest first."""
    reports = MatchReport.objects.filter(version=REPORT_VERSION, data__isnull=False)
    matches = reportable_matches().exclude(pk__in=reports.values("match")).order_by("-finished_at", "-pk")
    return [pk for pk, variant in matches.values_list("pk", "variant") if bots.has_bot_for_variant(variant)]


@transaction.atomic
def claim_report(match_id: int) -> bool:
    """Return whether this process is the first to begin the report of a match, a new one or one of this version.

    Return False if the match was deleted. An outdated report is removed.
    """
    if not Match.objects.filter(pk=match_id).exists():
        return False
    _row, created = MatchReport.objects.get_or_create(match_id=match_id, defaults={"version": REPORT_VERSION})
    outdated = MatchReport.objects.filter(match=match_id, version__lt=REPORT_VERSION)
    return created or outdated.update(version=REPORT_VERSION, data=None) > 0


@transaction.atomic
def store_report(match_id: int, data: Mapping[str, Any], seconds: float) -> bool:
    """Store a report. Return whether the match still exists."""
    if not Match.objects.filter(pk=match_id).exists():
        return False
    values = {"version": REPORT_VERSION, "data": data, "seconds": seconds}
    MatchReport.objects.update_or_create(match_id=match_id, defaults=values)
    return True


def is_report_expected(match: Match, now: datetime) -> bool:
    """Return whether the match has just ended, so that its report may still come."""
    return (
        match.finished_at is not None
        and match.finished_at > now - REPORT_EXPECTED_WITHIN
        and bots.has_bot_for_variant(match.variant)
    )


def report_of(match: Match) -> Report | None:
    """Return the report of a match, None without one of this version and for void matches.

    The caller checks that the viewer may know how the match ended (``access.is_over_for``).
    """
    return reports_of([match.pk]).get(match.pk)


def reports_of(match_ids: Collection[int]) -> dict[int, Report]:
    """Return the reports of matches by match id, as ``report_of`` does."""
    rows = MatchReport.objects.filter(match__in=match_ids, match__status__in=OVER_STATUSES, version=REPORT_VERSION)
    return {pk: report_from_data(data) for pk, data in rows.values_list("match", "data") if data}
