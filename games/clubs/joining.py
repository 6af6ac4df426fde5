"""Joining and leaving clubs, and what leaders decide about people."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Exists, QuerySet

from accounts.models import Block, User
from accounts.selectors import lock_person, suspension_of_outer_person
from games.access import require_not_suspended
from games.clubs import locks, notices
from games.clubs.wording import neutral_name
from games.enums import ClubStatus
from games.errors import Refused
from games.models import Club, ClubMember
from games.services import seating

MAX_CLUBS = 20  # of one person, with those that have not answered
MAX_MEMBERS = 1000  # and as many who ask
MAX_LEADERS = 10  # pages and reports list all


@transaction.atomic
def join(*, club: Club, user: User, now: datetime) -> ClubMember:
    """Join a club, or ask its leaders. It does nothing for somebody who belongs to it or has asked.

    Blocked people get the refusal of removed ones, so it does not reveal a block.

    Raises Refused ``needs_account``, ``no_club``, ``club_refused``, ``too_many_clubs``, ``club_full``, ``suspended``.
    """
    seating.lock_person(user)
    if user.is_guest or user.is_bot:
        raise Refused("needs_account")
    row = locks.lock_club(club.pk)
    own = row.members.filter(user=user).first()
    if own is not None and own.status != ClubStatus.REMOVED:
        return own
    if own is not None or _blocks_of_leaders(row).filter(blocked=user).exists():
        raise Refused("club_refused")
    if ClubMember.objects.filter(user=user).exclude(status=ClubStatus.REMOVED).count() >= MAX_CLUBS:
        raise Refused("too_many_clubs")
    status = ClubStatus.ASKED if row.asks else ClubStatus.MEMBER
    if (row.members.filter(status=status).count() if row.asks else row.members_count) >= MAX_MEMBERS:
        raise Refused("club_full")
    member = ClubMember.objects.create(club=row, user=user, status=status.value, since=now)
    _count_members(row)
    return member


@transaction.atomic
def leave(*, club: Club, user: User, now: datetime) -> None:
    """Leave a club, or withdraw the request to join. The last person closes the club.

    Raises Refused ``no_club``, ``not_member``, ``last_leader``.
    """
    if not lock_person(user.pk):
        raise Refused("ended")
    row = locks.lock_club(club.pk)
    own = row.members.filter(user=user).exclude(status=ClubStatus.REMOVED).first()
    if own is None:
        raise Refused("not_member")
    if own.status == ClubStatus.LEADER and locks.leader_ids(row.pk) == [user.pk] and row.members_count > 1:
        raise Refused("last_leader")
    own.delete()
    _count_members(row)
    if not row.members_count:
        close(row, now)


def close(club: Club, now: datetime) -> None:
    """Close a club that the caller has locked. Its tournaments go on; anybody may enter those that have not begun."""
    club.members.all().delete()
    club.name, club.name_key, club.text = neutral_name(club.pk), "", ""
    club.members_count, club.closed_at = 0, now
    club.save()


@transaction.atomic
def accept(*, club: Club, by: User, member_id: int, now: datetime) -> None:
    """Accept a person who has asked to join, or allow one who was refused or removed to join again, as a leader.

    Raises Refused ``no_club``, ``club_leader``, ``no_member``, ``club_full``, ``suspended``.
    """
    row, member = _lock_as_leader(club.pk, by, member_id, ClubStatus.ASKED, ClubStatus.REMOVED)
    if member.status == ClubStatus.REMOVED:  # nobody is made a member without a request of their own
        member.delete()
        return
    if row.members_count >= MAX_MEMBERS:
        raise Refused("club_full")
    _set_status(row, member, ClubStatus.MEMBER, now)
    notices.send_acceptance(row, [member.user_id])


def accept_all(club: Club, now: datetime) -> None:
    """Accept the people who ask to join a club that the caller has locked, except those whom a leader has blocked."""
    asking = club.members.filter(status=ClubStatus.ASKED).order_by("pk")
    allowed = asking.exclude(user__in=_blocks_of_leaders(club).values("blocked"))
    user_ids = list(allowed.values_list("user", flat=True)[: MAX_MEMBERS - club.members_count])
    club.members.filter(user__in=user_ids).update(status=ClubStatus.MEMBER.value, since=now)
    _count_members(club)
    # After the commit: it locks people, who are locked before clubs.
    transaction.on_commit(partial(notices.send_acceptance, club, user_ids), robust=True)


@transaction.atomic
def remove(*, club: Club, by: User, member_id: int, now: datetime) -> None:
    """Refuse or remove a person, who may not join again, as a leader. Leaders only leave by themselves.

    Raises Refused ``no_club``, ``club_leader``, ``no_member``, ``suspended``.
    """
    row, member = _lock_as_leader(club.pk, by, member_id, ClubStatus.ASKED, ClubStatus.MEMBER)
    _set_status(row, member, ClubStatus.REMOVED, now)


@transaction.atomic
def name_leader(*, club: Club, by: User, member_id: int, now: datetime) -> None:
    """Make a member a leader, as a leader. Raises Refused ``too_many_leaders``, and as ``remove``."""
    row, member = _lock_as_leader(club.pk, by, member_id, ClubStatus.MEMBER)
    if len(locks.leader_ids(row.pk)) >= MAX_LEADERS:
        raise Refused("too_many_leaders")
    _set_status(row, member, ClubStatus.LEADER, now)


@transaction.atomic
def end_lead_of_suspended(user_id: int, now: datetime) -> None:
    """Let the longest-standing members lead the clubs of a suspended person, who stays in them.

    Where nobody else is, nothing changes.
    """
    for row in _lock_clubs_of(user_id):
        if row.members.filter(user=user_id, status=ClubStatus.LEADER).exists():
            _ensure_leader(row, user_id, now)
            if locks.leader_ids(row.pk) != [user_id]:
                row.members.filter(user=user_id).update(status=ClubStatus.MEMBER.value, since=now)


@transaction.atomic
def take_out_deleted(user_id: int, now: datetime) -> None:
    """Take a person whose account is deleted out of all clubs. Empty clubs close."""
    for row in _lock_clubs_of(user_id):
        row.members.filter(user=user_id).delete()
        _count_members(row)
        if row.members_count:
            _ensure_leader(row, user_id, now)
        else:
            close(row, now)


def _lock_as_leader(club_id: int, by: User, member_id: int, *statuses: ClubStatus) -> tuple[Club, ClubMember]:
    """Lock a person with one of these statuses, then the club."""
    user_id = ClubMember.objects.filter(pk=member_id, club=club_id).values_list("user", flat=True).first()
    require_not_suspended(by.pk)
    if user_id is not None:
        lock_person(user_id)
    row = locks.lock_club(club_id)
    locks.require_leader(by.pk, club_id)
    member = row.members.filter(pk=member_id, status__in=statuses).first()
    if member is None:
        raise Refused("no_member")
    return row, member


def _set_status(club: Club, member: ClubMember, status: ClubStatus, now: datetime) -> None:
    member.status, member.since = status.value, now
    member.save(update_fields=["status", "since"])
    _count_members(club)


def _lock_clubs_of(user_id: int) -> list[Club]:
    club_ids = ClubMember.objects.filter(user=user_id).values("club")
    return list(Club.objects.select_for_update(no_key=True).filter(pk__in=club_ids).order_by("pk"))


def _ensure_leader(club: Club, user_id: int, now: datetime) -> None:
    """Let the longest-standing member lead if only this person did. Suspended people do not lead."""
    if set(locks.leader_ids(club.pk)) - {user_id}:
        return
    members: QuerySet[ClubMember] = club.members.filter(status=ClubStatus.MEMBER).exclude(user=user_id)
    free = members.exclude(Exists(suspension_of_outer_person("user"))).order_by("since", "pk").first()
    successor = free or (members.order_by("since", "pk").first() if not locks.leader_ids(club.pk) else None)
    if successor is not None:
        ClubMember.objects.filter(pk=successor.pk).update(status=ClubStatus.LEADER.value, since=now)


def _blocks_of_leaders(club: Club) -> QuerySet[Block]:
    return Block.objects.filter(blocker__in=locks.leader_ids(club.pk))


def _count_members(club: Club) -> None:
    club.members_count = club.members.filter(status__in=ClubMember.IN_CLUB).count()
    club.save(update_fields=["members_count"])
