"""The leases of seats: each is renewed by connected pages, and its player is shown as away when it expires.

They are stored with the seat, not with the pages of a process (``games.presence.online``), because they decide
matches: they survive a restart, move with the clocks after an outage, and are compared with a turn in one transaction.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q

from games.broadcast import announcements
from games.match import match_rows
from games.models import Match, Seat

# Plain SQL for heartbeats (see ``games.services.heartbeats``).
RENEW_SEAT_LEASE = """
UPDATE games_seat SET last_seen = %s, left_at = NULL, lag_ms = COALESCE(%s, lag_ms)
WHERE match_id = %s AND user_id = %s AND NOT away
"""
SEAT_LEASE = timedelta(seconds=45)
MAX_LAG_MS = 10_000
RELOAD_GRACE = timedelta(seconds=4)  # from closing the last page until the player is shown as away


def renew_lease(*, match_id: int, user_id: int, now: datetime, lag_ms: int | None = None) -> None:
    """Renew the lease, and show the person as back. ``lag_ms`` is that of the page, None if it is not known."""
    lag_ms = None if lag_ms is None else min(lag_ms, MAX_LAG_MS)
    with connection.cursor() as cursor:
        cursor.execute(RENEW_SEAT_LEASE, [match_rows.database_time(now), lag_ms, match_id, user_id])
        if cursor.rowcount:
            return
    away = Seat.objects.filter(match_id=match_id, user_id=user_id, away=True)
    if not away.exists():
        return
    with transaction.atomic():
        match_rows.lock_rows([match_id])
        if away.update(last_seen=now, left_at=None, away=False):
            announcements.touch_table(match_id)


def is_connected(seat: Seat, now: datetime) -> bool:
    """Return whether a page of the person in this seat is open, as far as the site knows."""
    has_left = seat.left_at is not None and seat.left_at < now - RELOAD_GRACE
    return not (seat.away or has_left) and seat.last_seen is not None and seat.last_seen > now - SEAT_LEASE


def release_seat_lease(*, match_id: int, user_id: int, renewed_at: datetime, now: datetime) -> None:
    """Store that the person has closed the last page of a process, which last renewed the lease at ``renewed_at``.

    If the lease was renewed since, another page is open. Pages of other processes are asked to renew it.
    """
    seat = Seat.objects.filter(match_id=match_id, user_id=user_id, last_seen__lte=renewed_at)
    if seat.update(left_at=now):
        announcements.ask_pages_to_renew(user_id, match_id)


def mark_away(*, now: datetime) -> int:
    """Show people who have left, or whose leases have expired, as away. Return how many tables changed."""
    has_left = Q(last_seen__lt=now - SEAT_LEASE) | Q(left_at__lt=now - RELOAD_GRACE)
    seats = Seat.objects.filter(has_left, user__isnull=False, away=False)
    unfinished = seats.filter(match__status__in=Match.UNFINISHED)
    match_ids = list(unfinished.values_list("match_id", flat=True).distinct())
    for match_id in match_ids:
        with transaction.atomic():
            if match_rows.lock_rows([match_id], skip_locked=True) and seats.filter(match_id=match_id).update(
                away=True
            ):
                announcements.touch_table(match_id)
    return len(match_ids)
