"""Reporters from whom the moderators take no reports for a week. The log of moderation is the only storage."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from games.models import Case
from games.moderation.cases import parties

REFUSAL_LENGTH = timedelta(weeks=1)
PERMISSION = "accounts.mute"
Act = ModerationAct.Act


def takes_reports_from(user_id: int, now: datetime) -> bool:
    """Return False if a moderator stopped taking this person's reports within the last week."""
    acts = ModerationAct.objects.filter(user=user_id, act__in=(Act.REFUSE_REPORTS, Act.TAKE_REPORTS))
    newest = acts.filter(at__gt=now - REFUSAL_LENGTH).order_by("-pk").values_list("act", flat=True).first()
    return newest != Act.REFUSE_REPORTS


def are_refused(_moderator: User, case: Case) -> bool:
    """Return True if reports from reporters of this case are refused at this moment."""
    now = timezone.now()
    return case.closed_at is not None and any(not takes_reports_from(person.pk, now) for person in _reporters(case))


def refuse_reporters(*, moderator: User, case: Case, reason: str) -> None:
    """Take no more reports from the reporters of a case for a week. Raises PermissionDenied, ValidationError."""
    _log(moderator, Act.REFUSE_REPORTS, case, reason)


@transaction.atomic
def take_reports_again(*, moderator: User, case: Case, reason: str) -> None:
    """Undo ``refuse_reporters``. Raises PermissionDenied, ValidationError."""
    _log(moderator, Act.TAKE_REPORTS, case, reason)


def _reporters(case: Case) -> QuerySet[User]:
    return User.objects.filter(reports_made__case=case).distinct().order_by("pk")


def _log(moderator: User, act: str, case: Case, reason: str) -> None:
    concerned = parties.people_of_case(case)
    moderation_log.authorize(moderator=moderator, permission=PERMISSION, reason=reason, parties=concerned)
    target = f"case:{case.pk}"
    for reporter in _reporters(case):
        moderation_log.log_act(moderator=moderator, act=act, user=reporter, target=target, reason=reason)
