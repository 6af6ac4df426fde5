"""Reporting people. A report joins the open case about the person in its area, or opens one."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from accounts.selectors import lock_people, lock_person
from games.enums import CaseArea, Detector
from games.errors import Refused
from games.models import Case, Match, Message, Report
from games.moderation.cases import parties, queue, refused_reporters, sources, urgency

MAX_REPORTS_A_DAY = 20  # by one person
DETECTOR_INTERVAL = timedelta(days=7)  # a detector reports a person at most once within this time


class ReportedPlace(NamedTuple):
    """Where something happened: in a match, at a step of its review, in a line of chat."""

    match: Match | None = None
    step: int | None = None
    message: Message | None = None


@transaction.atomic
def report_person(*, reporter: User, suspect: User, reason: str, place: ReportedPlace, words: str = "") -> Report:
    """Report a person to the moderators.

    Raises Refused: ``own`` (oneself), ``reported`` (already), ``too_many_reports``, ``reports_refused`` (for a week),
    ``bad_request`` (unknown reason), ``gone`` (a deleted account).
    """
    if reason not in urgency.REASON_KINDS:
        raise Refused("bad_request")
    if reporter.pk == suspect.pk:
        raise Refused("own")
    if not lock_people(reporter.pk, suspect.pk):
        raise Refused("gone")
    _require_reports_welcome(reporter, timezone.now())
    case, _created = Case.objects.get_or_create(
        suspect=suspect, area=urgency.REASON_KINDS[reason].area, closed_at=None
    )
    if case.reports.filter(reporter=reporter, reason=reason, match=place.match, message=place.message).exists():
        raise Refused("reported")
    return _add_report(case, place, reason, words.strip(), reporter=reporter)


def _require_reports_welcome(reporter: User, now: datetime) -> None:
    if not refused_reporters.takes_reports_from(reporter.pk, now):
        raise Refused("reports_refused")
    if Report.objects.filter(reporter=reporter, at__gt=now - timedelta(days=1)).count() >= MAX_REPORTS_A_DAY:
        raise Refused("too_many_reports")


@transaction.atomic
def report_finding(
    *, suspect_id: int, detector: str, reason: str, place: ReportedPlace, words: str, now: datetime
) -> Report | None:
    """Report the measure of a detector. Return None if it reported the person recently, or the account is gone."""
    exists = lock_person(suspect_id)
    recent = Report.objects.filter(case__suspect=suspect_id, detector=detector, at__gt=now - DETECTOR_INTERVAL)
    if not exists or recent.exists():
        return None
    case, _created = Case.objects.get_or_create(
        suspect_id=suspect_id, area=urgency.REASON_KINDS[reason].area, closed_at=None
    )
    return _add_report(case, place, reason, words, detector=detector)


@transaction.atomic
def report_raid(*, match: Match, lines: Collection[Message], words: str) -> Case:
    """Report a raid of a chat: one line of each writer. It joins the open case about raids of this match.

    The case has no suspect. The first report has the ``words``.
    """
    raids = Case.objects.filter(suspect=None, closed_at=None, reports__match=match, reports__detector=Detector.RAID)
    case = raids.first() or Case.objects.create(area=CaseArea.CHAT)
    for line in lines:
        place = ReportedPlace(match, None, line)
        _add_report(case, place, Report.Reason.SPAMS, words, detector=Detector.RAID)
        words = ""
    return case


@transaction.atomic
def open_case(
    *, moderator: User, suspect: User | None, area: str, places: Collection[ReportedPlace], words: str, now: datetime
) -> Case:
    """Open a case by hand, or join the open one, and reserve it unless another moderator holds it.

    Without a ``suspect`` it is about the ``places`` alone. Raises PermissionDenied, ValidationError if the moderator
    is concerned, Refused ``gone``.
    """
    if not moderator.has_perm(queue.PROPOSE_PERMISSION):
        raise PermissionDenied
    matches = {place.match.pk for place in places if place.match}
    moderation_log.require_impartial(
        moderator.pk, parties.people_of_matches(matches) | ({suspect.pk} if suspect else set())
    )
    if suspect is None:
        case = Case.objects.create(area=area)
    elif lock_person(suspect.pk):
        case, _created = Case.objects.get_or_create(suspect=suspect, area=area, closed_at=None)
    else:
        raise Refused("gone")
    moderation_log.require_impartial(moderator.pk, parties.people_of_case(case))
    for place in places:
        _add_report(case, place, Report.Reason.BY_HAND, words.strip())
    queue.hold_case(moderator, case, now)
    act, target = ModerationAct.Act.OPEN, f"case:{case.pk}"
    moderation_log.log_act(moderator=moderator, act=act, user=suspect, target=target, reason=words[:300])
    return case


def _add_report(case: Case, place: ReportedPlace, reason: str, words: str, **columns: Any) -> Report:
    report = Report.objects.create(case=case, reason=reason, words=words[:300], **place._asdict(), **columns)
    case.score = sources.case_urgency(case)
    case.save(update_fields=["score"])
    return report
