"""Clubs whose people act at the same time: no limit is passed, no club loses its leaders, no notice comes twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import Notice, User
from accounts.services import delete_person
from games.clubs import joining, notices
from games.errors import Refused
from games.models import Club, Tournament
from games.tournaments.announcing import Announcement, announce
from tests.games.clubs.site import founded, members, settled, statuses
from tests.games.services.test_concurrency import in_threads
from tests.games.tables import person

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]
NOW = timezone.now()


def refusals(*acts: Callable[[], object]) -> list[str]:
    """Perform acts at the same time. Return the codes of the refusals."""
    codes = []

    def perform(act: Callable[[], object]) -> None:
        try:
            act()
        except Refused as refused:
            codes.append(refused.code)
        finally:
            connection.close()

    in_threads([lambda act=act: perform(act) for act in acts])
    return codes


def club_with_two_leaders() -> tuple[Club, User, User]:
    leader = settled()
    club = founded(founder=leader)
    anna, _bela = members(club, "Anna", "Bela")
    joining.name_leader(club=club, by=leader, member_id=club.members.get(user=anna).pk, now=NOW)
    return club, leader, anna


def test_of_two_leaders_who_leave_together_one_stays() -> None:
    club, leader, anna = club_with_two_leaders()
    codes = refusals(*(lambda user=user: joining.leave(club=club, user=user, now=NOW) for user in (leader, anna)))
    assert codes == ["last_leader"]
    assert sorted(statuses(club).values()) == ["leader", "member"]


def test_two_leaders_who_are_deleted_together_are_followed_by_a_member() -> None:
    club, leader, anna = club_with_two_leaders()
    assert refusals(*(lambda user=user: delete_person(user=user) for user in (leader, anna))) == []
    assert statuses(club) == {"Bela": "leader"}


def test_many_who_join_together_do_not_pass_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "MAX_MEMBERS", 3)
    club, people = founded(), [person(name) for name in ("Anna", "Bela", "Cyril", "Dora")]
    codes = refusals(*(lambda user=user: joining.join(club=club, user=user, now=NOW) for user in people))
    assert codes == ["club_full", "club_full"]
    club.refresh_from_db()
    assert (club.members_count, club.members.count()) == (3, 3)


def test_clubs_with_one_name_that_are_founded_together_are_one() -> None:
    people = [settled(name) for name in ("Hana", "Olga", "Petr")]
    codes = refusals(*(lambda user=user: founded("Domino Brno", founder=user) for user in people))
    assert codes == ["club_name", "club_name"]
    assert Club.objects.count() == 1


def test_tournaments_that_are_announced_together_send_one_notice() -> None:
    leader = settled()
    club = founded(founder=leader)
    members(club, "Anna", "Bela", "Cyril")
    terms = Announcement("arena", "kozel", 2, NOW + timedelta(hours=1), minutes=30, club=club.pk)
    ids = [announce(terms, host=leader, now=NOW).pk for _number in range(3)]
    assert refusals(*(lambda pk=pk: notices.announce_tournament(tournament_id=pk, now=NOW) for pk in ids)) == []
    assert Notice.objects.filter(kind="club_tournament").count() == 3
    assert Tournament.objects.count() == 3


def test_leaders_accept_people_who_withdraw_at_the_same_time_without_a_deadlock() -> None:
    leader = settled()
    club = founded(founder=leader, asks=True)
    people = members(club, "Anna", "Bela", "Cyril")
    ids = [club.members.get(user=user).pk for user in people]
    accepts = (lambda pk=pk: joining.accept(club=club, by=leader, member_id=pk, now=NOW) for pk in ids)
    withdrawals = (lambda user=user: joining.leave(club=club, user=user, now=NOW) for user in people)
    assert set(refusals(*accepts, *withdrawals)) <= {"no_member"}
    assert statuses(club) == {"Hana": "leader"}
