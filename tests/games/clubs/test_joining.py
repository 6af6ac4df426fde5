"""Joining and leaving clubs, and what leaders, moderators and deleted accounts change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import Block, Notice, Sanction, User
from accounts.sanctions import imposing
from accounts.services import delete_person
from games.clubs import joining
from games.errors import Refused
from games.models import Club, ClubMember
from tests.games.clubs.site import founded, members, settled, statuses
from tests.games.tables import person

NOW = timezone.now()


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refusal:
        act()
    return refusal.value.code


def id_of(club: Club, user: User) -> int:
    return club.members.get(user=user).pk


def count(club: Club) -> int:
    return Club.objects.get(pk=club.pk).members_count


def test_anybody_with_an_account_joins_an_open_club_and_leaves_it() -> None:
    club = founded()
    (anna,) = members(club, "Anna")
    joining.join(club=club, user=anna, now=NOW)  # a second press changes nothing
    assert statuses(club) == {"Hana": "leader", "Anna": "member"}
    assert count(club) == 2
    joining.leave(club=club, user=anna, now=NOW)
    assert statuses(club) == {"Hana": "leader"}
    assert count(club) == 1
    assert code_of(lambda: joining.leave(club=club, user=anna, now=NOW)) == "not_member"


@pytest.mark.parametrize("fields", [{"is_guest": True}, {"bot_owner_id": 0}])
def test_guests_and_bots_do_not_join(fields: dict[str, object]) -> None:
    club = founded()
    if "bot_owner_id" in fields:
        fields = {"bot_owner": person()}
    assert code_of(lambda: joining.join(club=club, user=person("Anna", **fields), now=NOW)) == "needs_account"


def test_leaders_accept_and_refuse_those_who_ask() -> None:
    leader = settled()
    club = founded(founder=leader, asks=True)
    anna, bela = members(club, "Anna", "Bela")
    assert statuses(club) == {"Hana": "leader", "Anna": "asked", "Bela": "asked"}
    assert count(club) == 1
    joining.accept(club=club, by=leader, member_id=id_of(club, anna), now=NOW)
    joining.remove(club=club, by=leader, member_id=id_of(club, bela), now=NOW)
    assert statuses(club) == {"Hana": "leader", "Anna": "member", "Bela": "removed"}
    assert count(club) == 2
    assert code_of(lambda: joining.join(club=club, user=bela, now=NOW)) == "club_refused"


def test_a_request_is_withdrawn() -> None:
    club = founded(asks=True)
    (anna,) = members(club, "Anna")
    joining.leave(club=club, user=anna, now=NOW)
    assert statuses(club) == {"Hana": "leader"}


def test_a_removed_member_comes_back_only_if_a_leader_allows_it_and_without_a_notice() -> None:
    leader = settled()
    club = founded(founder=leader)
    (anna,) = members(club, "Anna")
    joining.remove(club=club, by=leader, member_id=id_of(club, anna), now=NOW)
    assert count(club) == 1
    assert code_of(lambda: joining.leave(club=club, user=anna, now=NOW)) == "not_member"
    assert code_of(lambda: joining.join(club=club, user=anna, now=NOW)) == "club_refused"
    joining.accept(club=club, by=leader, member_id=id_of(club, anna), now=NOW)
    assert statuses(club) == {"Hana": "leader"}
    assert not Notice.objects.exists()
    joining.join(club=club, user=anna, now=NOW)
    assert statuses(club)["Anna"] == "member"


def test_only_leaders_of_the_club_decide_about_its_people() -> None:
    club, other_club = founded(founder=settled("Hana")), founded("Other club", founder=settled("Olga"))
    anna, bela = members(club, "Anna", "Bela")
    member_id = id_of(club, bela)
    stranger = User.objects.get(name="Olga")
    for act in (joining.accept, joining.remove, joining.name_leader):
        for by in (anna, stranger):
            perform = partial(act, club=club, by=by, member_id=member_id, now=NOW)
            assert code_of(perform) == "club_leader"
    # The number of a person in another club is no number of this one.
    remove = lambda: joining.remove(club=other_club, by=stranger, member_id=member_id, now=NOW)  # noqa: E731
    assert code_of(remove) == "no_member"


def test_leaders_neither_remove_nor_refuse_each_other() -> None:
    leader = settled()
    club = founded(founder=leader)
    (anna,) = members(club, "Anna")
    joining.name_leader(club=club, by=leader, member_id=id_of(club, anna), now=NOW)
    assert statuses(club) == {"Hana": "leader", "Anna": "leader"}
    remove = lambda: joining.remove(club=club, by=leader, member_id=id_of(club, anna), now=NOW)  # noqa: E731
    assert code_of(remove) == "no_member"
    joining.leave(club=club, user=leader, now=NOW)
    assert statuses(club) == {"Anna": "leader"}


def test_a_club_has_few_leaders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "MAX_LEADERS", 2)
    leader = settled()
    club = founded(founder=leader)
    anna, bela = members(club, "Anna", "Bela")
    joining.name_leader(club=club, by=leader, member_id=id_of(club, anna), now=NOW)
    name = lambda: joining.name_leader(club=club, by=leader, member_id=id_of(club, bela), now=NOW)  # noqa: E731
    assert code_of(name) == "too_many_leaders"


def test_the_last_leader_names_another_or_closes_the_empty_club() -> None:
    leader = settled()
    club = founded(founder=leader, text="About us")
    (anna,) = members(club, "Anna")
    assert code_of(lambda: joining.leave(club=club, user=leader, now=NOW)) == "last_leader"
    joining.leave(club=club, user=anna, now=NOW)
    joining.leave(club=club, user=leader, now=NOW)
    club.refresh_from_db()
    assert (club.closed_at, club.text, club.members.count()) == (NOW, "", 0)
    assert code_of(lambda: joining.join(club=club, user=anna, now=NOW)) == "no_club"


def test_a_block_of_a_leader_reads_like_a_removal() -> None:
    leader, anna = settled(), person("Anna")
    club = founded(founder=leader)
    Block.objects.create(blocker=leader, blocked=anna)
    assert code_of(lambda: joining.join(club=club, user=anna, now=NOW)) == "club_refused"


def test_clubs_and_people_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "MAX_CLUBS", 1)
    monkeypatch.setattr(joining, "MAX_MEMBERS", 2)
    first, second = founded(founder=settled("Hana")), founded("Other club", founder=settled("Olga"))
    (anna,) = members(first, "Anna")
    assert code_of(lambda: joining.join(club=second, user=anna, now=NOW)) == "too_many_clubs"
    assert code_of(lambda: joining.join(club=first, user=person("Bela"), now=NOW)) == "club_full"


def test_the_longest_standing_member_leads_instead_of_a_suspended_leader(moderator: User) -> None:
    leader = settled()
    club = founded(founder=leader)
    anna, _bela = members(club, "Anna", "Bela")
    Sanction.objects.create(user=anna, kind="suspend", reason="spam")
    imposing.impose(moderator=moderator, user=leader, kind="suspend", reason="Insults.")
    assert statuses(club) == {"Hana": "member", "Anna": "member", "Bela": "leader"}


def test_a_suspended_person_alone_in_a_club_keeps_it(moderator: User) -> None:
    leader = settled()
    club = founded(founder=leader)
    imposing.impose(moderator=moderator, user=leader, kind="suspend", reason="Insults.")
    assert statuses(club) == {"Hana": "leader"}
    assert code_of(lambda: joining.name_leader(club=club, by=leader, member_id=1, now=NOW)) == "suspended"


def test_a_deleted_leader_is_followed_by_a_member_and_an_empty_club_closes() -> None:
    leader = settled()
    club = founded("Hana’s club", founder=leader, text="Hana’s text")
    (anna,) = members(club, "Anna")
    delete_person(user=leader)
    assert statuses(club) == {"Anna": "leader"}
    assert count(club) == 1
    delete_person(user=anna)
    club.refresh_from_db()
    assert (club.closed_at is not None, club.name, club.text) == (True, f"Club {club.pk}", "")
    assert not ClubMember.objects.exists()
