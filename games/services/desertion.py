"""Stops casual matches that all people have deserted, at no cost to anybody.

A person counts as present while a page of the match is open, and during their turn if a page was open when it began: a
page without scripts does not renew its lease then, and the turn has a deadline of its own. Daily matches do not need
anybody present, and in rated matches the players run out of time.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil

from django.conf import settings
from django.db import transaction
from django.db.models import DateTimeField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from games.enums import DAILY_CLOCKS
from games.match import match_rows
from games.models import Match, Seat
from games.presence.leases import SEAT_LEASE
from games.services import play
from games.site_switches import current_switches

CHECK_INTERVAL = timedelta(seconds=10)


class DesertionTimer:
    """Stops matches that were deserted in several consecutive checks.

    It counts checks, not seconds: after a start or a suspension of the process, pages first get the time for a
    heartbeat.
    """

    def __init__(self) -> None:
        self.check_counts: dict[int, int] = {}

    def stop_deserted_matches(self, *, now: datetime) -> int:
        """Return how many matches were stopped. While all clocks are stopped, none is."""
        if current_switches().clocks_stopped:
            self.check_counts = {}
            return 0
        match_ids = deserted_matches(now).values_list("pk", flat=True)
        self.check_counts = {match_id: self.check_counts.get(match_id, 0) + 1 for match_id in match_ids}
        checks_needed = max(1, ceil((timedelta(seconds=settings.DESERTED_SECONDS) - SEAT_LEASE) / CHECK_INTERVAL))
        return sum(
            _stop_if_deserted(match_id, now)
            for match_id, checks in self.check_counts.items()
            if checks >= checks_needed
        )


def deserted_matches(now: datetime) -> QuerySet[Match]:
    """Return the running casual matches at which no person is present."""
    people = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False)
    lease_at_turn = ExpressionWrapper(OuterRef("turn_started_at") - SEAT_LEASE, output_field=DateTimeField())
    is_thinking = Q(bot="", index=OuterRef("to_move"), last_seen__gt=lease_at_turn)
    present = Q(last_seen__gt=now - SEAT_LEASE) | is_thinking
    running = Match.objects.filter(status=Match.Status.RUNNING, rated=False).exclude(clock__in=DAILY_CLOCKS)
    return running.filter(Exists(people), ~Exists(people.filter(present)))


@transaction.atomic
def _stop_if_deserted(match_id: int, now: datetime) -> bool:
    if (
        not match_rows.lock_rows([match_id], skip_locked=True)
        or not deserted_matches(now).filter(pk=match_id).exists()
    ):
        return False
    people = Seat.objects.filter(match=match_id, user__isnull=False).exclude(state=Seat.State.FORFEITED)
    seats = list(people.values_list("index", flat=True))
    play.stop_match(match_id=match_id, reason="deserted", seat=seats[0] if len(seats) == 1 else None)
    return True
