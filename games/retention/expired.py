"""Queries for expired rows, whose retention time began at ``moment`` or earlier, and functions that delete them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import Notice, PushSubscription, Sanction, Trace, User
from accounts.services import delete_person
from games.conduct import ledger
from games.models import (
    Absence,
    Case,
    ConductMark,
    Invitation,
    Match,
    Message,
    MutedTable,
    Report,
    Seat,
    UploadedRecord,
)


def guests(moment: datetime) -> QuerySet[User]:
    """Return absent guests without any seat, message, sanction or case."""
    absent = Q(last_login=None, date_joined__lte=moment) | Q(last_login__lte=moment)
    unknown = [~Exists(model.objects.filter(user=OuterRef("pk"))) for model in (Seat, Message, Sanction)]
    return User.objects.filter(absent, *unknown, ~Exists(Case.objects.filter(suspect=OuterRef("pk"))), is_guest=True)


def sessions(lasts: timedelta, moment: datetime) -> QuerySet[Session]:
    return Session.objects.filter(expire_date__lte=moment + lasts)


def subscriptions(moment: datetime) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(expires_at__lte=moment)


def _over(moment: datetime) -> Q:
    """Return a filter for rows of matches that ended by then. A table that never started has no end."""
    return ~Q(match__status__in=Match.UNFINISHED) & (Q(match__finished_at__lte=moment) | Q(match__finished_at=None))


def _goes_on() -> Exists:
    """Return a condition for an unfinished match in the series, which still shows the chat of earlier ones."""
    series = Coalesce(OuterRef("match__series"), OuterRef("match"))
    return Exists(Match.objects.filter(series=series, status__in=Match.UNFINISHED))


def addresses(moment: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(_over(moment)).exclude(address="")


def suspended_addresses(moment: datetime) -> QuerySet[Sanction]:
    return Sanction.objects.filter(created_at__lte=moment).exclude(address="")


def traces(moment: datetime) -> QuerySet[Trace]:
    return Trace.objects.filter(seen_at__lte=moment)


def chat(moment: datetime) -> QuerySet[Message]:
    """Return the lines of ended matches, except matches with a reported line in an open case."""
    in_case = Report.objects.filter(case__closed_at=None, message__match=OuterRef("match"))
    return Message.objects.filter(_over(moment), ~_goes_on(), ~Exists(in_case), at__lte=moment)


def muted_tables(moment: datetime) -> QuerySet[MutedTable]:
    return MutedTable.objects.filter(_over(moment), ~_goes_on(), at__lte=moment)


def absences(moment: datetime) -> QuerySet[Absence]:
    return Absence.objects.filter(~Q(match__status__in=Match.UNFINISHED), at__lte=moment)


def with_old_marks(moment: datetime) -> QuerySet[User]:
    return User.objects.filter(Exists(ConductMark.every.filter(user=OuterRef("pk"), at__lte=moment)))


def invitations(moment: datetime) -> QuerySet[Invitation]:
    return Invitation.objects.filter(at__lte=moment).exclude(match__status=Match.Status.OPEN)


def notices(moment: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(put_away_at__lte=moment)


def cases(moment: datetime) -> QuerySet[Case]:
    """Return decided cases of people without stored sanctions, of which a case may be the reason."""
    stored = Sanction.objects.filter(user=OuterRef("suspect")).exclude(_ended(moment))
    return Case.objects.filter(~Exists(stored), closed_at__lte=moment)


def sanctions(moment: datetime) -> QuerySet[Sanction]:
    return Sanction.objects.filter(_ended(moment))


def uploads(moment: datetime) -> QuerySet[UploadedRecord]:
    return UploadedRecord.objects.filter(at__lte=moment)


def _ended(moment: datetime) -> Q:
    return Q(lifted_at__lte=moment) | Q(until__lte=moment)


# Functions that delete rows return their number.


def delete(rows: QuerySet[Any], _moment: datetime) -> int:
    return rows.delete()[1].get(rows.model._meta.label, 0)


def delete_people(rows: QuerySet[Any], _moment: datetime) -> int:
    people = list(rows)
    for person in people:
        delete_person(user=person)
    return len(people)


def empty_addresses(rows: QuerySet[Any], _moment: datetime) -> int:
    return Seat.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(address="")


def empty_suspended_addresses(rows: QuerySet[Any], _moment: datetime) -> int:
    return rows.update(address="")


def delete_chat(rows: QuerySet[Any], moment: datetime) -> int:
    """Delete lines, and increment the revision of their tables, whose rendered chat may be cached."""
    tables = set(rows.values_list("match", flat=True))
    deleted = delete(rows, moment)
    Match.objects.filter(pk__in=tables).update(revision=F("revision") + 1)
    return deleted


def delete_marks(people: QuerySet[Any], moment: datetime) -> int:
    return sum(ledger.forget_settled(person.pk, moment) for person in people)
