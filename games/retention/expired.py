"""Queries for expired rows, whose retention time began at ``cutoff`` or earlier, and functions that delete them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import ApiToken, Notice, PushSubscription, Sanction, Trace, User
from accounts.services import delete_person
from games.conduct import ledger
from games.models import (
    Absence,
    Case,
    ConductMark,
    Entry,
    Invitation,
    Match,
    Message,
    MutedTable,
    Report,
    Seat,
    UploadedRecord,
)
from games.services import demo


def unused_guests(cutoff: datetime) -> QuerySet[User]:
    """Return absent guests without any seat, message, sanction, tournament or case."""
    absent = Q(last_login=None, date_joined__lte=cutoff) | Q(last_login__lte=cutoff)
    has_no_rows = [~Exists(model.objects.filter(user=OuterRef("pk"))) for model in (Seat, Message, Sanction, Entry)]
    return User.objects.filter(
        absent, *has_no_rows, ~Exists(Case.objects.filter(suspect=OuterRef("pk"))), is_guest=True
    )


def sessions(lifetime: timedelta, cutoff: datetime) -> QuerySet[Session]:
    return Session.objects.filter(expire_date__lte=cutoff + lifetime)


def push_subscriptions(cutoff: datetime) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(expires_at__lte=cutoff)


def tokens(cutoff: datetime) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(expires_at__lte=cutoff)


def opened_exhibitions(cutoff: datetime) -> QuerySet[Match]:
    """Return the matches between bots that somebody has opened."""
    return demo.exhibitions().filter(visited=True, finished_at__lte=cutoff)


def _match_ended(cutoff: datetime) -> Q:
    """Return a filter for rows of matches that had ended then. A table that never started has no end."""
    return ~Q(match__status__in=Match.UNFINISHED) & (Q(match__finished_at__lte=cutoff) | Q(match__finished_at=None))


def _series_continues() -> Exists:
    """Return a condition for an unfinished match in the series, which still shows the chat of earlier ones."""
    series = Coalesce(OuterRef("match__series"), OuterRef("match"))
    return Exists(Match.objects.filter(series=series, status__in=Match.UNFINISHED))


def seat_addresses(cutoff: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(_match_ended(cutoff)).exclude(address="")


def sanction_addresses(cutoff: datetime) -> QuerySet[Sanction]:
    return Sanction.objects.filter(created_at__lte=cutoff).exclude(address="")


def tournament_addresses(cutoff: datetime) -> QuerySet[Entry]:
    return Entry.objects.filter(tournament__finished_at__lte=cutoff).exclude(address="")


def traces(cutoff: datetime) -> QuerySet[Trace]:
    return Trace.objects.filter(seen_at__lte=cutoff)


def chat_lines(cutoff: datetime) -> QuerySet[Message]:
    """Return the lines of ended matches, except matches with a reported line in an open case."""
    open_reports = Report.objects.filter(case__closed_at=None, message__match=OuterRef("match"))
    return Message.objects.filter(_match_ended(cutoff), ~_series_continues(), ~Exists(open_reports), at__lte=cutoff)


def muted_tables(cutoff: datetime) -> QuerySet[MutedTable]:
    return MutedTable.objects.filter(_match_ended(cutoff), ~_series_continues(), at__lte=cutoff)


def absences(cutoff: datetime) -> QuerySet[Absence]:
    return Absence.objects.filter(~Q(match__status__in=Match.UNFINISHED), at__lte=cutoff)


def people_with_old_marks(cutoff: datetime) -> QuerySet[User]:
    return User.objects.filter(Exists(ConductMark.all_objects.filter(user=OuterRef("pk"), at__lte=cutoff)))


def invitations(cutoff: datetime) -> QuerySet[Invitation]:
    return Invitation.objects.filter(at__lte=cutoff).exclude(match__status=Match.Status.OPEN)


def notices(cutoff: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(put_away_at__lte=cutoff)


def cases(cutoff: datetime) -> QuerySet[Case]:
    """Return decided cases of people without stored sanctions, of which a case may be the reason."""
    stored_sanctions = Sanction.objects.filter(user=OuterRef("suspect")).exclude(_sanction_ended(cutoff))
    return Case.objects.filter(~Exists(stored_sanctions), closed_at__lte=cutoff)


def sanctions(cutoff: datetime) -> QuerySet[Sanction]:
    return Sanction.objects.filter(_sanction_ended(cutoff))


def uploaded_records(cutoff: datetime) -> QuerySet[UploadedRecord]:
    return UploadedRecord.objects.filter(at__lte=cutoff)


def _sanction_ended(cutoff: datetime) -> Q:
    return Q(lifted_at__lte=cutoff) | Q(until__lte=cutoff)


# Functions that delete rows return their number.


def delete_rows(rows: QuerySet[Any], _cutoff: datetime) -> int:
    return rows.delete()[1].get(rows.model._meta.label, 0)


def delete_people(rows: QuerySet[Any], _cutoff: datetime) -> int:
    people = list(rows)
    for person in people:
        delete_person(user=person)
    return len(people)


def clear_seat_addresses(rows: QuerySet[Any], _cutoff: datetime) -> int:
    return Seat.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(address="")


def clear_tournament_addresses(rows: QuerySet[Any], _cutoff: datetime) -> int:
    return Entry.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(address="")


def clear_sanction_addresses(rows: QuerySet[Any], _cutoff: datetime) -> int:
    return rows.update(address="")


def delete_chat_lines(rows: QuerySet[Any], cutoff: datetime) -> int:
    """Delete lines, and increment the revision of their tables, whose rendered chat may be cached."""
    match_ids = set(rows.values_list("match", flat=True))
    count = delete_rows(rows, cutoff)
    Match.objects.filter(pk__in=match_ids).update(revision=F("revision") + 1)
    return count


def delete_conduct_marks(people: QuerySet[Any], cutoff: datetime) -> int:
    return sum(ledger.delete_settled_marks(person.pk, cutoff) for person in people)
