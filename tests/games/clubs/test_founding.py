"""Founding clubs: the conditions for founders, and the rules for names and texts."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts import notices
from accounts.models import Block, Sanction, User
from games.clubs import founding, joining
from games.clubs.founding import Description
from games.clubs.wording import clean_club_name, clean_club_text
from games.errors import Refused
from games.models import Club, ClubMember
from tests.games.clubs.site import DAY, founded, members, settled, statuses
from tests.games.tables import person


def edit(club: Club, by: User, description: Description) -> None:
    founding.edit_club(club=club, by=by, description=description, now=timezone.now())


def test_the_founder_leads_the_club() -> None:
    club = founded(founder=settled("Hana"), text="We meet on Fridays.", asks=True)
    assert statuses(club) == {"Hana": "leader"}
    assert (club.name, club.text, club.asks, club.members_count) == ("Domino Brno", "We meet on Fridays.", True, 1)


def unconfirmed() -> User:
    user = settled()
    EmailAddress.objects.update(verified=False)
    return user


def muted() -> User:
    user = settled()
    Sanction.objects.create(user=user, kind="mute", reason="spam")
    return user


def suspended() -> User:
    user = settled()
    Sanction.objects.create(user=user, kind="suspend", reason="spam")
    return user


def leader_of_three() -> User:
    user = settled()
    for name in ("One club", "Two clubs", "Three clubs"):
        founded(name, founder=user)
    return user


@pytest.mark.parametrize(
    ("founder", "code"),
    [
        (lambda: settled(is_guest=True), "needs_account"),
        (lambda: settled(bot_owner=person()), "needs_account"),
        (person, "club_young"),
        (unconfirmed, "club_address"),
        (muted, "muted"),
        (suspended, "suspended"),
        (leader_of_three, "too_many_clubs"),
    ],
)
def test_only_settled_accounts_found_a_few_clubs(founder: object, code: str) -> None:
    user = founder()  # type: ignore[operator]  # of the table above
    with pytest.raises(Refused) as refusal:
        founded(founder=user)
    assert refusal.value.code == code


def test_an_account_of_seven_days_founds_a_club() -> None:
    user = settled()
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - 7 * DAY)
    user.refresh_from_db()
    assert founded(founder=user).pk


def test_names_are_unique_without_case_and_accents_until_the_club_closes() -> None:
    club = founded("Dominó Brno")
    with pytest.raises(Refused) as refusal:
        founded("DOMINO BRNO")
    assert refusal.value.code == "club_name"
    joining.close(club, timezone.now())
    assert founded("DOMINO BRNO").name == "DOMINO BRNO"
    assert Club.objects.get(pk=club.pk).name == f"Club {club.pk}"


def test_only_leaders_edit_a_club() -> None:
    leader = settled()
    club = founded(founder=leader)
    (member,) = members(club, "Anna")
    with pytest.raises(Refused) as refusal:
        edit(club, member, Description("Anna’s"))
    assert refusal.value.code == "club_leader"
    edit(club, leader, Description("Domino Praha", "New", asks=True))
    club.refresh_from_db()
    assert (club.name, club.name_key, club.text, club.asks) == ("Domino Praha", "domino praha", "New", True)


def test_an_edit_keeps_or_takes_a_free_name() -> None:
    leader = settled()
    club = founded("Domino Brno", founder=leader)
    founded("Domino Praha")
    edit(club, leader, Description("Domino Brno", "Text"))
    with pytest.raises(Refused) as refusal:
        edit(club, leader, Description("Domino Praha"))
    assert refusal.value.code == "club_name"


def test_a_club_that_opens_accepts_those_who_have_asked(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(joining, "MAX_MEMBERS", 3)
    leader = settled()
    club = founded(founder=leader, asks=True)
    anna, bela, _cyril = members(club, "Anna", "Bela", "Cyril")
    ClubMember.objects.create(club=club, user=person("Dora"), status="asked", since=timezone.now())
    Block.objects.create(blocker=leader, blocked=bela)
    with django_capture_on_commit_callbacks(execute=True):
        edit(club, leader, Description(club.name))
    accepted = {"Hana": "leader", "Anna": "member", "Bela": "asked", "Cyril": "member", "Dora": "asked"}
    assert (statuses(club), Club.objects.get().members_count) == (accepted, 3)
    anna.refresh_from_db()
    (notice,) = notices.pending_notices(anna)
    assert notice.text == "You are a member of the club Domino Brno now."


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("K", "length"),
        ("K" * 31, "length"),
        ("Official dominoes", "reserved"),
        ("Nazi club", "offensive"),
        ("Domino\u202e", "invisible"),
    ],
)
def test_names_follow_the_rules_for_names_of_people(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as error:
        clean_club_name(name)
    assert error.value.code == code


def test_a_name_may_be_longer_than_that_of_a_person() -> None:
    assert clean_club_name("  Klub přátel domina   Ostrava ") == "Klub přátel domina Ostrava"


def test_texts_keep_their_lines_without_invisible_characters() -> None:
    assert clean_club_text("We  play\r\n\r\non\u202e Fridays.\x00\n") == "We play\n\non Fridays."
    assert clean_club_text("") == ""


@pytest.mark.parametrize("text", ["x" * 1001, "\n".join("abcdefghijklmnopqrstu"), "x" * 5000, "You nazi scum"])
def test_long_and_offensive_texts_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        clean_club_text(text)
