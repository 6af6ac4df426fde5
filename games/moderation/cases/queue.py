"""The queue of cases, and deciding one.

Nobody sees a case about themselves, or one that they reported. Nobody decides a case about a match at which they had a
seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts import notices
from accounts.models import ModerationAct, User
from accounts.sanctions import log
from games.errors import Refused
from games.models import Case, Match, Report, Seat
from games.moderation.cases import parties

HOLD = timedelta(minutes=20)
"""So long a case is its moderator's alone."""
ONLINE = timedelta(minutes=1)
"""Whoever was at a table so lately is taken for online."""
DECIDE, PROPOSE, MUTE = "games.decide_case", "games.propose_decision", "accounts.mute"
CLOSING = {
    Case.Verdict.UPHELD: ModerationAct.Act.UPHOLD,
    Case.Verdict.DISMISSED: ModerationAct.Act.DISMISS,
}


def visible_to(moderator_id: int | None) -> Q:
    """Return the cases that a moderator may see: as judge, not as a party."""
    own = Report.objects.filter(case=OuterRef("pk"), reporter=moderator_id)
    return ~Q(suspect=moderator_id) & ~Q(Exists(own))


def ranked(cases: QuerySet[Case], now: datetime) -> QuerySet[Case]:
    """Return the cases in the order of the queue: open ones before others, people who are online first."""
    # Read once, and not for each case: there are few seats at tables that are not over.
    seen = Seat.objects.filter(match__status__in=Match.UNFINISHED, last_seen__gt=now - ONLINE, user__isnull=False)
    is_online = Coalesce(ExpressionWrapper(Q(suspect__in=seen.values("user")), BooleanField()), False)
    told = Report.objects.filter(case=OuterRef("pk")).order_by().values("case").annotate(number=Count("pk"))
    counted = cases.annotate(is_online=is_online, reports_made=Subquery(told.values("number")))
    return counted.order_by(F("closed_at").desc(nulls_first=True), "-is_online", "-score", "pk")


def waiting(moderator: User, now: datetime) -> QuerySet[Case]:
    """Return the open cases that this moderator may take: those of people online first, then the most urgent.

    Who has proposed a decision waits for somebody else's, and what is proposed for somebody who may decide it.
    """
    free = Q(held_until=None) | Q(held_until__lte=now) | Q(holder=moderator)
    proposed = Q(area__in=areas_of(moderator)) & ~Q(proposed_by=moderator)
    judged = visible_to(moderator.pk) & parties.without_seat_of(moderator.pk)
    return ranked(Case.objects.filter(judged, free, Q(proposed_by=None) | proposed, closed_at=None), now)


def areas_of(moderator: User) -> list[str]:
    """Return the areas in which this moderator decides alone."""
    if moderator.has_perm(DECIDE):
        return list(Case.Area.values)
    return [Case.Area.CHAT] if moderator.has_perm(MUTE) else []


def may_decide(moderator: User, case: Case) -> bool:
    return case.area in areas_of(moderator)


@transaction.atomic
def take_next(moderator: User, now: datetime) -> Case | None:
    """Take the most urgent case, or the one that this moderator holds already. Return None if nothing waits."""
    cases = waiting(moderator, now).select_for_update(no_key=True, of=("self",))
    case = cases.filter(holder=moderator, held_until__gt=now).first() or cases.first()
    if case is not None:
        hold(moderator, case, now)
    return case


def hold(moderator: User, case: Case, now: datetime) -> None:
    """Give a case to a moderator alone for a while, unless it is another's already."""
    if case.holder_id in (None, moderator.pk) or case.held_until is None or case.held_until <= now:
        case.holder, case.held_until = moderator, now + HOLD
        case.save(update_fields=["holder", "held_until"])


@transaction.atomic
def propose(*, moderator: User, case: Case, proposal: Mapping[str, str], reason: str, now: datetime) -> None:
    """Keep the fields of a decision for a second person, who makes it.

    Raises what ``close`` raises, and Refused ``case_proposed`` where somebody has proposed a decision already.
    """
    concerned = parties.of_case(case)
    log.require(moderator=moderator, permission=PROPOSE, reason=reason, parties=concerned)
    found = _open(moderator, case, now)
    if found.proposed_by_id is not None:
        raise Refused("case_proposed")
    found.proposal, found.proposed_by = dict(proposal), moderator
    found.holder = found.held_until = None
    found.save(update_fields=["proposal", "proposed_by", "holder", "held_until"])
    act, target = ModerationAct.Act.PROPOSE, f"case:{found.pk}"
    log.write(moderator=moderator, act=act, user=found.suspect, target=target, reason=reason)


@transaction.atomic
def close(*, moderator: User, case: Case, verdict: str, reason: str, now: datetime, note: str = "") -> None:
    """Decide a case, and tell its reporters what came of it. Only those who moderate read the ``note``.

    Raises PermissionDenied, ValidationError without a reason, Refused ``case_closed`` or ``case_held`` (by another).
    """
    permission = MUTE if case.area == Case.Area.CHAT and not moderator.has_perm(DECIDE) else DECIDE
    log.require(moderator=moderator, permission=permission, reason=reason, parties=parties.of_case(case))
    found = _open(moderator, case, now)
    found.closed_at, found.verdict, found.note = now, verdict, note.strip()
    found.holder = found.held_until = None
    found.save(update_fields=["closed_at", "verdict", "note", "holder", "held_until"])
    reporters = set(found.reports.filter(reporter__isnull=False).values_list("reporter", flat=True))
    facts = {"name": str(found.suspect), "verdict": verdict, "case": found.pk}
    notices.send("report_decided", dict.fromkeys(reporters, facts))
    log.write(
        moderator=moderator,
        act=CLOSING[Case.Verdict(verdict)],
        user=found.suspect,
        target=f"case:{found.pk}",
        reason=reason,
    )


def _open(moderator: User, case: Case, now: datetime) -> Case:
    """Lock a case that this moderator can decide now. Raises Refused."""
    found = Case.objects.select_for_update(no_key=True).filter(visible_to(moderator.pk), pk=case.pk).first()
    if found is None or found.closed_at is not None:
        raise Refused("case_closed")
    if found.holder_id != moderator.pk and found.held_until is not None and found.held_until > now:
        raise Refused("case_held")
    return found
