"""The leases of seats, which connected pages renew, and who is shown as away."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from games.broadcast import announcements
from games.match import match_rows
from games.models import Match, Seat

LEASE = timedelta(seconds=45)
AFTER_CLOSING = timedelta(seconds=25)
"""What a closed socket leaves of the lease: enough until the next heartbeat of another page of this person."""
AT_A_TABLE = Q(match__status__in=(Match.Status.OPEN, Match.Status.RUNNING), user__isnull=False)


def seen(*, match_id: int, user_id: int, now: datetime) -> None:
    """Renew the lease, and show the person as back."""
    seat = Seat.objects.filter(match_id=match_id, user_id=user_id)
    away = seat.values_list("away", flat=True).first()
    if away is None:
        return
    with transaction.atomic():
        if away:
            match_rows.lock([match_id])
        seat.update(last_seen=now)
        if away and seat.filter(away=True).update(away=False):
            announcements.touch(match_id)


def is_there(seat: Seat, now: datetime) -> bool:
    """Return whether a page of the person in this seat is open, as far as the site knows."""
    return not seat.away and seat.last_seen is not None and seat.last_seen > now - LEASE


def gone(*, match_id: int, user_id: int, now: datetime) -> None:
    """Shorten the lease after a socket closed. Another page of the person renews it at its next heartbeat."""
    lease = now - LEASE + AFTER_CLOSING
    Seat.objects.filter(match_id=match_id, user_id=user_id, last_seen__gt=lease).update(last_seen=lease)


def sweep(*, now: datetime) -> int:
    """Show people whose leases ran out as away. Return how many tables changed."""
    left = Seat.objects.filter(AT_A_TABLE, away=False, last_seen__lt=now - LEASE)
    match_ids = list(left.values_list("match_id", flat=True).distinct())
    for match_id in match_ids:
        with transaction.atomic():
            match_rows.lock([match_id])
            gone_now = Seat.objects.filter(
                match_id=match_id, away=False, user__isnull=False, last_seen__lt=now - LEASE
            )
            if gone_now.update(away=True):
                announcements.touch(match_id)
    return len(match_ids)
