"""A moderator's decision of a case: the verdict, and what follows from it, all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.sanctions import imposing
from games.access import table_of
from games.enums import Correction, NoMeasure
from games.models import Case, Match, Message, Seat
from games.moderation import acts, corrections
from games.moderation.cases import queue

SEATED: Mapping[str, Collection[str]] = {
    Correction.REMOVE: Match.UNFINISHED,
    Correction.SETTLE: (Match.Status.RUNNING,),
}
ON_SEATS: Mapping[str, Callable[..., None]] = {
    Correction.REMOVE: acts.remove_from_seat,
    Correction.SETTLE: acts.settle_match,
}


@transaction.atomic
def decide(
    *,
    moderator: User,
    case: Case,
    measure: str,
    reason: str,
    until: datetime | None = None,
    scope: str = "",
    hide: bool = False,
    correction: str = Correction.NONE,
    note: str = "",
) -> None:
    """Close a case, and do what was decided; each act is logged with the case as what it was done for.

    ``until``: how long a mute, a pause or a suspension lasts; ``scope``: where a mute holds, perhaps at the table of
    the newest report. Raises what ``queue.close`` and the acts raise.
    """
    verdict = Case.Verdict.DISMISSED if measure == NoMeasure.DISMISS else Case.Verdict.UPHELD
    queue.close(moderator=moderator, case=case, verdict=verdict, reason=reason, now=timezone.now(), note=note)
    act: dict[str, Any] = {"moderator": moderator, "reason": reason, "evidence": f"case:{case.pk}"}
    if hide:
        for line in Message.objects.filter(pk__in=case.reports.values("message"), hidden=False).select_related("user"):
            acts.hide_message(message=line, **act)
    if correction:
        _correct(case, Correction(correction), act)
    if case.suspect and measure in Sanction.Kind:
        imposing.impose(user=case.suspect, kind=measure, until=until, scope=scope, table=_table_of(case), **act)


def _correct(case: Case, correction: Correction, act: dict[str, Any]) -> None:
    """Do to the reported matches what was decided, where it still applies."""
    if to_seat := ON_SEATS.get(correction):
        for seat in seats_of(case, SEATED[correction]):
            to_seat(seat=seat, **act)
        return
    for match in reported_matches(case):
        if correction == Correction.VOID:
            acts.void_match(match=match, **act)
        elif correction == Correction.STOP and match.status in Match.UNFINISHED:
            acts.stop_match(match=match, **act)
        elif correction == Correction.RATINGS and corrections.has_ratings(act["moderator"], match):
            corrections.take_ratings_back(match=match, **act)


def reported_matches(case: Case) -> QuerySet[Match]:
    """Return the reported matches that are not void."""
    reported = Match.objects.defer("secret").filter(pk__in=case.reports.values("match"))
    return reported.exclude(status=Match.Status.VOID)


def seats_of(case: Case, statuses: Collection[str]) -> QuerySet[Seat]:
    """Return the seats of the suspect in the reported matches of these statuses."""
    reported = Q(match__in=case.reports.values("match"), match__status__in=statuses)
    return Seat.objects.filter(reported, user=case.suspect_id, user__isnull=False).select_related("match")


def _table_of(case: Case) -> str:
    """Return the table of the newest report that names one, "" if none does."""
    newest = case.reports.filter(match__isnull=False).select_related("match__series").order_by("-pk").first()
    return table_of(newest.match) if newest and newest.match else ""
