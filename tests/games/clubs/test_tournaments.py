"""Tournaments of clubs: who announces them, who enters, and the one notice of a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import notices as site_notices
from accounts.models import Notice, User
from games.clubs import joining, notices
from games.errors import Refused
from games.models import Club, Tournament
from games.tournaments import announcing, entering
from games.tournaments.announcing import Announcement
from games.tournaments.conditions import Conditions
from tests.games.clubs.site import DAY, founded, members, settled
from tests.games.tables import person

NOW = timezone.now()


def announced(host: User, club: Club, **terms: Any) -> Tournament:
    usual: dict[str, Any] = {"format": "arena", "variant": "kozel", "seats": 2, "minutes": 30, "name": "Club cup"}
    starts_at = NOW + timedelta(hours=1)
    announcement = Announcement(**(usual | terms), starts_at=starts_at, club=club.pk)
    return announcing.announce_as_host(host=host, announcement=announcement, now=NOW)


def texts_of(user: User) -> list[str]:
    user.refresh_from_db()
    return [notice.text for notice in site_notices.pending_notices(user)]


def test_only_leaders_announce_for_a_club() -> None:
    leader = settled()
    club = founded(founder=leader)
    (anna,) = members(club, "Anna")
    with pytest.raises(Refused) as refusal:
        announced(anna, club)
    assert refusal.value.code == "club_leader"
    assert announced(leader, club).club == club


def test_only_members_enter() -> None:
    leader = settled()
    club = founded(founder=leader, asks=True)
    anna, bela = members(club, "Anna", "Bela")
    joining.accept(club=club, by=leader, member_id=club.members.get(user=anna).pk, now=NOW)
    tournament = announced(leader, club)
    for user in (leader, anna):
        assert entering.enter(tournament=tournament, user=user, now=NOW).status == "entered"
    for user in (bela, person("Cyril")):
        with pytest.raises(Refused) as refusal:
            entering.enter(tournament=tournament, user=user, now=NOW)
        assert refusal.value.code == "entry_club"


def test_anybody_enters_a_tournament_whose_club_has_closed() -> None:
    leader = settled()
    club = founded(founder=leader)
    tournament = announced(leader, club)
    joining.leave(club=club, user=leader, now=NOW)
    assert entering.enter(tournament=tournament, user=person("Anna"), now=NOW).status == "entered"


def test_the_host_accepts_no_entry_of_a_person_who_has_left_the_club() -> None:
    leader = settled()
    club = founded(founder=leader)
    anna, bela = members(club, "Anna", "Bela")
    tournament = announced(leader, club, asks=True)
    entries = [entering.enter(tournament=tournament, user=user, now=NOW) for user in (anna, bela)]
    joining.leave(club=club, user=bela, now=NOW)
    entering.approve(tournament=tournament, by=leader, entry_id=entries[0].pk, now=NOW)
    with pytest.raises(Refused) as refusal:
        entering.approve(tournament=tournament, by=leader, entry_id=entries[1].pk, now=NOW)
    assert refusal.value.code == "entry_club"


def test_a_tournament_of_bots_is_for_no_club() -> None:
    leader = settled()
    club = founded(founder=leader)
    with pytest.raises(Refused) as refusal:
        announced(leader, club, conditions=Conditions(bots=True))
    assert refusal.value.code == "bots_terms"


def test_members_get_one_notice_a_day(django_capture_on_commit_callbacks: Any) -> None:
    leader = settled()
    club = founded(founder=leader, asks=True)
    anna, bela = members(club, "Anna", "Bela")
    joining.accept(club=club, by=leader, member_id=club.members.get(user=anna).pk, now=NOW)
    Notice.objects.all().delete()
    with django_capture_on_commit_callbacks(execute=True):
        first, second = announced(leader, club, name="First cup"), announced(leader, club, name="Second cup")
    assert texts_of(anna) == ["Domino Brno has a new tournament: First cup."]
    assert texts_of(leader) == texts_of(bela) == []
    notices.announce_tournament(tournament_id=second.pk, now=NOW + DAY)
    assert len(texts_of(anna)) == 2
    Tournament.objects.filter(pk=first.pk).update(stage=Tournament.Stage.RUNNING)
    assert texts_of(anna) == ["Domino Brno has a new tournament: Second cup."]


def test_an_unlisted_tournament_sends_no_notice(django_capture_on_commit_callbacks: Any) -> None:
    leader = settled()
    club = founded(founder=leader)
    (anna,) = members(club, "Anna")
    with django_capture_on_commit_callbacks(execute=True):
        announced(leader, club, visibility="link")
    assert texts_of(anna) == []


def test_an_accepted_person_gets_a_notice_until_the_club_closes() -> None:
    leader = settled()
    club = founded(founder=leader, asks=True)
    (anna,) = members(club, "Anna")
    joining.accept(club=club, by=leader, member_id=club.members.get(user=anna).pk, now=NOW)
    assert texts_of(anna) == ["You are a member of the club Domino Brno now."]
    joining.name_leader(club=club, by=leader, member_id=club.members.get(user=anna).pk, now=NOW)
    for user in (leader, anna):
        joining.leave(club=club, user=user, now=NOW)
    assert texts_of(anna) == []
