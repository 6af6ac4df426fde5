"""Reporting people. A second report about somebody joins the case that is open."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.selectors import lock_person
from games.cases import urgency
from games.errors import Refused
from games.models import Case, Match, Message, Report

A_DAY = timedelta(days=1)
MOST_A_DAY = 20
"""Reports of one person."""


class Place(NamedTuple):
    """Where something was seen: a match, at which step of its review, and a line of chat."""

    match: Match | None = None
    step: int | None = None
    message: Message | None = None


@transaction.atomic
def report(*, reporter: User, suspect: User, reason: str, place: Place, words: str = "") -> Report:
    """Tell the moderators about a person.

    Raises Refused: ``own`` about oneself, ``reported`` the second time, ``too_many_reports``, ``bad_request`` for a
    reason that there is not, ``gone`` for somebody whose account is deleted.
    """
    if reason not in urgency.KINDS:
        raise Refused("bad_request")
    if reporter.pk == suspect.pk:
        raise Refused("own")
    # In the order of their keys, so that two people who report each other do not wait for each other.
    found = [lock_person(person) for person in sorted((reporter.pk, suspect.pk))]
    if not all(found):
        raise Refused("gone")
    _require_few(reporter)
    case, _created = Case.objects.get_or_create(suspect=suspect, area=urgency.KINDS[reason].area, closed_at=None)
    told = Report(case=case, reporter=reporter, reason=reason, words=words.strip()[:300], **place._asdict())
    if case.reports.filter(reporter=reporter, reason=reason, match=place.match, message=place.message).exists():
        raise Refused("reported")
    told.save()
    case.score = score_of(case)
    case.save(update_fields=["score"])
    return told


def score_of(case: Case) -> float:
    """Return how urgent a case is by its reports. What its reporters said of the same reason counts once for each."""
    told = set(case.reports.values_list("reason", "reporter"))
    accurate = _accuracies({reporter for _reason, reporter in told if reporter is not None})
    return urgency.score((reason, accurate.get(reporter or 0, urgency.accuracy(()))) for reason, reporter in told)


def accuracy_of(reporter: int | None) -> float:
    """Return how likely a reporter is right, by what came of earlier reports."""
    return urgency.accuracy(()) if reporter is None else _accuracies({reporter}).get(reporter, urgency.accuracy(()))


def _accuracies(reporters: set[int]) -> dict[int, float]:
    """Return the accuracy of each reporter of whose reports something has come. One decision counts once."""
    decided = Report.objects.filter(reporter__in=reporters).exclude(case__closed_at=None)
    verdicts: defaultdict[int, list[str]] = defaultdict(list)
    for reporter, verdict, _case in decided.values_list("reporter", "case__verdict", "case").distinct():
        if reporter is not None:
            verdicts[reporter].append(verdict)
    return {reporter: urgency.accuracy(known) for reporter, known in verdicts.items()}


def _require_few(reporter: User) -> None:
    if Report.objects.filter(reporter=reporter, at__gt=timezone.now() - A_DAY).count() >= MOST_A_DAY:
        raise Refused("too_many_reports")
