"""Invitations on pages of the table and of the invited person, without JavaScript, and in an open lobby."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.urls import reverse

from accounts import blocks, follows
from accounts.models import User
from games.lobby import invitations
from games.models import Invitation, Match
from infrastructure.limit_settings import parse_rate_limits
from tests.games.lobby.test_tables import table
from tests.games.socket_browser import Browser, in_thread
from tests.games.tables import browser_of, person

INVITATION_TEXT = "Ann invites you to a table"


@pytest.fixture
def match(ann: User, ben: User) -> Match:
    """Return Ann's unlisted table. Ann follows Ben, who sits at another table."""
    follows.follow(follower=ann, followed=ben)
    table(ben)
    return table(ann, visibility="link")


def page(user: User | None, path: str) -> str:
    return browser_of(user).get(path).content.decode()


def test_only_players_see_invitation_candidates(match: Match, ann: User, ben: User) -> None:
    path, invite = f"/match/{match.slug}/", f'formaction="/match/{match.slug}/invite/"'
    for address in (path, f"{path}invitations/"):
        assert invite in page(ann, address)
        for other in (None, ben, person("Cat")):
            assert invite not in page(other, address)


def test_person_without_follows_sees_no_candidates(ann: User) -> None:
    assert "invite-people" not in page(ann, f"/match/{table(ann).slug}/")


def test_invitation_shows_a_notice_until_dismissed(match: Match, ann: User, ben: User) -> None:
    answer = browser_of(ann).post(f"/match/{match.slug}/invite/", {"person": ben.pk})
    assert answer.headers["Location"] == f"/match/{match.slug}/"
    html = page(ann, f"/match/{match.slug}/")
    assert f'formaction="/match/{match.slug}/uninvite/"' in html
    for path in ("/", "/matches/", "/accounts/settings/"):
        assert INVITATION_TEXT in page(ben, path)
        assert f'href="/match/{match.slug}/"' in page(ben, path)
        assert INVITATION_TEXT not in page(ann, path)
    dismiss_url = reverse("notice-dismiss", args=[ben.notices.get().pk])
    assert f'formaction="{dismiss_url}"' in page(ben, "/matches/")
    browser_of(ben).post(dismiss_url, {"next": "/matches/"})
    assert INVITATION_TEXT not in page(ben, "/")


def test_invited_person_sits_down_from_the_notice(match: Match, ann: User, ben: User) -> None:
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    sit_url = f"/match/{match.slug}/sit/"
    assert f'formaction="{sit_url}"' in page(ben, "/matches/")
    browser_of(ben).post(sit_url, {"next": "/matches/"})
    assert match.seats.filter(user=ben).exists()
    assert INVITATION_TEXT not in page(ben, "/matches/")


def test_the_invited_person_blocks_the_inviter_from_the_notice(match: Match, ann: User, ben: User) -> None:
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    block_url = reverse("invitation-block", args=[Invitation.objects.get().pk])
    assert f'formaction="{block_url}"' in page(ben, "/matches/")
    assert browser_of(ann).post(block_url).status_code == 404
    answer = browser_of(ben).post(block_url, {"next": "/matches/"})
    assert answer.headers["Location"] == "/matches/"
    assert blocks.blocked_ids(ben.pk) == {ann.pk}
    assert INVITATION_TEXT not in page(ben, "/matches/")


@pytest.mark.stack
@pytest.mark.parametrize("what", ["invite", "uninvite"])
@pytest.mark.parametrize("number", ["", "x", "0", "999999", "9" * 18, "9" * 5000])
def test_unknown_person_id_reveals_nothing(match: Match, ann: User, what: str, number: str) -> None:
    assert browser_of(ann).post(f"/match/{match.slug}/{what}/", {"person": number}).status_code == 303
    assert not Invitation.objects.exists()


def test_only_players_can_invite_and_withdraw(match: Match, ann: User, ben: User) -> None:
    cat = person("Cat")
    follows.follow(follower=cat, followed=ben)
    browser_of(cat).post(f"/match/{match.slug}/invite/", {"person": ben.pk})
    assert not Invitation.objects.exists()
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    browser_of(cat).post(f"/match/{match.slug}/uninvite/", {"person": ben.pk})
    assert Invitation.objects.filter(taken_back_at=None).exists()


def test_invitations_are_rate_limited(match: Match, ann: User, ben: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.RATES, "invitations", parse_rate_limits("9+1/h address, 1+1/h account"))
    client = browser_of(ann)
    codes = [client.post(f"/match/{match.slug}/invite/", {"person": ben.pk}).status_code for _ in range(2)]
    assert codes == [303, 429]


def test_invitation_is_exported_for_both_and_deleted_with_either(match: Match, ann: User, ben: User) -> None:
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    for user in (ann, ben):
        (row,) = json.loads(page(user, "/accounts/data/export/"))["invitations"]
        assert (row["by"], row["invited_person"], row["table"]) == ("Ann", "Ben", match.slug)
    ben.delete()
    assert not Invitation.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_open_lobby_shows_and_removes_it_at_once(match: Match, ann: User, ben: User) -> None:
    invited, other = Browser("/ws/lobby/", user=ben), Browser("/ws/lobby/", user=ann)
    for browser in (invited, other):
        await browser.connect()
        await browser.next_frame()
    await in_thread(invitations.invite)(match=match, by=ann, person_id=ben.pk)
    assert INVITATION_TEXT in await invited.next_frame()
    await in_thread(invitations.withdraw_invitation)(match=match, by=ann, person_id=ben.pk)
    assert INVITATION_TEXT not in await invited.next_frame()
    assert await other.receive_nothing(0.2)
    for browser in (invited, other):
        await browser.disconnect()
