"""The people concerned by matches, lines and cases. A moderator who is one of them cannot act."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import ModerationAct
from games.models import Case, Match, Message, Report, Seat


def people_of_matches(match_ids: Collection[int]) -> frozenset[int]:
    """Return everybody who has or had a seat at these matches, including people whom a moderator removed."""
    seats = Seat.objects.filter(match__in=match_ids, user__isnull=False)
    tables = Match.objects.filter(pk__in=match_ids).values_list("slug", "seat_count")
    targets = [f"seat:{slug}/{index}" for slug, seat_count in tables for index in range(seat_count)]
    removals = _removals().filter(target__in=targets, user__isnull=False)
    return frozenset(seats.values_list("user", flat=True)).union(removals.values_list("user", flat=True))


def people_of_lines(messages: Collection[Message]) -> frozenset[int]:
    """Return the writers of lines, and everybody who has or had a seat at their matches."""
    writers = {message.user_id for message in messages if message.user_id}
    return people_of_matches({message.match_id for message in messages}).union(writers)


def people_of_case(case: Case) -> frozenset[int | None]:
    """Return the suspect (None for nobody), the reporters, and everybody who has or had a seat at a reported match."""
    reports = list(case.reports.values_list("reporter", "match"))
    reporters = {reporter for reporter, _match in reports if reporter}
    return people_of_matches({match for _reporter, match in reports if match}) | reporters | {case.suspect_id}


def cases_without_seat_of(user_id: int) -> Q:
    """Return the cases in which no match was reported at which this person has or had a seat."""
    targets = _removals().filter(user=user_id).values_list("target", flat=True)
    slugs = {target.removeprefix("seat:").partition("/")[0] for target in targets}
    own_matches = Match.objects.filter(Q(pk__in=Seat.objects.filter(user=user_id).values("match")) | Q(slug__in=slugs))
    return ~Q(Exists(Report.objects.filter(case=OuterRef("pk"), match__in=own_matches.values("pk"))))


def _removals() -> QuerySet[ModerationAct]:
    return ModerationAct.objects.filter(act=ModerationAct.Act.REMOVE)
