"""Reports as they are kept with their matches: which are missing, whose turn it is to make one, and reading them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import bots
from games.match_reports.report import VERSION, Report, from_data
from games.models import Match, MatchReport, Seat

LATEST = timedelta(days=1)
"""Of matches that ended earlier the clock makes no reports; ``manage.py match_reports`` does."""

SOON = timedelta(minutes=5)

OVER = (Match.Status.FINISHED, Match.Status.STOPPED)


def reportable() -> QuerySet[Match]:
    """Return the matches that have an end and somebody who may want their report: void ones have neither.

    Of a match between bots nobody does, unless it was looked at.
    """
    people = Exists(Seat.objects.filter(match=OuterRef("pk"), user__isnull=False))
    over = Match.objects.filter(status__in=OVER, version__gt=0)
    return over.filter(people | Q(visited=True))


def waiting(now: datetime) -> int | None:
    """Return a match that has just ended and whose report nobody has begun, the oldest; None if there is none."""
    fresh = reportable().filter(finished_at__gt=now - LATEST, report=None).order_by("finished_at", "pk")
    return next((pk for pk, variant in fresh.values_list("pk", "variant") if bots.plays(variant)), None)


def missing() -> list[int]:
    """Return the matches without a report of this version, the newest first, with those of which it failed."""
    known = MatchReport.objects.filter(version=VERSION, data__isnull=False)
    rows = reportable().exclude(pk__in=known.values("match")).order_by("-finished_at", "-pk")
    return [pk for pk, variant in rows.values_list("pk", "variant") if bots.plays(variant)]


def take(match_id: int) -> bool:
    """Return whether this process is the first to begin the report of a match, which may be gone."""
    with transaction.atomic():
        if not Match.objects.filter(pk=match_id).exists():
            return False
        _row, created = MatchReport.objects.get_or_create(match_id=match_id, defaults={"version": VERSION})
        return created


def keep(match_id: int, data: Mapping[str, Any], seconds: float) -> bool:
    """Keep a report. Return whether there is a match for it still."""
    with transaction.atomic():
        if not Match.objects.filter(pk=match_id).exists():
            return False
        values = {"version": VERSION, "data": data, "seconds": seconds}
        MatchReport.objects.update_or_create(match_id=match_id, defaults=values)
        return True


def is_awaited(match: Match, now: datetime) -> bool:
    """Return whether the match has just ended, so that its report may still come."""
    return match.finished_at is not None and match.finished_at > now - SOON and bots.plays(match.variant)


def of(match: Match) -> Report | None:
    """Return the report of a match; None while it is not over, has none of this version, or has been declared void.

    Who may read it is for the caller to ask: whoever may know how the match ended (``access.is_over``).
    """
    return of_matches([match.pk]).get(match.pk)


def of_matches(match_ids: Collection[int]) -> dict[int, Report]:
    """Return the reports of matches by their keys, as ``of`` does."""
    rows = MatchReport.objects.filter(match__in=match_ids, match__status__in=OVER, version=VERSION)
    return {pk: from_data(data) for pk, data in rows.values_list("match", "data") if data}
