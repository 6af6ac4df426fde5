"""A moderator's decision of a case: the verdict, and what follows from it, all or nothing."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts import sanctions
from accounts.models import Sanction, User
from games.cases import queue
from games.enums import Measure
from games.models import Case, Match, Message
from games.services import moderation

KINDS = {Measure.MUTE: Sanction.Kind.MUTE, Measure.SUSPEND: Sanction.Kind.SUSPENSION}


@transaction.atomic
def decide(
    *, moderator: User, case: Case, measure: str, until: datetime | None, hide: bool, void: bool, reason: str
) -> None:
    """Close a case, and do what was decided; each act is logged with the case as what it was done for.

    ``until``: how long a mute or a suspension lasts. Raises what ``queue.close`` and the acts raise.
    """
    verdict = Case.Verdict.DISMISSED if measure == Measure.DISMISS else Case.Verdict.UPHELD
    queue.close(moderator=moderator, case=case, verdict=verdict, reason=reason, now=timezone.now())
    person, target = case.suspect, f"case:{case.pk}"
    if measure == Measure.WARN:
        sanctions.warn(moderator=moderator, user=person, reason=reason, target=target)
    elif kind := KINDS.get(Measure(measure)):
        sanctions.impose(moderator=moderator, user=person, kind=kind, reason=reason, until=until, target=target)
    if hide:
        for line in Message.objects.filter(pk__in=case.reports.values("message"), hidden=False).select_related("user"):
            moderation.hide_message(moderator=moderator, message=line, reason=reason)
    if void:
        for match in Match.objects.filter(pk__in=case.reports.values("match")).exclude(status=Match.Status.VOID):
            moderation.void_match(moderator=moderator, match=match, reason=reason)
