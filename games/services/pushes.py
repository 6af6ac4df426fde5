"""Telling people, on devices that they chose, that it is their turn, that a bot has taken over, or who invites them.

Each is told once, and nothing while a page is in sight. It is decided some seconds after a turn began, so quick moves
cost nothing. A player who has the table in sight knows; for one who looks at another page it waits until none is. An
invitation stands on every page.
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
from games.presence.here import pages_in_sight
from games.words import words_of
from infrastructure.bidi import isolate

# By person the matches whose tables are in sight; other pages count as None.
Pages = Mapping[int | None, set[int | None]]
DELAY = timedelta(seconds=5)
WAITING = (Match.Due.TIMEOUT, Match.Due.ABANDON)
HELD_SECONDS = 3600
"""How long it is worth telling that a bot has taken over: by then most matches are over."""
INVITED = timedelta(hours=1)
"""How long it is worth telling of an invitation."""


def take(*, now: datetime, limit: int) -> list[Delivery]:
    """Return what is to be pushed now, of each kind to so many people: to one process alone if several ask."""
    if not PushSubscription.objects.exists():
        return []
    pages = pages_in_sight(now)
    turns = (_turn(seat, now, pages) for seat in islice(_decided(_waiting(now), now, pages), limit))
    holds = (_hold(seat, pages) for seat in islice(_decided(_held(), now, pages), limit))
    invited = (_invitation(row, pages) for row in _invited(now)[:limit])
    return [delivery for kind in (turns, holds, invited) for found in kind for delivery in found]


def _waiting(now: datetime) -> QuerySet[Seat, Seat]:
    """Return the seats that a turn waits for, whose players were not told of it."""
    # A turn goes on after an interruption, which moves its start, and while others come back, which makes versions.
    told = Q(pushed_at__gte=F("match__turn_started_at")) | Q(pushed_version=F("match__version"))
    return Seat.objects.filter(
        Q(pushed_at=None) | ~told,
        bot="",
        match__due_kind__in=WAITING,
        match__due_at__gt=now,
        match__to_move=F("index"),
        match__turn_started_at__lte=now - DELAY,
    )


def _held() -> QuerySet[Seat, Seat]:
    """Return the seats that a bot has taken over, whose players were not told of it."""
    return Seat.objects.filter(state=Seat.State.HELD, holds__gt=F("pushed_holds"))


def _decided(seats: QuerySet[Seat, Seat], now: datetime, pages: Pages) -> Iterator[Seat]:
    """Return those of people who get pushes, and have no page in sight or the table itself."""
    playing = seats.filter(user__in=_subscribed(now), finished_at=None, match__status=Match.Status.RUNNING)
    candidates = playing.select_related("match", "user").order_by("pk")
    return (seat for seat in candidates if seat.user_id not in pages or _is_at_table(seat, pages))


def _is_at_table(seat: Seat, pages: Pages) -> bool:
    return seat.user_id in pages and seat.match_id in pages[seat.user_id]


def _invited(now: datetime) -> QuerySet[Invitation, Invitation]:
    """Return the invitations of people who get pushes and were not told of them."""
    rows = Invitation.objects.filter(pushed=False, taken_back_at=None, match__status=Match.Status.OPEN)
    recent = rows.filter(invited__in=_subscribed(now), at__gt=now - INVITED, at__lte=now - DELAY)
    return recent.select_related("match", "invited").order_by("pk")


def _subscribed(now: datetime) -> QuerySet[PushSubscription, Any]:
    return PushSubscription.objects.filter(expires_at__gt=now).values("user")


def _turn(seat: Seat, now: datetime, pages: Pages) -> list[Delivery]:
    left = round((seat.match.due_at - now).total_seconds()) if seat.match.due_at else 0
    is_first = _is_first(seat, {"pushed_at": seat.pushed_at}, pushed_at=now, pushed_version=seat.match.version)
    if not is_first or _is_at_table(seat, pages):
        return []
    return _deliveries(seat, "turn", max(1, left))


def _hold(seat: Seat, pages: Pages) -> list[Delivery]:
    is_first = _is_first(seat, {"pushed_holds": seat.pushed_holds}, pushed_holds=seat.holds)
    if not is_first or _is_at_table(seat, pages):
        return []
    return _deliveries(seat, "held", HELD_SECONDS)


def _is_first(seat: Seat, before: dict[str, Any], **told: Any) -> bool:
    """Note that the player knows. Return False if another process did it first."""
    return bool(Seat.objects.filter(pk=seat.pk, **before).update(**told))


def _deliveries(seat: Seat, kind: str, seconds: int) -> list[Delivery]:
    """Return what is said in the reader's language: never anything of the table."""
    if seat.user is None:
        return []
    match, language = seat.match, seat.user.language or settings.LANGUAGE_CODE
    with translation.override(language):
        names = {"game": words_of(match.variant).name, "names": ", ".join(map(isolate, _others(seat)))}
        told = Notification(
            title=_("It is your turn") if kind == "turn" else _("A bot plays for you: come back"),
            body=_("%(game)s with %(names)s") % names,
            path=path_to("match", match.slug),
            tag=match.slug,
            language=language,
            seconds=seconds,
            urgent=match.clock not in DAILY,
        )
    return deliveries(seat.user.pk, told)


def _invitation(row: Invitation, pages: Pages) -> list[Delivery]:
    """Return what the page would say; nothing if the invitation is void, or while there is no seat."""
    noted = Invitation.objects.filter(pk=row.pk, pushed=False).update(pushed=True)
    if not noted or row.invited_id in pages:
        return []
    language = row.invited.language or settings.LANGUAGE_CODE
    with translation.override(language):
        said, title = invitations.said({"invitation": row.pk}), _("Invitation to a table")
    path, seconds = path_to("match", row.match.slug), round(INVITED.total_seconds())
    told = Notification(
        title, said or "", path, row.match.slug, language, seconds, urgent=row.match.clock not in DAILY
    )
    return deliveries(row.invited.pk, told) if said else []


def _others(seat: Seat) -> Iterator[str]:
    seats = Seat.objects.filter(match=seat.match_id).exclude(pk=seat.pk).order_by("index")
    yield from seats.values_list("name", flat=True)
