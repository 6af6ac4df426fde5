"""Recomputes all ratings of a game from the records of its matches.

Whether a match counts for a person was decided when it ended, partly by network addresses that are not stored. So the
sets of people who are rated (``RatingChange``) and who gain rating points (``Seat.points_gain``) stay unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Sum

from games.match import record
from games.models import RatingChange, RatingPoints, Seat
from games.ratings import changes


@dataclass(frozen=True, slots=True)
class Comparison:
    """The number of compared rows, and of those that differed and have been corrected."""

    rows: int
    corrected_count: int


@transaction.atomic
def recompute_ratings(variant: str) -> Comparison:
    """Recompute the rating changes of every match."""
    rows = RatingChange.objects.filter(variant=variant)
    ends = record.load_match_ends(set(rows.values_list("match", flat=True)))
    return Comparison(
        rows.count(), changes.recompute_ratings(variant, {match: end.places for match, end in ends.items()})
    )


@transaction.atomic
def recompute_gains(variant: str) -> Comparison:
    """Recompute the rating points gained in every match."""
    seats = list(Seat.objects.filter(variant=variant, points_gain__isnull=False))
    ends = record.load_match_ends({seat.match_id for seat in seats})
    corrected_seats = []
    for seat in seats:
        if seat.points_gain != (gain := ends[seat.match_id].rating[seat.index].total):
            seat.points_gain = gain
            corrected_seats.append(seat)
    Seat.objects.bulk_update(corrected_seats, ["points_gain"], batch_size=500)
    return Comparison(len(seats), len(corrected_seats))


@transaction.atomic
def recompute_sums(variant: str) -> Comparison:
    """Recompute the sum of every person's rating points."""
    seats = Seat.objects.filter(variant=variant, user__isnull=False, points_gain__isnull=False)
    by_person = seats.values_list("user").annotate(points=Sum("points_gain"), matches=Count("pk"))
    sums_by_person = {user_id: (points, matches) for user_id, points, matches in by_person}
    stored = {row.user_id: row for row in RatingPoints.objects.select_for_update(no_key=True).filter(variant=variant)}
    people = sums_by_person.keys() | stored.keys()
    corrected_count = 0
    for user_id in sorted(people):
        row = stored.get(user_id) or RatingPoints(user_id=user_id, variant=variant)
        if (row.points, row.matches) != (sums := sums_by_person.get(user_id, (0, 0))):
            row.points, row.matches = sums
            row.save()
            corrected_count += 1
    return Comparison(len(people), corrected_count)
