"""Casual matches that all people have left to bots are stopped. That costs nobody anything.

A person is there while a page of the match is open, and during their turn if a page was open when it began: a page
without scripts does not renew its lease then, and the turn has its own deadline. By the day nobody has to be there. In
rated matches the players run out of time instead.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil

from django.conf import settings
from django.db import transaction
from django.db.models import DateTimeField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from games.enums import DAILY
from games.match import match_rows
from games.models import Match, Seat
from games.presence.leases import LEASE
from games.services import play

EVERY = timedelta(seconds=10)


class Watchman:
    """Looks at the matches every ten seconds, and stops one at which nobody was for many looks in a row.

    It counts looks, not seconds: after a process was suspended, or has just started, pages first get the time to send
    a heartbeat.
    """

    def __init__(self) -> None:
        self.looks: dict[int, int] = {}

    def look(self, *, now: datetime) -> int:
        """Look once. Return how many matches were stopped."""
        match_ids = deserted(now).values_list("pk", flat=True)
        self.looks = {match_id: self.looks.get(match_id, 0) + 1 for match_id in match_ids}
        enough = max(1, ceil((timedelta(seconds=settings.DESERTED_SECONDS) - LEASE) / EVERY))
        return sum(_stop(match_id, now) for match_id, looks in self.looks.items() if looks >= enough)


def deserted(now: datetime) -> QuerySet[Match]:
    """Return the casual matches that go on although none of their people is there."""
    people = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False)
    lease_at_turn = ExpressionWrapper(OuterRef("turn_started_at") - LEASE, output_field=DateTimeField())
    thinks = Q(bot="", index=OuterRef("to_move"), last_seen__gt=lease_at_turn)
    there = Q(last_seen__gt=now - LEASE) | thinks
    running = Match.objects.filter(status=Match.Status.RUNNING, rated=False).exclude(clock__in=DAILY)
    return running.filter(Exists(people), ~Exists(people.filter(there)))


@transaction.atomic
def _stop(match_id: int, now: datetime) -> bool:
    if not match_rows.lock([match_id], skip_locked=True) or not deserted(now).filter(pk=match_id).exists():
        return False
    people = Seat.objects.filter(match=match_id, user__isnull=False).exclude(state=Seat.State.FORFEITED)
    seats = list(people.values_list("index", flat=True))
    play.stop(match_id=match_id, reason="deserted", seat=seats[0] if len(seats) == 1 else None)
    return True
