"""Inviting people whom one follows to a free seat: who may whom, and when the invitation is void."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import blocks, follows, notices
from accounts.models import User
from accounts.sanctions import imposing
from games.lobby import invitations, quick_play, tables
from games.models import Invitation, Match
from games.moderation import acts
from tests.games.lobby.test_tables import refused, table
from tests.games.tables import person, running_table

Change = Callable[[Match, User, User], object]


@pytest.fixture
def match(ann: User, ben: User) -> Match:
    """Return a table of Ann's for three; she follows Ben."""
    follows.follow(follower=ann, followed=ben)
    return table(ann, seats=3)


def invitation_notices(user: User) -> list[str]:
    """Return the invitations that every page tells the person."""
    user.refresh_from_db()
    return [notice.text for notice in notices.pending_notices(user) if "invites you" in notice.text]


def candidates(match: Match, user: User) -> list[str]:
    return [candidate.person.name for candidate in invitations.load_candidates(match, user, timezone.now())]


@pytest.mark.stack
def test_invited_person_gets_one_notice_with_a_link(match: Match, ann: User, ben: User) -> None:
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    ben.refresh_from_db()
    (notice,) = notices.pending_notices(ben)
    assert notice.text == "Ann invites you to a table: Kozel, Full, ~14 min."
    assert (notice.path, notice.accept_path) == (f"/match/{match.slug}/", f"/match/{match.slug}/sit/")
    assert invitation_notices(ann) == []
    refused("invited", invitations.invite, match=match, by=ann, person_id=ben.pk)
    notices.dismiss(ben.pk, notice.id)
    assert invitation_notices(ben) == []
    refused("invited", invitations.invite, match=match, by=ann, person_id=ben.pk)


def test_only_players_can_invite(match: Match, ann: User, ben: User) -> None:
    cat = person("Cat")
    follows.follow(follower=cat, followed=ben)
    refused("not_seated", invitations.invite, match=match, by=cat, person_id=ben.pk)
    tables.sit(match=match, user=cat)
    invitations.invite(match=match, by=cat, person_id=ben.pk)
    assert invitation_notices(ben)[0].startswith("Cat invites you")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda _match, ann, ben: follows.unfollow(follower=ann, followed_id=ben.pk), id="unfollowed"),
        pytest.param(lambda _match, ann, ben: blocks.block(blocker=ben, blocked=ann), id="blocks"),
        pytest.param(lambda _match, ann, ben: blocks.block(blocker=ann, blocked=ben), id="blocked"),
        pytest.param(lambda _match, _ann, ben: set_inviters(ben, "nobody"), id="lets nobody"),
        pytest.param(lambda _match, _ann, ben: set_inviters(ben, "followed"), id="lets those followed"),
        pytest.param(lambda _match, _ann, ben: suspend(ben), id="suspended"),
        pytest.param(lambda match, _ann, ben: tables.sit(match=match, user=ben), id="sits there"),
        pytest.param(lambda match, _ann, ben: by_an_enemy(match, ben), id="blocked by another player"),
    ],
)
def test_uninvitable_people_are_not_candidates(match: Match, ann: User, ben: User, change: Change) -> None:
    """The same reasons refuse an invitation, with one sentence, and end one that was sent before."""
    sent = table(person("Dan"), seats=4)
    tables.sit(match=sent, user=ann)
    invitations.invite(match=sent, by=ann, person_id=ben.pk)
    match.clock = Match.Clock.ONE_DAY
    match.save()
    assert candidates(match, ann) == ["Ben"]
    assert len(invitation_notices(ben)) == 1
    for row in (match, sent):
        change(row, ann, ben)
        refused("cannot_invite", invitations.invite, match=row, by=ann, person_id=ben.pk)
    assert invitation_notices(ben) == []
    assert not Invitation.objects.filter(match=match).exists()


def set_inviters(user: User, who: str) -> None:
    User.objects.filter(pk=user.pk).update(may_invite=who)


def suspend(user: User) -> None:
    root = person("Root", is_staff=True, is_superuser=True)
    imposing.impose(moderator=root, user=user, kind="suspend", reason="rude", until=None)


def by_an_enemy(match: Match, user: User) -> None:
    enemy = person("Eve")
    blocks.block(blocker=enemy, blocked=user)
    tables.sit(match=match, user=enemy)


def test_setting_allows_only_followed_inviters(match: Match, ann: User, ben: User) -> None:
    set_inviters(ben, "followed")
    follows.follow(follower=ben, followed=ann)
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    assert len(invitation_notices(ben)) == 1


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            lambda match, ann, ben: invitations.withdraw_invitation(match=match, by=ann, person_id=ben.pk), id="back"
        ),
        pytest.param(lambda match, ann, _ben: tables.stand_up(match=match, user=ann), id="closed"),
        pytest.param(lambda match, ann, _ben: started(match, ann), id="started"),
        pytest.param(lambda match, ann, _ben: leave_to_another(match, ann), id="inviter left"),
        pytest.param(lambda match, _ann, ben: tables.sit(match=match, user=ben), id="followed"),
        pytest.param(lambda _match, ann, _ben: ann.delete(), id="inviter deleted"),
        pytest.param(lambda match, _ann, _ben: stopped(match), id="stopped by a moderator"),
    ],
)
def test_obsolete_invitation_never_returns(match: Match, ann: User, ben: User, change: Change) -> None:
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    change(match, ann, ben)
    assert invitation_notices(ben) == []
    ben.refresh_from_db()
    assert not ben.has_notices


def started(match: Match, host: User) -> None:
    tables.fill_with_bots(match=match, by=host)
    Match.objects.filter(pk=match.pk).update(status="running")


def leave_to_another(match: Match, user: User) -> None:
    tables.sit(match=match, user=person("Cat"))
    tables.stand_up(match=match, user=user)


def stopped(match: Match) -> None:
    root = person("Root", is_staff=True, is_superuser=True)
    acts.stop_match(moderator=root, match=match, reason="test")


def test_invitation_is_hidden_while_the_table_is_full(match: Match, ann: User, ben: User) -> None:
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    cat, dan = person("Cat"), person("Dan")
    tables.sit(match=match, user=cat)
    tables.sit(match=match, user=dan)
    assert invitation_notices(ben) == []
    follows.follow(follower=ann, followed=(eve := person("Eve")))
    refused("table_full", invitations.invite, match=match, by=ann, person_id=eve.pk)
    tables.stand_up(match=match, user=dan)
    assert len(invitation_notices(ben)) == 1


def test_only_sender_and_host_can_withdraw(match: Match, ann: User, ben: User) -> None:
    cat, dan, eve = person("Cat"), person("Dan"), person("Eve")
    follows.follow(follower=cat, followed=eve)
    tables.sit(match=match, user=cat)
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    invitations.invite(match=match, by=cat, person_id=eve.pk)
    for user in (cat, dan):
        refused("not_host", invitations.withdraw_invitation, match=match, by=user, person_id=ben.pk)
    assert [row.invited for row in invitations.pending_invitations(match)] == [ben, eve]
    invitations.withdraw_invitation(match=match, by=ann, person_id=eve.pk)
    invitations.withdraw_invitation(match=match, by=ann, person_id=ben.pk)
    assert (invitation_notices(ben), invitation_notices(eve), invitations.pending_invitations(match)) == ([], [], [])


def test_quick_games_and_running_matches_have_no_invitations(ann: User, ben: User) -> None:
    follows.follow(follower=ann, followed=ben)
    quick, running = quick_play.join_quick_game(user=ann), running_table([ann, person("Cat")])
    assert not invitations.has_seat_to_offer(quick)
    assert not invitations.has_seat_to_offer(running)
    refused("not_open", invitations.invite, match=running, by=ann, person_id=ben.pk)
    refused("no_guests", invitations.invite, match=quick, by=ann, person_id=ben.pk)


def test_repeated_invitations_are_limited(match: Match, ann: User, ben: User) -> None:
    matches = [match, table(ann, seats=3), table(ann, seats=3)]
    for other in matches:
        invitations.invite(match=other, by=ann, person_id=ben.pk)
    tables.stand_up(match=match, user=ann)
    fourth = table(ann, seats=3)
    refused("invited_often", invitations.invite, match=fourth, by=ann, person_id=ben.pk)
    Invitation.objects.update(at=timezone.now() - timedelta(hours=1, minutes=1))
    invitations.invite(match=fourth, by=ann, person_id=ben.pk)


def invite_from(inviter: User, invited: User) -> Match:
    """Open a table and invite a person to it whom the inviter follows from now on."""
    follows.follow(follower=inviter, followed=invited)
    match = table(inviter, seats=3)
    invitations.invite(match=match, by=inviter, person_id=invited.pk)
    return match


def test_strangers_can_leave_three_notices(ben: User) -> None:
    for number in range(20):
        stranger = person(f"Stranger {number}")
        if number < 3:
            invite_from(stranger, ben)
        else:
            refused("invited_enough", invite_from, inviter=stranger, invited=ben)
    assert len(invitation_notices(ben)) == 3


@pytest.mark.stack
def test_strangers_can_invite_five_times_an_hour(ben: User) -> None:
    for number in range(5):
        invite_from(person(f"Stranger {number}"), ben)
        ben.refresh_from_db()
        notices.dismiss(ben.pk, *(notice.id for notice in notices.pending_notices(ben)))
    late = person("Late")
    refused("invited_enough", invite_from, inviter=late, invited=ben)
    Invitation.objects.update(at=timezone.now() - timedelta(hours=1, minutes=1))
    invite_from(late, ben)


def test_invitations_to_tables_that_started_leave_room_for_others(ben: User) -> None:
    for number in range(3):
        started(invite_from(host := person(f"Stranger {number}"), ben), host)
    invite_from(person("Late"), ben)


def test_invitations_of_strangers_do_not_block_followed_people(ann: User, ben: User) -> None:
    for number in range(3):
        invite_from(person(f"Stranger {number}"), ben)
    follows.follow(follower=ben, followed=ann)
    invite_from(ann, ben)
    assert len(invitation_notices(ben)) == 4


def test_invitations_of_people_one_follows_leave_room_for_strangers(ben: User) -> None:
    for number in range(5):
        friend = person(f"Friend {number}")
        follows.follow(follower=ben, followed=friend)
        invite_from(friend, ben)
    invite_from(person("Stranger"), ben)
    assert len(invitation_notices(ben)) == 6


def test_guests_invite_only_people_who_follow_them(ben: User) -> None:
    guest = person("Guest", is_guest=True)
    refused("cannot_invite", invite_from, inviter=guest, invited=ben)
    follows.follow(follower=ben, followed=guest)
    invite_from(guest, ben)
    assert len(invitation_notices(ben)) == 1


@pytest.mark.stack
def test_candidates_are_online_except_for_daily_matches(match: Match, ann: User, ben: User) -> None:
    cat = person("Cat")
    follows.follow(follower=ann, followed=cat)
    assert candidates(match, ann) == []
    table(cat)
    assert candidates(match, ann) == ["Cat"]
    match.clock = Match.Clock.ONE_DAY
    match.save()
    assert candidates(match, ann) == ["Cat", "Ben"]
    invitations.invite(match=match, by=ann, person_id=cat.pk)
    assert candidates(match, ann) == ["Ben"]
