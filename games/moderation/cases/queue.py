"""The queue of cases, and closing a case.

Moderators see no case about themselves and none that they reported. They decide no case about a match at which they
had a seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from accounts import notices
from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from games.errors import Refused
from games.models import Case, Match, Report, Seat
from games.moderation.cases import parties

HOLD_DURATION = timedelta(minutes=20)  # how long a case is reserved for its moderator
ONLINE_WINDOW = timedelta(minutes=1)  # activity at a table within this window counts as online
DECIDE_PERMISSION, PROPOSE_PERMISSION, MUTE_PERMISSION = "games.decide_case", "games.propose_decision", "accounts.mute"
ACT_OF_VERDICT = {
    Case.Verdict.UPHELD: ModerationAct.Act.UPHOLD,
    Case.Verdict.DISMISSED: ModerationAct.Act.DISMISS,
}


def cases_visible_to(moderator_id: int | None) -> Q:
    """Return the cases that a moderator may see: none by or about themselves."""
    own_reports = Report.objects.filter(case=OuterRef("pk"), reporter=moderator_id)
    return ~Q(suspect=moderator_id) & ~Q(Exists(own_reports))


def rank_cases(cases: QuerySet[Case], now: datetime) -> QuerySet[Case]:
    """Return the cases in the order of the queue: open ones first, then suspects who are online, then by urgency."""
    # A subquery without the case runs once: few seats are at unfinished tables.
    active = Seat.objects.filter(
        match__status__in=Match.UNFINISHED, last_seen__gt=now - ONLINE_WINDOW, user__isnull=False
    )
    is_online = Coalesce(ExpressionWrapper(Q(suspect__in=active.values("user")), BooleanField()), False)
    reports = Report.objects.filter(case=OuterRef("pk")).order_by().values("case").annotate(number=Count("pk"))
    annotated = cases.annotate(is_online=is_online, report_count=Subquery(reports.values("number")))
    return annotated.order_by(F("closed_at").desc(nulls_first=True), "-is_online", "-score", "pk")


def waiting_cases(moderator: User, now: datetime) -> QuerySet[Case]:
    """Return the open cases that this moderator may take, in the order of the queue.

    A case with a proposed decision needs another moderator, one who may decide it. Cases that they left to others are
    left out.
    """
    free = Q(held_until=None) | Q(held_until__lte=now) | Q(holder=moderator)
    proposed = Q(area__in=decidable_areas(moderator)) & ~Q(proposed_by=moderator)
    allowed = cases_visible_to(moderator.pk) & parties.cases_without_seat_of(moderator.pk)
    cases = Case.objects.filter(allowed, free, Q(proposed_by=None) | proposed, closed_at=None)
    return rank_cases(cases.exclude(pk__in=_cases_left_by(moderator)), now)


def _cases_left_by(moderator: User) -> list[int]:
    acts = ModerationAct.objects.filter(moderator=moderator, act=ModerationAct.Act.LEAVE)
    return [int(target.removeprefix("case:")) for target in acts.values_list("target", flat=True)]


def decidable_areas(moderator: User) -> list[str]:
    """Return the areas in which this moderator decides alone."""
    if moderator.has_perm(DECIDE_PERMISSION):
        return list(Case.Area.values)
    return [Case.Area.CHAT] if moderator.has_perm(MUTE_PERMISSION) else []


def may_decide(moderator: User, case: Case) -> bool:
    return case.area in decidable_areas(moderator)


@transaction.atomic
def reserve_next_case(moderator: User, now: datetime) -> Case | None:
    """Reserve the first case, or the one that this moderator holds already. Return None if nothing waits."""
    cases = waiting_cases(moderator, now).select_for_update(no_key=True, of=("self",))
    case = cases.filter(holder=moderator, held_until__gt=now).first() or cases.first()
    if case is not None:
        hold_case(moderator, case, now)
    return case


def hold_case(moderator: User, case: Case, now: datetime) -> None:
    """Reserve a case for a moderator, unless another one holds it."""
    if case.holder_id in (None, moderator.pk) or case.held_until is None or case.held_until <= now:
        case.holder, case.held_until = moderator, now + HOLD_DURATION
        case.save(update_fields=["holder", "held_until"])


@transaction.atomic
def leave_case(*, moderator: User, case: Case, note: str, now: datetime) -> None:
    """Leave an open case to other moderators, with a note in the log; *Next case* offers it only to them.

    Raises the errors of ``close_case``, and ValidationError without a note.
    """
    if not note.strip():
        raise ValidationError(_("Write a note for the other moderators."), code="note")
    moderation_log.authorize(
        moderator=moderator, permission=PROPOSE_PERMISSION, reason=note, parties=parties.people_of_case(case)
    )
    row = _lock_open_case(moderator, case, now)
    row.holder = row.held_until = None
    row.save(update_fields=["holder", "held_until"])
    act, target = ModerationAct.Act.LEAVE, f"case:{row.pk}"
    moderation_log.log_act(moderator=moderator, act=act, user=row.suspect, target=target, reason=note[:300])


@transaction.atomic
def propose_decision(*, moderator: User, case: Case, proposal: Mapping[str, Any], reason: str, now: datetime) -> None:
    """Store the fields of a decision for a second person, who makes it.

    Raises the errors of ``close_case``, and Refused ``case_proposed`` if a decision was proposed already.
    """
    moderation_log.authorize(
        moderator=moderator, permission=PROPOSE_PERMISSION, reason=reason, parties=parties.people_of_case(case)
    )
    row = _lock_open_case(moderator, case, now)
    if row.proposed_by_id is not None:
        raise Refused("case_proposed")
    row.proposal, row.proposed_by = dict(proposal), moderator
    row.holder = row.held_until = None
    row.save(update_fields=["proposal", "proposed_by", "holder", "held_until"])
    act, target = ModerationAct.Act.PROPOSE, f"case:{row.pk}"
    moderation_log.log_act(moderator=moderator, act=act, user=row.suspect, target=target, reason=reason)


@transaction.atomic
def close_case(*, moderator: User, case: Case, verdict: str, reason: str, now: datetime, note: str = "") -> None:
    """Close a case with a verdict, and notify its reporters. Only moderators read the ``note``.

    Raises PermissionDenied, ValidationError without a reason, Refused ``case_closed`` or ``case_held`` (by another).
    """
    permission = (
        MUTE_PERMISSION
        if case.area == Case.Area.CHAT and not moderator.has_perm(DECIDE_PERMISSION)
        else DECIDE_PERMISSION
    )
    moderation_log.authorize(
        moderator=moderator, permission=permission, reason=reason, parties=parties.people_of_case(case)
    )
    row = _lock_open_case(moderator, case, now)
    row.closed_at, row.verdict, row.note = now, verdict, note.strip()
    row.holder = row.held_until = None
    row.save(update_fields=["closed_at", "verdict", "note", "holder", "held_until"])
    reporters = set(row.reports.filter(reporter__isnull=False).values_list("reporter", flat=True))
    details = {"name": str(row.suspect), "verdict": verdict, "case": row.pk}
    notices.send("report_decided", dict.fromkeys(reporters, details))
    act, target = ACT_OF_VERDICT[Case.Verdict(verdict)], f"case:{row.pk}"
    moderation_log.log_act(moderator=moderator, act=act, user=row.suspect, target=target, reason=reason)


def _lock_open_case(moderator: User, case: Case, now: datetime) -> Case:
    """Lock a case that this moderator can decide now. Raises Refused."""
    row = Case.objects.select_for_update(no_key=True).filter(cases_visible_to(moderator.pk), pk=case.pk).first()
    if row is None or row.closed_at is not None:
        raise Refused("case_closed")
    if row.holder_id != moderator.pk and row.held_until is not None and row.held_until > now:
        raise Refused("case_held")
    return row
