"""Clubs on the site, for tests."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts.models import User
from games.clubs import founding, joining
from games.clubs.founding import Description
from games.models import Club
from tests.games.tables import person

DAY = timedelta(days=1)


def settled(name: str = "Hana", **fields: Any) -> User:
    """Return a person who may found clubs: signed up long ago, with a confirmed address."""
    user = person(name, date_joined=timezone.now() - 30 * DAY, **fields)
    EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True)
    return user


def founded(name: str = "Domino Brno", *, founder: User | None = None, asks: bool = False, text: str = "") -> Club:
    description = Description(name, text, asks)
    return founding.found_club(founder=founder or settled(), description=description, now=timezone.now())


def members(club: Club, *names: str) -> list[User]:
    people = [person(name) for name in names]
    for user in people:
        joining.join(club=club, user=user, now=timezone.now())
    return people


def statuses(club: Club) -> dict[str, str]:
    """Return what each person is in a club, by name."""
    return dict(club.members.order_by("pk").values_list("user__name", "status"))
