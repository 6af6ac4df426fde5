"""The greeting in the lobby: the people here whom the viewer follows, the viewer's rating and puzzle streak."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from accounts.models import User
from games.presence import online
from games.puzzles import daily
from games.ratings import disclosed_ratings

MAX_NAMES = 6


class Greeting(NamedTuple):
    """``rating`` is None before the first rated match, ``streak`` the days in a row with a solved puzzle.

    Both are those of one game.
    """

    followed_here: list[User]
    rating: int | None
    streak: int


def load_greeting(user: User, variant: str, followed: frozenset[int], now: datetime) -> Greeting:
    followed_ids = online.online_user_ids(now) & followed if followed else followed
    followed_here = User.objects.filter(pk__in=followed_ids, is_active=True).order_by("name")[:MAX_NAMES]
    change = disclosed_ratings.latest_change(user.pk, variant)
    rating = disclosed_ratings.skill_after(change).rating if change else None
    return Greeting(list(followed_here) if followed_ids else [], rating, daily.streak(variant, user.pk, now))
