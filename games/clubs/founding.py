"""Founding and editing clubs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from accounts.models import Sanction, User
from accounts.selectors import active_mutes
from games.clubs import joining, locks
from games.clubs.wording import club_name_key
from games.errors import Refused
from games.models import Club, ClubMember
from games.services import seating

MAX_LED = 3  # clubs that a founder leads, with the new one
MIN_FOUNDER_AGE = timedelta(days=7)  # since the sign-up


class Description(NamedTuple):
    """What leaders decide about a club. The name and the text are clean (``wording``)."""

    name: str
    text: str = ""
    asks: bool = False


@transaction.atomic
def found_club(*, founder: User, description: Description, now: datetime) -> Club:
    """Found a club, which the founder leads.

    Raises Refused ``needs_account``, ``club_young``, ``club_address``, ``too_many_clubs``, ``club_name``,
    ``suspended``, ``muted``.
    """
    seating.lock_person(founder)
    require_settled_account(founder, now)
    _require_may_write(founder)
    if ClubMember.objects.filter(user=founder, status=ClubMember.Status.LEADER).count() >= MAX_LED:
        raise Refused("too_many_clubs")
    club = Club(members_count=1)
    _save(club, description)
    ClubMember.objects.create(club=club, user=founder, status=ClubMember.Status.LEADER.value, since=now)
    return club


@transaction.atomic
def edit_club(*, club: Club, by: User, description: Description, now: datetime) -> None:
    """Change a club as one of its leaders. An open club accepts the people who have asked to join.

    Raises Refused ``no_club``, ``club_leader``, ``club_name``, ``suspended``, ``muted``.
    """
    seating.lock_person(by)
    row = locks.lock_club(club.pk)
    locks.require_leader(by.pk, row.pk)
    _require_may_write(by)
    _save(row, description)
    if not row.asks:
        joining.accept_all(row, now)


def require_settled_account(user: User, now: datetime) -> None:
    """Raise Refused ``needs_account``, ``club_young``, ``club_address``."""
    if user.is_guest or user.is_bot:
        raise Refused("needs_account")
    if user.date_joined > now - MIN_FOUNDER_AGE:
        raise Refused("club_young")
    if not EmailAddress.objects.filter(user=user, verified=True).exists():
        raise Refused("club_address")


def _require_may_write(user: User) -> None:
    """Raise Refused ``muted`` for a person who may write nowhere."""
    if active_mutes(user.pk).filter(scope=Sanction.Scope.EVERYWHERE).exists():
        raise Refused("muted")


def _save(club: Club, description: Description) -> None:
    """Save a club with this description. Raises Refused ``club_name``."""
    club.name, club.text, club.asks = description
    club.name_key = club_name_key(club.name)
    if Club.objects.filter(name_key=club.name_key).exclude(pk=club.pk).exists():
        raise Refused("club_name")
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError:  # at the same time as another
        raise Refused("club_name") from None
