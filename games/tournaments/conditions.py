"""The conditions for entering a tournament.

The range of ratings is compared with the highest rating of a week, at both ends: losing on purpose does not help.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Self

from accounts.models import User
from games.errors import Refused
from games.models import Club, ClubMember, RatingChange
from games.ratings.changes import current_ratings
from games.ratings.skill import Skill

RATING_PERIOD = timedelta(days=7)


class Conditions(NamedTuple):
    """Ratings are as displayed; None is no limit. ``accounts``: no guests. ``bots``: only bots of people."""

    min_rating: int | None = None
    max_rating: int | None = None
    min_matches: int = 0
    accounts: bool = False
    bots: bool = False

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)

    def to_data(self) -> dict[str, Any]:
        """Return the limits as JSON data, without those that are not set."""
        return {name: value for name, value in self._asdict().items() if value}

    @property
    def needs_account(self) -> bool:
        return self.accounts or self.has_range or self.min_matches > 0

    @property
    def has_range(self) -> bool:
        return self.min_rating is not None or self.max_rating is not None


def require_fit(conditions: Conditions, user: User, variant: str, now: datetime) -> None:
    """Raise Refused ``needs_account``, ``entry_rating``, ``entry_matches`` for a person who may not enter.

    Bots enter tournaments of bots, and people all others: Refused ``bots_apart``, ``bots_only``.
    """
    if user.is_bot != conditions.bots:
        raise Refused("bots_apart" if user.is_bot else "bots_only")
    if conditions.needs_account and user.is_guest:
        raise Refused("needs_account")
    if conditions.has_range:
        rating = highest_rating(user.pk, variant, now)
        lowest, highest = conditions.min_rating, conditions.max_rating
        if rating is None or (lowest and rating < lowest) or (highest and rating > highest):
            raise Refused("entry_rating")
    changes = RatingChange.objects.filter(user=user.pk, variant=variant)
    if conditions.min_matches and changes.count() < conditions.min_matches:
        raise Refused("entry_matches")


def require_member(club: Club | None, user_id: int | None) -> None:
    """Raise Refused ``entry_club`` for a person outside the club of a tournament."""
    if club is not None and not club.members.filter(user=user_id, status__in=ClubMember.IN_CLUB).exists():
        raise Refused("entry_club")


def highest_rating(user_id: int, variant: str, now: datetime) -> int | None:
    """Return the highest rating of the last week, None for a person without a settled rating."""
    current = current_ratings(variant, [user_id]).get(user_id)
    if current is None or current.is_provisional:
        return None
    week = RatingChange.objects.filter(user=user_id, variant=variant, at__gt=now - RATING_PERIOD)
    skills = [
        Skill(*values)
        for row in week.values_list("mu_before", "sigma_before", "mu", "sigma")
        for values in (row[:2], row[2:])
    ]
    return max(skill.rating for skill in [current, *skills])
