"""Push notifications: it is your turn, a bot plays for you, somebody invites you.

One event causes one notification, some seconds later, so that quick moves cost nothing. None is sent while a page is
in sight. A player with the table in sight has seen the event; with another page in sight the notification waits. An
invitation is shown on every page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import PushSubscription
from accounts.push.delivery import Delivery, Notification, deliveries
from games.enums import DAILY
from games.links import path_to
from games.lobby import invitations
from games.models import Invitation, Match, Seat
from games.presence.online import pages_in_sight
from games.words import words_of
from infrastructure.bidi import isolate

# By person the matches whose tables are in sight; other pages count as None.
Pages = Mapping[int | None, set[int | None]]
DELAY = timedelta(seconds=5)
WAITING = (Match.Due.TIMEOUT, Match.Due.ABANDON)
# Notifications expire after this time: by then most matches are over.
HELD_SECONDS = 3600
INVITED = timedelta(hours=1)


def take(*, now: datetime, limit: int) -> list[Delivery]:
    """Return the notifications that are due, for at most ``limit`` people of each kind. Only one process gets each."""
    if not PushSubscription.objects.exists():
        return []
    pages = pages_in_sight(now)
    turns = (_turn(seat, now, pages) for seat in islice(_decided(_waiting(now), now, pages), limit))
    holds = (_hold(seat, pages) for seat in islice(_decided(_held(), now, pages), limit))
    invited = (_invitation(row, pages) for row in _invited(now)[:limit])
    return [delivery for kind in (turns, holds, invited) for of_person in kind for delivery in of_person]


def _waiting(now: datetime) -> QuerySet[Seat, Seat]:
    """Return the seats to move whose players were not notified."""
    # An outage moves the start of a turn, and a player who returns makes a new version, but the turn is the same.
    notified = Q(pushed_at__gte=F("match__turn_started_at")) | Q(pushed_version=F("match__version"))
    return Seat.objects.filter(
        Q(pushed_at=None) | ~notified,
        bot="",
        match__due_kind__in=WAITING,
        match__due_at__gt=now,
        match__to_move=F("index"),
        match__turn_started_at__lte=now - DELAY,
    )


def _held() -> QuerySet[Seat, Seat]:
    """Return the held seats whose players were not notified."""
    return Seat.objects.filter(state=Seat.State.HELD, holds__gt=F("pushed_holds"))


def _decided(seats: QuerySet[Seat, Seat], now: datetime, pages: Pages) -> Iterator[Seat]:
    """Return the seats of subscribers who have no page in sight, or the table itself."""
    playing = seats.filter(user__in=_subscribed(now), finished_at=None, match__status=Match.Status.RUNNING)
    candidates = playing.select_related("match", "user").order_by("pk")
    return (seat for seat in candidates if seat.user_id not in pages or _is_at_table(seat, pages))


def _is_at_table(seat: Seat, pages: Pages) -> bool:
    return seat.user_id in pages and seat.match_id in pages[seat.user_id]


def _invited(now: datetime) -> QuerySet[Invitation, Invitation]:
    """Return the invitations of subscribers who were not notified."""
    rows = Invitation.objects.filter(pushed=False, taken_back_at=None, match__status=Match.Status.OPEN)
    recent = rows.filter(invited__in=_subscribed(now), at__gt=now - INVITED, at__lte=now - DELAY)
    return recent.select_related("match", "invited").order_by("pk")


def _subscribed(now: datetime) -> QuerySet[PushSubscription, Any]:
    return PushSubscription.objects.filter(expires_at__gt=now).values("user")


def _turn(seat: Seat, now: datetime, pages: Pages) -> list[Delivery]:
    seconds = round((seat.match.due_at - now).total_seconds()) if seat.match.due_at else 0
    is_first = _is_first(seat, {"pushed_at": seat.pushed_at}, pushed_at=now, pushed_version=seat.match.version)
    if not is_first or _is_at_table(seat, pages):
        return []
    return _deliveries(seat, "turn", max(1, seconds))


def _hold(seat: Seat, pages: Pages) -> list[Delivery]:
    is_first = _is_first(seat, {"pushed_holds": seat.pushed_holds}, pushed_holds=seat.holds)
    if not is_first or _is_at_table(seat, pages):
        return []
    return _deliveries(seat, "held", HELD_SECONDS)


def _is_first(seat: Seat, before: dict[str, Any], **after: Any) -> bool:
    """Mark the player as notified. Return False if another process did it first."""
    return bool(Seat.objects.filter(pk=seat.pk, **before).update(**after))


def _deliveries(seat: Seat, kind: str, seconds: int) -> list[Delivery]:
    """Return the notifications for all devices of a player, in their language, without any secret of the table."""
    if seat.user is None:
        return []
    match, language = seat.match, seat.user.language or settings.LANGUAGE_CODE
    with translation.override(language):
        names = {"game": words_of(match.variant).name, "names": ", ".join(map(isolate, _others(seat)))}
        notification = Notification(
            title=_("It’s your turn") if kind == "turn" else _("A bot plays for you: come back"),
            # Translators: a game and the names of all other players
            body=_("%(game)s: %(names)s") % names,
            path=path_to("match", match.slug),
            tag=match.slug,
            language=language,
            seconds=seconds,
            urgent=match.clock not in DAILY,
        )
    return deliveries(seat.user.pk, notification)


def _invitation(row: Invitation, pages: Pages) -> list[Delivery]:
    """Return the notifications of an invitation, none if it is void or no seat is free."""
    is_first = Invitation.objects.filter(pk=row.pk, pushed=False).update(pushed=True)
    if not is_first or row.invited_id in pages:
        return []
    language = row.invited.language or settings.LANGUAGE_CODE
    with translation.override(language):
        body, title = invitations.said({"invitation": row.pk}), _("Invitation to a table")
    path, seconds = path_to("match", row.match.slug), round(INVITED.total_seconds())
    if not body:
        return []
    urgent = row.match.clock not in DAILY
    notification = Notification(title, body, path, row.match.slug, language, seconds, urgent=urgent)
    return deliveries(row.invited.pk, notification)


def _others(seat: Seat) -> Iterator[str]:
    seats = Seat.objects.filter(match=seat.match_id).exclude(pk=seat.pk).order_by("index")
    yield from seats.values_list("name", flat=True)
