"""A moderator's decision of a case: the verdict, and what follows from it, all or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import sanctions
from accounts.models import Sanction, User
from games.access import table_of
from games.cases import queue
from games.enums import Measure
from games.models import Case, Match, Message, Seat
from games.services import corrections, moderation

KINDS = {
    Measure.MUTE: Sanction.Kind.MUTE,
    Measure.PAUSE: Sanction.Kind.PAUSE,
    Measure.SUSPEND: Sanction.Kind.SUSPENSION,
    Measure.RENAME: Sanction.Kind.RENAMING,
    Measure.CLOSE: Sanction.Kind.CLOSURE,
}


@transaction.atomic
def decide(
    *,
    moderator: User,
    case: Case,
    measure: str,
    until: datetime | None,
    hide: bool,
    void: bool,
    reason: str,
    scope: str = "",
    ratings: bool = False,
    settle: bool = False,
    note: str = "",
) -> None:
    """Close a case, and do what was decided; each act is logged with the case as what it was done for.

    ``until``: how long a mute, a pause or a suspension lasts; ``scope``: where a mute holds, perhaps at the table of
    the newest report. Raises what ``queue.close`` and the acts raise.
    """
    verdict = Case.Verdict.DISMISSED if measure == Measure.DISMISS else Case.Verdict.UPHELD
    queue.close(moderator=moderator, case=case, verdict=verdict, reason=reason, now=timezone.now(), note=note)
    _correct(case, moderator=moderator, reason=reason, hide=hide, settle=settle, void=void, ratings=ratings)
    person, target = case.suspect, f"case:{case.pk}"
    if measure == Measure.WARN:
        sanctions.warn(moderator=moderator, user=person, reason=reason, target=target)
    elif kind := KINDS.get(Measure(measure)):
        where = {"scope": scope, "table": _table_of(case)}
        sanctions.impose(
            moderator=moderator, user=person, kind=kind, reason=reason, until=until, target=target, **where
        )


def _correct(case: Case, *, moderator: User, reason: str, hide: bool, settle: bool, void: bool, ratings: bool) -> None:
    """Do to the reported lines and matches what was decided."""
    if hide:
        for line in Message.objects.filter(pk__in=case.reports.values("message"), hidden=False).select_related("user"):
            moderation.hide_message(moderator=moderator, message=line, reason=reason)
    for seat in running_seats(case) if settle and not void else ():
        moderation.settle_match(moderator=moderator, seat=seat, reason=reason)
    for match in _matches(case) if void or ratings else ():
        if void:
            moderation.void_match(moderator=moderator, match=match, reason=reason)
        elif corrections.has_ratings(moderator, match):
            corrections.take_ratings_back(moderator=moderator, match=match, reason=reason)


def _matches(case: Case) -> Iterable[Match]:
    """Return the reported matches that are not void."""
    return Match.objects.filter(pk__in=case.reports.values("match")).exclude(status=Match.Status.VOID)


def running_seats(case: Case) -> QuerySet[Seat]:
    """Return the seats of the suspect in the reported matches that still run."""
    running = Q(match__in=case.reports.values("match"), match__status=Match.Status.RUNNING)
    return Seat.objects.filter(running, user=case.suspect_id).select_related("match")


def _table_of(case: Case) -> str:
    """Return the table of the newest report that names one, "" if none does."""
    told = case.reports.filter(match__isnull=False).select_related("match__series").order_by("-pk").first()
    return table_of(told.match) if told and told.match else ""
