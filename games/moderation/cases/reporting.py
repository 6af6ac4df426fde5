"""Reporting people. A second report about somebody joins the case that is open."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from accounts.models import ModerationAct, User
from accounts.sanctions import log
from accounts.selectors import lock_people, lock_person
from games.errors import Refused
from games.models import Case, Match, Message, Report
from games.moderation.cases import parties, queue, sources, urgency

A_DAY = timedelta(days=1)
MOST_A_DAY = 20
"""Reports of one person."""
SELDOM = timedelta(days=7)
"""So often at most a detector reports the same person."""


class ReportedPlace(NamedTuple):
    """Where something was seen: a match, at which step of its review, and a line of chat."""

    match: Match | None = None
    step: int | None = None
    message: Message | None = None


@transaction.atomic
def report(*, reporter: User, suspect: User, reason: str, place: ReportedPlace, words: str = "") -> Report:
    """Tell the moderators about a person.

    Raises Refused: ``own`` about oneself, ``reported`` the second time, ``too_many_reports``, ``bad_request`` for a
    reason that there is not, ``gone`` for somebody whose account is deleted.
    """
    if reason not in urgency.KINDS:
        raise Refused("bad_request")
    if reporter.pk == suspect.pk:
        raise Refused("own")
    if not lock_people(reporter.pk, suspect.pk):
        raise Refused("gone")
    _require_few(reporter)
    case, _created = Case.objects.get_or_create(suspect=suspect, area=urgency.KINDS[reason].area, closed_at=None)
    told = Report(case=case, reporter=reporter, reason=reason, words=words.strip()[:300], **place._asdict())
    if case.reports.filter(reporter=reporter, reason=reason, match=place.match, message=place.message).exists():
        raise Refused("reported")
    return _saved(told)


@transaction.atomic
def report_measured(
    *, suspect_id: int, detector: str, reason: str, place: ReportedPlace, words: str, now: datetime
) -> Report | None:
    """Tell the moderators what a detector has measured. Return None for somebody whom it has reported lately."""
    suspect = lock_person(suspect_id)
    lately = Report.objects.filter(case__suspect=suspect_id, detector=detector, at__gt=now - SELDOM)
    if not suspect or lately.exists():
        return None
    case, _created = Case.objects.get_or_create(suspect_id=suspect_id, area=urgency.KINDS[reason].area, closed_at=None)
    return _saved(Report(case=case, detector=detector, reason=reason, words=words[:300], **place._asdict()))


@transaction.atomic
def open_case(
    *, moderator: User, suspect: User | None, area: str, places: Collection[ReportedPlace], words: str, now: datetime
) -> Case:
    """Open a case by hand, or join the one that is open, and hold it unless another moderator does.

    Without a ``suspect`` it is about the ``places`` alone. Raises PermissionDenied, ValidationError for somebody who
    is concerned, Refused ``gone``.
    """
    if not moderator.has_perm(queue.PROPOSE):
        raise PermissionDenied
    matches = {place.match.pk for place in places if place.match}
    log.require_unconcerned(moderator.pk, parties.of_matches(matches) | ({suspect.pk} if suspect else set()))
    if suspect is None:
        case = Case.objects.create(area=area)
    elif lock_person(suspect.pk):
        case, _created = Case.objects.get_or_create(suspect=suspect, area=area, closed_at=None)
    else:
        raise Refused("gone")
    log.require_unconcerned(moderator.pk, parties.of_case(case))
    for place in places:
        _saved(Report(case=case, reason=Report.Reason.BY_HAND, words=words.strip()[:300], **place._asdict()))
    queue.hold(moderator, case, now)
    act, target = ModerationAct.Act.OPEN, f"case:{case.pk}"
    log.write(moderator=moderator, act=act, user=suspect, target=target, reason=words[:300])
    return case


def _saved(told: Report) -> Report:
    told.save()
    told.case.score = sources.score_of(told.case)
    told.case.save(update_fields=["score"])
    return told


def _require_few(reporter: User) -> None:
    if Report.objects.filter(reporter=reporter, at__gt=timezone.now() - A_DAY).count() >= MOST_A_DAY:
        raise Refused("too_many_reports")
