"""How matches changed the ratings and rating points of their players, as far as that is public."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.match import disclosure
from games.models import Match, RatingChange, Seat
from games.ratings.skill import Skill


@dataclass(frozen=True, slots=True)
class RatingEffect:
    """One player's rating before and after a match, and the rating points gained; None where nothing counted."""

    name: str
    user_id: int | None
    outcome: str
    before: int | None
    after: int | None
    points: int | None

    @property
    def change(self) -> int | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class TotalRatingEffect:
    """The changes of one person's rating and rating points over several matches; None where nothing counted."""

    change: int | None
    points: int | None
    matches: int


def rating_effects_by_match(matches: Sequence[Match], now: datetime) -> dict[int, list[RatingEffect]]:
    """Return the effects of matches on the people in their seats, by match; only of matches whose end is public."""
    over = [
        match.pk
        for match in matches
        if match.status not in Match.UNFINISHED and disclosure.are_all_events_public(match, now)
    ]
    changes = {(row.match_id, row.seat): row for row in RatingChange.objects.filter(match__in=over)}
    rating_effects: dict[int, list[RatingEffect]] = defaultdict(list)
    for seat in Seat.objects.filter(match__in=over, user__isnull=False).order_by("match", "index"):
        rating_effects[seat.match_id].append(_rating_effect(seat, changes.get((seat.match_id, seat.index))))
    return dict(rating_effects)


def total_rating_effect(
    rating_effects: Mapping[int, Sequence[RatingEffect]], user_id: int
) -> TotalRatingEffect | None:
    """Return the total effect on one person, None if nothing counted."""
    own_effects = [effect for of_match in rating_effects.values() for effect in of_match if effect.user_id == user_id]
    changes = [effect.change for effect in own_effects if effect.change is not None]
    points = [effect.points for effect in own_effects if effect.points is not None]
    rated = sum(effect.change is not None or effect.points is not None for effect in own_effects)
    if not rated:
        return None
    return TotalRatingEffect(sum(changes) if changes else None, sum(points) if points else None, rated)


def _rating_effect(seat: Seat, change: RatingChange | None) -> RatingEffect:
    before = None if change is None else Skill(change.mu_before, change.sigma_before).rating
    after = None if change is None else Skill(change.mu, change.sigma).rating
    return RatingEffect(seat.name, seat.user_id, seat.get_outcome_display(), before, after, seat.points_gain)
