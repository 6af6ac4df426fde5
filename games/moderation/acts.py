"""Acts of moderators on matches, seats and messages. Each needs a permission and a reason, and is logged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts import notices
from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
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
    """End a running match without a result, or close an open table, and notify its players.

    Raises PermissionDenied, Refused ``finished``.
    """
    row = authorize_and_lock(moderator, "stop_match", match.pk, reason)
    if row.status == Match.Status.OPEN:
        _close_table(row, reason)
    else:
        play.stop_match(match_id=row.pk, reason="moderated")
        notify_players("match_stopped", row, reason, {})
    target = f"match:{row.slug}"
    moderation_log.log_act(
        moderator=moderator, act=Act.STOP, user=None, target=target, reason=reason, evidence=evidence
    )


@transaction.atomic
def void_match(*, moderator: User, match: Match, reason: str, evidence: str = "") -> None:
    """Declare a match void, and notify its players. A finished match loses its rating points.

    Raises PermissionDenied, ValidationError if the match is void already.
    """
    row = authorize_and_lock(moderator, "void_match", match.pk, reason)
    if row.status == Match.Status.VOID:
        raise ValidationError(_("This match is already void."), code="void")
    if row.status == Match.Status.OPEN:
        _close_table(row, reason)
    elif row.status in (Match.Status.FINISHED, Match.Status.STOPPED):
        notify_players("match_void", row, reason, reversals.make_void(row))
    else:
        play.stop_match(match_id=row.pk, reason="void")
        notify_players("match_void", row, reason, {})
    Match.objects.filter(pk=row.pk).update(void_reason=reason.strip())
    target = f"match:{row.slug}"
    moderation_log.log_act(
        moderator=moderator, act=Act.VOID, user=None, target=target, reason=reason, evidence=evidence
    )


@transaction.atomic
def remove_from_seat(*, moderator: User, seat: Seat, reason: str, evidence: str = "") -> None:
    """Make a person leave a seat. If a bot continues for them, they cannot return.

    Raises PermissionDenied, ValidationError if nobody sits there, Refused ``finished``.
    """
    match = authorize_and_lock(moderator, "empty_seat", seat.match_id, reason)
    if match.status not in Match.UNFINISHED:
        raise Refused("finished")
    person = _seated_person(seat)
    if match.status == Match.Status.RUNNING:
        Seat.objects.filter(pk=seat.pk).update(removed=True)
    _make_leave(match, person)
    if Seat.objects.filter(pk=seat.pk, match__status=Match.Status.RUNNING).update(user=None):
        announcements.touch_table(match.pk)
    details = {"variant": match.variant, "reason": reason.strip(), "path": path_to("match", match.slug)}
    notices.send("removed", {person.pk: details})
    target = f"seat:{match.slug}/{seat.index}"
    moderation_log.log_act(
        moderator=moderator, act=Act.REMOVE, user=person, target=target, reason=reason, evidence=evidence
    )


@transaction.atomic
def settle_match(*, moderator: User, seat: Seat, reason: str, evidence: str = "") -> None:
    """End a running match against the person in a seat, who comes last; the others keep their standing.

    The rules decide as if that person had left, and the current round scores nothing. Declaring the match void undoes
    it. Raises PermissionDenied, ValidationError if nobody sits there, Refused ``not_running``, ``finished``.
    """
    match = authorize_and_lock(moderator, "settle_match", seat.match_id, reason)
    person = _seated_person(seat)
    Seat.objects.filter(pk=seat.pk, match__status=Match.Status.RUNNING).update(removed=True)
    play.end_match_against(match_id=match.pk, seat=seat.index)
    notify_players("match_settled", match, reason, {}, seat=seat.pk)
    target = f"seat:{match.slug}/{seat.index}"
    moderation_log.log_act(
        moderator=moderator, act=Act.SETTLE, user=person, target=target, reason=reason, evidence=evidence
    )


@transaction.atomic
def hide_message(*, moderator: User, message: Message, reason: str, evidence: str = "") -> None:
    """Hide a message everywhere, and notify its writer. Raises PermissionDenied, ValidationError if it is hidden."""
    refusal = _("This message is already hidden.")
    _change_message(moderator, message, reason, hidden=True, refusal=refusal)
    if message.user is not None:
        _notify_writer(message.user, message, reason.strip())
    target = f"message:{message.pk}"
    moderation_log.log_act(
        moderator=moderator, act=Act.HIDE, user=message.user, target=target, reason=reason, evidence=evidence
    )


@transaction.atomic
def show_message(*, moderator: User, message: Message, reason: str) -> None:
    """Show a hidden message again. Raises PermissionDenied, ValidationError if it is not hidden."""
    refusal = _("This message is not hidden.")
    _change_message(moderator, message, reason, hidden=False, refusal=refusal)
    target = f"message:{message.pk}"
    moderation_log.log_act(moderator=moderator, act=Act.SHOW, user=message.user, target=target, reason=reason)


@transaction.atomic
def leave_all_tables(user: User) -> None:
    """Remove a person who may no longer play from all unfinished matches."""
    ids = Seat.objects.filter(user=user, match__status__in=Match.UNFINISHED).values_list("match_id", flat=True)
    for match_id in ids.order_by("match_id"):
        _make_leave(_lock_match(match_id), user)


def authorize_and_lock(moderator: User, permission: str, match_id: int, reason: str) -> Match:
    """Check that the moderator may act on a match, and return it locked. Raises PermissionDenied, ValidationError."""
    concerned = parties.people_of_matches([match_id])
    moderation_log.authorize(moderator=moderator, permission=f"games.{permission}", reason=reason, parties=concerned)
    return _lock_match(match_id)


def _lock_match(match_id: int) -> Match:
    return Match.objects.select_for_update(no_key=True).defer("secret").get(pk=match_id)


def _seated_person(seat: Seat) -> User:
    person = Seat.objects.select_related("user").get(pk=seat.pk).user
    if person is None:
        raise ValidationError(_("This seat is empty."), code="empty")
    return person


def _change_message(moderator: User, message: Message, reason: str, *, hidden: bool, refusal: StrOrPromise) -> None:
    """Hide or show a message at its match and rematches. Raises PermissionDenied, ValidationError."""
    concerned = parties.people_of_lines([message])
    moderation_log.authorize(moderator=moderator, permission="games.hide_message", reason=reason, parties=concerned)
    _lock_match(message.match_id)
    rows = Message.objects.filter(pk=message.pk, hidden=not hidden)
    if not hidden:
        rows = rows.filter(user__isnull=False)  # the messages of deleted people stay hidden
    if not rows.update(hidden=hidden, changes=F("changes") + 1):
        raise ValidationError(refusal, code="hidden" if hidden else "shown")
    announcements.announce_chat_line(message)
    for match_id in series.later_match_ids(message.match):
        announcements.announce_chat_line(message, match_id)


def _notify_writer(writer: User, message: Message, reason: str) -> None:
    """Send a notice about a hidden line, or add the line to a pending notice with the same reason."""
    notice = writer.notices.filter(kind="hidden", put_away_at=None, facts__reason=reason).first()
    if notice is None:
        notices.send("hidden", {writer.pk: {"reason": reason, "lines": [message.pk]}})
    else:
        notice.facts["lines"].append(message.pk)
        notice.save(update_fields=["facts"])


def notify_players(kind: str, match: Match, reason: str, ratings: Mapping[int, int], **extra: int) -> None:
    """Send a notice to everybody who played. ``ratings`` are the new ratings of those whose rating changed."""
    started_at = match.started_at and match.started_at.isoformat()
    details = {"variant": match.variant, "started_at": started_at, "reason": reason} | extra
    details["path"] = path_to("match", match.slug)
    people = match.seats.filter(user__isnull=False).values_list("user_id", flat=True)
    rated = {person: {"rating": rating} for person, rating in ratings.items()}
    notices.send(kind, {person: details | rated.get(person, {}) for person in people})


def _close_table(match: Match, reason: str) -> None:
    """Remove and notify everybody at an open table, which closes it."""
    notify_players("match_stopped", match, reason, {})
    for seat in match.seats.select_related("user"):
        if seat.user:
            tables.remove_person(match=match, user=seat.user)


def _make_leave(match: Match, person: User) -> None:
    """Make a person leave an open table or a running match. A bot that has taken over already keeps the seat."""
    if match.status == Match.Status.OPEN:
        tables.remove_person(match=match, user=person)
    elif match.status == Match.Status.RUNNING and match.seats.filter(user=person, bot="").exists():
        play.leave_match(match_id=match.pk, user_id=person.pk, charge=False)
