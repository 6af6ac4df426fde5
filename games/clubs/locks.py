"""The locks of clubs. All code locks people before clubs, and several clubs in the order of their ids."""

from __future__ import annotations

from accounts.selectors import lock_people
from games.errors import Refused
from games.models import Club, ClubMember


def lock_club(club_id: int) -> Club:
    """Lock a club in the caller's transaction. Raises Refused ``no_club``."""
    row = Club.objects.select_for_update(no_key=True).filter(pk=club_id, closed_at=None).first()
    if row is None:
        raise Refused("no_club")
    return row


def lock_with_leaders(club_id: int) -> Club:
    """Lock the leaders of a club, who get a notice, then the club. Raises Refused ``no_club``."""
    lock_people(*leader_ids(club_id))
    return lock_club(club_id)


def leader_ids(club_id: int) -> list[int]:
    leaders = ClubMember.objects.filter(club=club_id, status=ClubMember.Status.LEADER)
    return list(leaders.values_list("user", flat=True))


def is_leader(user_id: int, club_id: int) -> bool:
    return user_id in leader_ids(club_id)


def require_leader(user_id: int, club_id: int) -> None:
    """Raise Refused ``club_leader``."""
    if not is_leader(user_id, club_id):
        raise Refused("club_leader")
