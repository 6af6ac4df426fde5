"""Stores match reports, and finds the matches that lack one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import bots
from games.match_reports.report import VERSION, Report, from_data
from games.models import Match, MatchReport, Seat

MAX_AGE = timedelta(days=1)  # matches that ended earlier get their report by ``manage.py match_reports``
EXPECTED_WITHIN = timedelta(minutes=5)  # of the end of a match

OVER = (Match.Status.FINISHED, Match.Status.STOPPED)


def reportable() -> QuerySet[Match]:
    """Return the matches that are over but not void, and were played or visited by a person."""
    people = Exists(Seat.objects.filter(match=OuterRef("pk"), user__isnull=False))
    over = Match.objects.filter(status__in=OVER, version__gt=0)
    return over.filter(people | Q(visited=True))


def next_match(now: datetime) -> int | None:
    """Return the recently ended match that has waited longest for its report to be begun."""
    fresh = reportable().filter(finished_at__gt=now - MAX_AGE, report=None).order_by("finished_at", "pk")
    return next((pk for pk, variant in fresh.values_list("pk", "variant") if bots.plays(variant)), None)


def missing() -> list[int]:
    """Return the matches without a report of this version, including those whose report failed, newest first."""
    stored = MatchReport.objects.filter(version=VERSION, data__isnull=False)
    rows = reportable().exclude(pk__in=stored.values("match")).order_by("-finished_at", "-pk")
    return [pk for pk, variant in rows.values_list("pk", "variant") if bots.plays(variant)]


@transaction.atomic
def claim(match_id: int) -> bool:
    """Return whether this process is the first to begin the report of a match; False if the match was deleted."""
    if not Match.objects.filter(pk=match_id).exists():
        return False
    _row, created = MatchReport.objects.get_or_create(match_id=match_id, defaults={"version": VERSION})
    return created


@transaction.atomic
def store(match_id: int, data: Mapping[str, Any], seconds: float) -> bool:
    """Store a report. Return whether the match still exists."""
    if not Match.objects.filter(pk=match_id).exists():
        return False
    values = {"version": VERSION, "data": data, "seconds": seconds}
    MatchReport.objects.update_or_create(match_id=match_id, defaults=values)
    return True


def is_awaited(match: Match, now: datetime) -> bool:
    """Return whether the match has just ended, so that its report may still come."""
    return match.finished_at is not None and match.finished_at > now - EXPECTED_WITHIN and bots.plays(match.variant)


def of(match: Match) -> Report | None:
    """Return the report of a match, None without one of this version and for void matches.

    The caller checks that the viewer may know how the match ended (``access.is_over``).
    """
    return of_matches([match.pk]).get(match.pk)


def of_matches(match_ids: Collection[int]) -> dict[int, Report]:
    """Return the reports of matches by match id, as ``of`` does."""
    rows = MatchReport.objects.filter(match__in=match_ids, match__status__in=OVER, version=VERSION)
    return {pk: from_data(data) for pk, data in rows.values_list("match", "data") if data}
