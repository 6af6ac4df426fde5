"""Deciding a case: the verdict and all acts that follow from it, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.sanctions import imposing
from games.access import table_slug
from games.chat import limits, posting
from games.enums import ChatLimit, MatchCorrection, VerdictOnly
from games.models import Case, Match, Message, Seat
from games.moderation import acts, chats, corrections
from games.moderation.cases import queue, refused_reporters
from games.moderation.cases.permissions import HIDE_PERMISSION

# Corrections of seats: the act, and the statuses of matches that it applies to.
SEAT_ACTS: Mapping[str, tuple[Callable[..., None], Collection[str]]] = {
    MatchCorrection.REMOVE: (acts.remove_from_seat, Match.UNFINISHED),
    MatchCorrection.SETTLE: (acts.settle_match, (Match.Status.RUNNING,)),
}

# Limits of the chats of the reported matches.
CHAT_ACTS: Mapping[str, tuple[Callable[..., None], str]] = {
    MatchCorrection.SLOW_CHAT: (chats.slow_chats, ChatLimit.SLOW),
    MatchCorrection.CLOSE_CHAT: (chats.close_chats, ChatLimit.CLOSED),
}
HIDING_FIELDS = ("hide", "hide_writers", "lines")


@transaction.atomic
def decide_case(
    *,
    moderator: User,
    case: Case,
    measure: str,
    reason: str,
    until: datetime | None = None,
    scope: str = "",
    lines: Collection[int] = (),
    hide: bool = False,
    hide_writers: bool = False,
    correction: str = MatchCorrection.NONE,
    refuse_reporters: bool = False,
    note: str = "",
) -> None:
    """Close a case, and perform the decision; each act is logged with the case as evidence.

    ``hide`` hides the reported lines, ``hide_writers`` everything that their writers wrote at the reported matches.
    ``lines`` are further lines there, by anybody.
    ``until`` is the end of a mute, pause or suspension. ``scope`` is where a mute applies; one at a single table
    applies to that of the newest report. ``refuse_reporters`` takes no reports from the reporters for a week. Raises
    the errors of ``queue.close_case`` and of the acts.
    """
    verdict = Case.Verdict.DISMISSED if measure == VerdictOnly.DISMISS else Case.Verdict.UPHELD
    queue.close_case(moderator=moderator, case=case, verdict=verdict, reason=reason, now=timezone.now(), note=note)
    act_arguments: dict[str, Any] = {"moderator": moderator, "reason": reason, "evidence": f"case:{case.pk}"}
    _hide_lines(case, lines, act_arguments, reported=hide, of_writers=hide_writers)
    if correction:
        _correct_matches(case, MatchCorrection(correction), act_arguments)
    if refuse_reporters:
        refused_reporters.refuse_reporters(moderator=moderator, case=case, reason=reason)
    if case.suspect and measure in Sanction.Kind:
        table = _newest_reported_table(case)
        imposing.impose(user=case.suspect, kind=measure, until=until, scope=scope, table=table, **act_arguments)


@transaction.atomic
def propose_decision(
    *,
    moderator: User,
    case: Case,
    proposal: Mapping[str, Any],
    reason: str,
    lines: Collection[int] = (),
    hide: bool = False,
    hide_writers: bool = False,
) -> None:
    """Store the fields of a decision for a second person. Lines that this moderator may hide disappear at once.

    Raises the errors of ``queue.propose_decision`` and ``acts.hide_message``.
    """
    may_hide = moderator.has_perm(HIDE_PERMISSION)
    fields = {name: value for name, value in proposal.items() if not (may_hide and name in HIDING_FIELDS)}
    queue.propose_decision(moderator=moderator, case=case, proposal=fields, reason=reason, now=timezone.now())
    if may_hide:
        act_arguments = {"moderator": moderator, "reason": reason, "evidence": f"case:{case.pk}"}
        _hide_lines(case, lines, act_arguments, reported=hide, of_writers=hide_writers)


def _hide_lines(
    case: Case, lines: Collection[int], act_arguments: dict[str, Any], *, reported: bool, of_writers: bool
) -> None:
    """Hide the chosen lines of the reported matches, the reported lines, or everything that their writers wrote."""
    hidden = Q(pk__in=lines, match__in=case.reports.values("match"))
    if reported:
        hidden |= Q(pk__in=case.reports.values("message"))
    if of_writers:
        hidden |= Q(pk__in=lines_of_writers(case))
    for line in Message.objects.filter(hidden, hidden=False).select_related("user", "match").order_by("pk"):
        acts.hide_message(message=line, **act_arguments)


def lines_of_writers(case: Case) -> QuerySet[Message]:
    """Return all lines at the reported matches by the writers of the reported lines."""
    writers = Message.objects.filter(pk__in=case.reports.values("message"), user__isnull=False).values("user")
    return Message.objects.filter(match__in=case.reports.values("match"), user__in=writers)


def _correct_matches(case: Case, correction: MatchCorrection, act_arguments: dict[str, Any]) -> None:
    """Correct the reported matches to which the correction still applies."""
    if correction in CHAT_ACTS:
        for match in writable_matches(case, correction):
            CHAT_ACTS[correction][0](match=match, **act_arguments)
        return
    if correction in SEAT_ACTS:
        for seat in correctable_seats(case, correction):
            SEAT_ACTS[correction][0](seat=seat, **act_arguments)
        return
    for match in reported_matches(case):
        if correction == MatchCorrection.VOID:
            acts.void_match(match=match, **act_arguments)
        elif correction == MatchCorrection.STOP and match.status in Match.UNFINISHED:
            acts.stop_match(match=match, **act_arguments)
        elif correction == MatchCorrection.RATINGS and corrections.has_rating_changes(
            act_arguments["moderator"], match
        ):
            corrections.take_ratings_back(match=match, **act_arguments)


def writable_matches(case: Case, correction: str) -> list[Match]:
    """Return the reported matches whose chats are open, and not limited in this way already."""
    limit = CHAT_ACTS[correction][1]
    return [
        match for match in reported_matches(case) if posting.is_chat_open(match) and limits.limit_of(match) != limit
    ]


def reported_matches(case: Case) -> QuerySet[Match]:
    """Return the reported matches that are not void."""
    reported = Match.objects.defer("secret").filter(pk__in=case.reports.values("match"))
    return reported.exclude(status=Match.Status.VOID)


def correctable_seats(case: Case, correction: str) -> QuerySet[Seat]:
    """Return the suspect's seats in the reported matches to which a correction of seats applies."""
    reported = Q(match__in=case.reports.values("match"), match__status__in=SEAT_ACTS[correction][1])
    return Seat.objects.filter(reported, user=case.suspect_id, user__isnull=False).select_related("match")


def _newest_reported_table(case: Case) -> str:
    """Return the table of the newest report at one, "" if there is none."""
    newest_report = case.reports.filter(match__isnull=False).select_related("match__series").order_by("-pk").first()
    return table_slug(newest_report.match) if newest_report and newest_report.match else ""
