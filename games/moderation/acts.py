"""What moderators can do to tables. Each act needs a permission and a reason and is logged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import notices
from accounts.models import ModerationAct, User
from accounts.sanctions import log
from games.broadcast import announcements
from games.errors import Refused
from games.links import path_to
from games.lobby import tables
from games.match import series
from games.models import Match, Message, Seat
from games.moderation import reversals
from games.moderation.cases import parties
from games.services import play

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Act = ModerationAct.Act


@transaction.atomic
def stop_match(*, moderator: User, match: Match, reason: str, evidence: str = "") -> None:
    """End a running match without a result, or close an open table, and tell its players.

    Raises PermissionDenied, Refused ``finished``.
    """
    concerned = parties.of_matches([match.pk])
    log.require(moderator=moderator, permission="games.stop_match", reason=reason, parties=concerned)
    table = locked(match.pk)
    if table.status == Match.Status.OPEN:
        _clear(table, reason)
    else:
        play.stop(match_id=table.pk, reason="moderated")
        tell_players("match_stopped", table, reason, {})
    target = f"match:{table.slug}"
    log.write(moderator=moderator, act=Act.STOP, user=None, target=target, reason=reason, evidence=evidence)


@transaction.atomic
def void_match(*, moderator: User, match: Match, reason: str, evidence: str = "") -> None:
    """Make a match count for nothing, and tell its players; one that is over loses its rating points.

    Raises PermissionDenied, ValidationError for a match that is void already.
    """
    concerned = parties.of_matches([match.pk])
    log.require(moderator=moderator, permission="games.void_match", reason=reason, parties=concerned)
    table = locked(match.pk)
    if table.status == Match.Status.VOID:
        raise ValidationError(_("This match is already void."), code="void")
    if table.status == Match.Status.OPEN:
        _clear(table, reason)
    elif table.status in (Match.Status.FINISHED, Match.Status.STOPPED):
        tell_players("match_void", table, reason, reversals.make_void(table))
    else:
        play.stop(match_id=table.pk, reason="void")
        tell_players("match_void", table, reason, {})
    Match.objects.filter(pk=table.pk).update(void_reason=reason.strip())
    target = f"match:{table.slug}"
    log.write(moderator=moderator, act=Act.VOID, user=None, target=target, reason=reason, evidence=evidence)


@transaction.atomic
def remove_from_seat(*, moderator: User, seat: Seat, reason: str, evidence: str = "") -> None:
    """Take a person from a seat as if leaving; where a bot plays on, the person cannot come back to it.

    Raises PermissionDenied, ValidationError where nobody sits, Refused ``finished``.
    """
    concerned = parties.of_matches([seat.match_id])
    log.require(moderator=moderator, permission="games.empty_seat", reason=reason, parties=concerned)
    table = locked(seat.match_id)
    if table.status not in Match.UNFINISHED:
        raise Refused("finished")
    person = Seat.objects.select_related("user").get(pk=seat.pk).user
    if person is None:
        raise ValidationError(_("This seat is empty."), code="empty")
    if table.status == Match.Status.RUNNING:
        Seat.objects.filter(pk=seat.pk).update(removed=True)
    _vacate(table, person)
    if Seat.objects.filter(pk=seat.pk, match__status=Match.Status.RUNNING).update(user=None):
        announcements.touch(table.pk)
    facts = {"variant": table.variant, "reason": reason.strip(), "path": path_to("match", table.slug)}
    notices.send("removed", {person.pk: facts})
    target = f"seat:{table.slug}/{seat.index}"
    log.write(moderator=moderator, act=Act.REMOVE, user=person, target=target, reason=reason, evidence=evidence)


@transaction.atomic
def settle_match(*, moderator: User, seat: Seat, reason: str, evidence: str = "") -> None:
    """End a running match against the person in a seat, who comes last; the others keep their standing.

    The rulebook decides as if that person had left: what the round has scored counts for nobody. Declaring the match
    void undoes it. Raises PermissionDenied, ValidationError where nobody sits, Refused ``not_running``, ``finished``.
    """
    concerned = parties.of_matches([seat.match_id])
    log.require(moderator=moderator, permission="games.settle_match", reason=reason, parties=concerned)
    table = locked(seat.match_id)
    person = Seat.objects.select_related("user").get(pk=seat.pk).user
    if person is None:
        raise ValidationError(_("This seat is empty."), code="empty")
    Seat.objects.filter(pk=seat.pk, match__status=Match.Status.RUNNING).update(removed=True)
    play.settle(match_id=table.pk, seat=seat.index)
    tell_players("match_settled", table, reason, {}, seat=seat.pk)
    target = f"seat:{table.slug}/{seat.index}"
    log.write(moderator=moderator, act=Act.SETTLE, user=person, target=target, reason=reason, evidence=evidence)


@transaction.atomic
def hide_message(*, moderator: User, message: Message, reason: str, evidence: str = "") -> None:
    """Take a message off every screen, and tell its writer.

    Raises PermissionDenied, or ValidationError if it is hidden already.
    """
    concerned = parties.of_lines([message])
    log.require(moderator=moderator, permission="games.hide_message", reason=reason, parties=concerned)
    locked(message.match_id)
    shown = Message.objects.filter(pk=message.pk, hidden=False)
    _change_message(shown, message, hidden=True, refusal=_("This message is already hidden."))
    _tell_writer(message, reason.strip())
    target = f"message:{message.pk}"
    log.write(moderator=moderator, act=Act.HIDE, user=message.user, target=target, reason=reason, evidence=evidence)


@transaction.atomic
def show_message(*, moderator: User, message: Message, reason: str) -> None:
    """Put a hidden message back on every screen. Raises PermissionDenied, ValidationError if nothing is hidden."""
    concerned = parties.of_lines([message])
    log.require(moderator=moderator, permission="games.hide_message", reason=reason, parties=concerned)
    locked(message.match_id)
    hidden = Message.objects.filter(pk=message.pk, hidden=True, user__isnull=False)
    _change_message(hidden, message, hidden=False, refusal=_("This message is not hidden."))
    target = f"message:{message.pk}"
    log.write(moderator=moderator, act=Act.SHOW, user=message.user, target=target, reason=reason)


@transaction.atomic
def vacate_all(user: User) -> None:
    """Take a person who may no longer play from all seats of unfinished matches."""
    ids = Seat.objects.filter(user=user, match__status__in=Match.UNFINISHED).values_list("match_id", flat=True)
    for match_id in ids.order_by("match_id"):
        _vacate(locked(match_id), user)


def _change_message(row: QuerySet[Message], message: Message, *, hidden: bool, refusal: StrOrPromise) -> None:
    """Hide or show the message and announce it, at its match and at rematches. Raises ValidationError if it is so."""
    if not row.update(hidden=hidden, changes=F("changes") + 1):
        raise ValidationError(refusal, code="hidden" if hidden else "shown")
    announcements.touch_room(message)
    for match_id in series.after(message.match):
        announcements.touch_room(message, match_id)


def _tell_writer(message: Message, reason: str) -> None:
    """Tell somebody that a line is hidden, with all that are for the same reason in one notice."""
    if message.user is None:
        return
    told = message.user.notices.filter(kind="hidden", put_away_at=None, facts__reason=reason).first()
    if told is None:
        notices.send("hidden", {message.user.pk: {"reason": reason, "lines": [message.pk]}})
    else:
        told.facts["lines"].append(message.pk)
        told.save(update_fields=["facts"])


def tell_players(kind: str, table: Match, reason: str, ratings: Mapping[int, int], **more: int) -> None:
    """Tell everybody who played what became of the match. ``ratings`` are those that changed by it."""
    started_at = table.started_at and table.started_at.isoformat()
    facts = {"variant": table.variant, "started_at": started_at, "reason": reason} | more
    facts["path"] = path_to("match", table.slug)
    people = table.seats.filter(user__isnull=False).values_list("user_id", flat=True)
    rated = {person: {"rating": rating} for person, rating in ratings.items()}
    notices.send(kind, {person: facts | rated.get(person, {}) for person in people})


def _clear(table: Match, reason: str) -> None:
    """Free all seats of an open table, which closes it, and tell whoever sat there."""
    tell_players("match_stopped", table, reason, {})
    for seat in table.seats.select_related("user"):
        if seat.user:
            tables.remove(match=table, user=seat.user)


def _vacate(table: Match, person: User) -> None:
    """Free a seat at an open table, or leave a running match; a bot that has already taken over keeps the seat."""
    if table.status == Match.Status.OPEN:
        tables.remove(match=table, user=person)
    elif table.status == Match.Status.RUNNING and table.seats.filter(user=person, bot="").exists():
        play.leave(match_id=table.pk, user_id=person.pk, charged=False)


def locked(match_id: int) -> Match:
    return Match.objects.select_for_update(no_key=True).defer("secret").get(pk=match_id)
