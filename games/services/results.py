"""The result of a match: places and rating points, and taking them back when a match is void."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import Rating
from games import live
from games.engine.events import MatchEnded
from games.header import Header
from games.models import Match, Seat

STATUS = {"stopped": Match.Status.STOPPED, "void": Match.Status.VOID}
"""What a match that was ended from outside is; everything else is finished."""


def settle(header: Header, ended: MatchEnded, now: datetime) -> None:
    """Write places, and in a rated match the points, within the transaction that ends the match."""
    Match.objects.filter(pk=header.match_id).update(
        status=STATUS.get(ended.reason, Match.Status.FINISHED), finished_at=now
    )
    for seat, place in enumerate(ended.places):
        gain = ended.rating[seat].total if header.rated and ended.rating else None
        Seat.objects.filter(match_id=header.match_id, index=seat).update(place=place, rating_gain=gain)
    if header.rated and ended.places:
        _collect(header.match_id, header.variant, sign=1)


@transaction.atomic
def take_back(match: Match) -> None:
    """Make a finished match void: its rating points were never won. The record stays as it is."""
    if match.rated:
        _collect(match.pk, match.variant, sign=-1)
        match.seats.update(rating_gain=None)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    live.touch(match.pk)


def _collect(match_id: int, variant: str, *, sign: int) -> None:
    """Add the gains of a match to its people's ratings, in the order of users so that no two matches deadlock."""
    seats = Seat.objects.filter(match_id=match_id, user__isnull=False, rating_gain__isnull=False)
    for user_id, gain in seats.order_by("user_id").values_list("user_id", "rating_gain"):
        Rating.objects.get_or_create(user_id=user_id, variant=variant)
        Rating.objects.filter(user_id=user_id, variant=variant).update(
            points=F("points") + sign * gain, matches=F("matches") + sign
        )
