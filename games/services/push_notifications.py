"""Push notifications: your turn, a bot that plays for you, your table or tournament, or an invitation.

One event causes one notification, some seconds later, so that quick moves cost nothing. None is sent while a page is
visible. A player who sees the table has seen the event; with another page visible the notification waits. An
invitation is shown on every page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import PushSubscription
from accounts.push.delivery import Delivery, Notification, deliveries_to
from games.enums import DAILY_CLOCKS
from games.links import path_to
from games.lobby import invitations
from games.models import Entry, Invitation, Match, Seat, Tournament
from games.presence.online import visible_pages_by_person
from games.tournaments import notices as tournament_notices
from games.words import words_of
from infrastructure.bidi import isolate

# The matches whose tables are visible, by person; other pages count as None.
VisiblePages = Mapping[int | None, set[int | None]]
NOTIFICATION_DELAY = timedelta(seconds=5)
TURN_DUE_KINDS = (Match.Due.TIMEOUT, Match.Due.ABANDON)
# Notifications expire after this time: by then most matches are over.
HOLD_EXPIRY_SECONDS = 3600
INVITATION_EXPIRY = timedelta(hours=1)


def take_due_notifications(*, now: datetime, limit: int) -> list[Delivery]:
    """Return the notifications that are due, for at most ``limit`` people of each kind. Only one process gets each."""
    if not PushSubscription.objects.exists():
        return []
    pages = visible_pages_by_person(now)
    turns = (
        _turn_deliveries(seat, now, pages)
        for seat in islice(_seats_to_notify(_unnotified_turns(now), now, pages), limit)
    )
    tables = (
        _table_deliveries(seat, now, pages)
        for seat in islice(_seats_to_notify(_unnotified_tables(now), now, pages), limit)
    )
    holds = (
        _hold_deliveries(seat, pages) for seat in islice(_seats_to_notify(_unnotified_holds(), now, pages), limit)
    )
    invitation_deliveries = (_invitation_deliveries(row, pages) for row in _unnotified_invitations(now)[:limit])
    starts = (_start_deliveries(entry, now) for entry in islice(_unreminded_entries(now, pages), limit))
    return [
        delivery
        for group in (turns, tables, holds, starts, invitation_deliveries)
        for notifications in group
        for delivery in notifications
    ]


def _unnotified_turns(now: datetime) -> QuerySet[Seat, Seat]:
    """Return the seats to move whose players were not notified."""
    # An outage moves the start of a turn, and a player who returns makes a new version, but the turn is the same.
    notified = Q(pushed_at__gte=F("match__turn_started_at")) | Q(pushed_version=F("match__version"))
    return Seat.objects.filter(
        Q(pushed_at=None) | ~notified,
        bot="",
        match__due_kind__in=TURN_DUE_KINDS,
        match__due_at__gt=now,
        match__to_move=F("index"),
        match__turn_started_at__lte=now - NOTIFICATION_DELAY,
    )


def _unnotified_tables(now: datetime) -> QuerySet[Seat, Seat]:
    """Return the seats at tables of tournaments whose players have not come and were not notified."""
    return Seat.objects.filter(
        match__tournament_table__isnull=False,
        match__started_at__lte=now - NOTIFICATION_DELAY,
        bot="",
        last_seen__lt=F("match__started_at"),
        pushed_at=None,
    )


def _unnotified_holds() -> QuerySet[Seat, Seat]:
    """Return the held seats whose players were not notified."""
    return Seat.objects.filter(state=Seat.State.HELD, holds__gt=F("pushed_holds"))


def _seats_to_notify(seats: QuerySet[Seat, Seat], now: datetime, pages: VisiblePages) -> Iterator[Seat]:
    """Return the seats of subscribers who have no page visible, or the table itself."""
    running_seats = seats.filter(user__in=_subscribers(now), finished_at=None, match__status=Match.Status.RUNNING)
    candidates = running_seats.select_related("match", "user").order_by("pk")
    return (seat for seat in candidates if seat.user_id not in pages or _has_table_in_sight(seat, pages))


def _has_table_in_sight(seat: Seat, pages: VisiblePages) -> bool:
    return seat.user_id in pages and seat.match_id in pages[seat.user_id]


def _unnotified_invitations(now: datetime) -> QuerySet[Invitation, Invitation]:
    """Return the invitations of subscribers who were not notified."""
    pending = Invitation.objects.filter(pushed=False, taken_back_at=None, match__status=Match.Status.OPEN)
    recent = pending.filter(
        invited__in=_subscribers(now), at__gt=now - INVITATION_EXPIRY, at__lte=now - NOTIFICATION_DELAY
    )
    return recent.select_related("match", "invited").order_by("pk")


def _unreminded_entries(now: datetime, pages: VisiblePages) -> Iterator[Entry]:
    """Return the entries of subscribers without a visible page whose tournament starts soon."""
    entries = Entry.objects.filter(status=Entry.Status.ENTERED, leaving="", reminded=False, user__in=_subscribers(now))
    starts_soon = entries.filter(
        tournament__stage=Tournament.Stage.ANNOUNCED,
        tournament__starts_at__gt=now,
        tournament__starts_at__lte=now + tournament_notices.REMINDER,
    )
    rows = starts_soon.select_related("tournament", "user").order_by("pk")
    return (entry for entry in rows if entry.user_id not in pages)


def _subscribers(now: datetime) -> QuerySet[PushSubscription, Any]:
    return PushSubscription.objects.filter(expires_at__gt=now).values("user")


def _turn_deliveries(seat: Seat, now: datetime, pages: VisiblePages) -> list[Delivery]:
    seconds = round((seat.match.due_at - now).total_seconds()) if seat.match.due_at else 0
    is_new = _mark_notified(seat, {"pushed_at": seat.pushed_at}, pushed_at=now, pushed_version=seat.match.version)
    if not is_new or _has_table_in_sight(seat, pages):
        return []
    return _seat_deliveries(seat, "turn", max(1, seconds))


def _table_deliveries(seat: Seat, now: datetime, pages: VisiblePages) -> list[Delivery]:
    if not _mark_notified(seat, {"pushed_at": None}, pushed_at=now) or _has_table_in_sight(seat, pages):
        return []
    return _seat_deliveries(seat, "table", HOLD_EXPIRY_SECONDS)


def _hold_deliveries(seat: Seat, pages: VisiblePages) -> list[Delivery]:
    is_new = _mark_notified(seat, {"pushed_holds": seat.pushed_holds}, pushed_holds=seat.holds)
    if not is_new or _has_table_in_sight(seat, pages):
        return []
    return _seat_deliveries(seat, "held", HOLD_EXPIRY_SECONDS)


def _mark_notified(seat: Seat, before: dict[str, Any], **after: Any) -> bool:
    """Mark the player as notified. Return False if another process did it first."""
    return bool(Seat.objects.filter(pk=seat.pk, **before).update(**after))


def _seat_deliveries(seat: Seat, kind: str, seconds: int) -> list[Delivery]:
    """Return the notifications for all devices of a player, in their language, without any secret of the table."""
    if seat.user is None:
        return []
    match, language = seat.match, seat.user.mail_language
    with translation.override(language):
        names = {"game": words_of(match.variant).name, "names": ", ".join(map(isolate, _other_names(seat)))}
        notification = Notification(
            title=_title(kind),
            # Translators: a game and the names of all other players
            body=_("%(game)s: %(names)s") % names,
            path=path_to("match", match.slug),
            tag=match.slug,
            language=language,
            seconds=seconds,
            urgent=match.clock not in DAILY_CLOCKS,
        )
    return deliveries_to(seat.user.pk, notification)


def _title(kind: str) -> str:
    """Return what happened at a table, in the active language."""
    if kind == "table":
        return _("Your table is ready.")
    return _("It’s your turn") if kind == "turn" else _("A bot plays for you: come back")


def _start_deliveries(entry: Entry, now: datetime) -> list[Delivery]:
    """Return the notifications that a tournament starts soon."""
    is_new = Entry.objects.filter(pk=entry.pk, reminded=False).update(reminded=True)
    if not is_new or entry.user is None:
        return []
    row, language = entry.tournament, entry.user.mail_language
    with translation.override(language):
        title, body = _("Your tournament starts soon"), tournament_notices.start_text(row, now)
    seconds = max(1, round((row.starts_at - now).total_seconds()))
    path = path_to("tournament", row.slug)
    return deliveries_to(entry.user.pk, Notification(title, body, path, row.slug, language, seconds, urgent=True))


def _invitation_deliveries(row: Invitation, pages: VisiblePages) -> list[Delivery]:
    """Return the notifications of an invitation, none if it is void or no seat is free."""
    is_new = Invitation.objects.filter(pk=row.pk, pushed=False).update(pushed=True)
    if not is_new or row.invited_id in pages:
        return []
    language = row.invited.mail_language
    with translation.override(language):
        body, title = invitations.invitation_notice({"invitation": row.pk}), _("Invitation to a table")
    path, seconds = path_to("match", row.match.slug), round(INVITATION_EXPIRY.total_seconds())
    if not body:
        return []
    urgent = row.match.clock not in DAILY_CLOCKS
    notification = Notification(title, body, path, row.match.slug, language, seconds, urgent=urgent)
    return deliveries_to(row.invited.pk, notification)


def _other_names(seat: Seat) -> Iterator[str]:
    seats = Seat.objects.filter(match=seat.match_id).exclude(pk=seat.pk).order_by("index")
    yield from seats.values_list("name", flat=True)
