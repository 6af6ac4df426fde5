"""The ratings of people, as far as their matches are public."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from django.db.models import Max

from games.match.disclosure import disclosed_rating_changes
from games.models import RatingChange
from games.ratings.skill import MAX_SETTLED_SIGMA, Skill


def rating_history(user_id: int, count: int = 500) -> dict[str, list[RatingChange]]:
    """Return a person's latest rating changes by game, in chronological order."""
    by_game: dict[str, list[RatingChange]] = defaultdict(list)
    for row in reversed(disclosed_rating_changes().filter(user=user_id).order_by("-pk")[:count]):
        by_game[row.variant].append(row)
    return dict(by_game)


def latest_change(user_id: int, variant: str) -> RatingChange | None:
    """Return a person's latest rating change in a game."""
    return disclosed_rating_changes().filter(user=user_id, variant=variant).order_by("-pk").first()


def leaders(variant: str, *, since: datetime | None = None, count: int = 50) -> list[RatingChange]:
    """Return the latest changes of the best players with a settled rating, or only of those rated ``since``."""
    latest = disclosed_rating_changes().filter(variant=variant).values("user").annotate(last=Max("pk")).values("last")
    rows = RatingChange.objects.filter(pk__in=latest, sigma__lte=MAX_SETTLED_SIGMA, user__is_closed=False)
    if since is not None:
        rows = rows.filter(at__gte=since)
    return list(rows.select_related("user").order_by("-mu", "pk")[:count])


def skill_after(row: RatingChange) -> Skill:
    """Return the rating after a change."""
    return Skill(row.mu, row.sigma)
