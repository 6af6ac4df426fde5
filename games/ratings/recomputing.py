"""All ratings of a game anew, from the records of its matches.

Whether a match counts for somebody was decided when it ended, partly by addresses that are not kept. So it stays as it
is stored who is rated (``RatingChange``) and who gains rating points (``Seat.points_gain``); all else is worked out.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Sum

from games.match import record
from games.models import RatingChange, RatingPoints, Seat
from games.ratings import changes


@dataclass(frozen=True, slots=True)
class Compared:
    """How many rows were looked at, and how many of them were ``different`` and are right now."""

    rows: int
    different: int


@transaction.atomic
def ratings(variant: str) -> Compared:
    """Work out what each match did to ratings."""
    rows = RatingChange.objects.filter(variant=variant)
    ends = record.ends(set(rows.values_list("match", flat=True)))
    return Compared(rows.count(), changes.recompute(variant, {match: end.places for match, end in ends.items()}))


@transaction.atomic
def gains(variant: str) -> Compared:
    """Work out the rating points that each match brought."""
    seats = list(Seat.objects.filter(variant=variant, points_gain__isnull=False))
    ends = record.ends({seat.match_id for seat in seats})
    different = []
    for seat in seats:
        if seat.points_gain != (gain := ends[seat.match_id].rating[seat.index].total):
            seat.points_gain = gain
            different.append(seat)
    Seat.objects.bulk_update(different, ["points_gain"], batch_size=500)
    return Compared(len(seats), len(different))


@transaction.atomic
def sums(variant: str) -> Compared:
    """Add up the rating points of each person."""
    seats = Seat.objects.filter(variant=variant, user__isnull=False, points_gain__isnull=False)
    added = {
        row["user"]: (row["points"], row["matches"])
        for row in seats.values("user").annotate(points=Sum("points_gain"), matches=Count("pk"))
    }
    stored = {row.user_id: row for row in RatingPoints.objects.select_for_update(no_key=True).filter(variant=variant)}
    people = added.keys() | stored.keys()
    different = []
    for user_id in sorted(people):
        row = stored.get(user_id) or RatingPoints(user_id=user_id, variant=variant)
        if (row.points, row.matches) != (expected := added.get(user_id, (0, 0))):
            row.points, row.matches = expected
            different.append(row)
    for row in different:
        row.save()
    return Compared(len(people), len(different))
