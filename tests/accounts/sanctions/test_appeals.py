"""Appeals against sanctions are decided by another moderator."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import notices
from accounts.models import Appeal, ModerationAct, Sanction, User
from accounts.sanctions import appeals, imposing
from tests.games.tables import browser_of


def judge(name: str) -> User:
    user = User.objects.create(username=name, name=name, is_staff=True)
    user.groups.add(Group.objects.get(name="Match moderators"))
    return user


@pytest.fixture
def mo() -> User:
    return judge("Mo")


@pytest.fixture
def mute(masha: User, mo: User) -> Sanction:
    return imposing.impose(
        moderator=mo, user=masha, kind="mute", reason="spam", until=timezone.now() + timedelta(days=1)
    )


def notice_texts(user: User) -> list[str]:
    user.refresh_from_db()
    return [notice.text for notice in notices.pending_notices(user)]


def appeal_against(mute: Sanction) -> Appeal:
    return appeals.submit_appeal(user=mute.user, sanction_id=mute.pk, words="It was my brother.")


def test_every_page_has_the_sanction_and_a_link_to_the_appeal(as_masha: Client, masha: User, mute: Sanction) -> None:
    assert ["You are muted until" in text and "Reason: spam" in text for text in notice_texts(masha)] == [True]
    page = as_masha.get("/rules/").text
    assert f'href="{reverse("sanctions")}"' in page
    assert f'action="{reverse("appeal", args=[mute.pk])}"' in as_masha.get(reverse("sanctions")).text


def test_another_moderator_can_grant_the_appeal(as_masha: Client, masha: User, mo: User, mute: Sanction) -> None:
    as_masha.post(reverse("appeal", args=[mute.pk]), {"words": "It was my brother."})
    appeal, other = Appeal.objects.get(), judge("Ada")
    with pytest.raises(ValidationError, match="another moderator"):
        appeals.decide_appeal(moderator=mo, appeal=appeal, verdict="granted", reason="oops")
    appeals.decide_appeal(moderator=other, appeal=appeal, verdict="granted", reason="It was not you.")
    mute.refresh_from_db()
    assert mute.lifted_at is not None
    assert notice_texts(masha) == ["Your appeal was granted, and the sanction is lifted. Reason: It was not you."]
    assert list(ModerationAct.objects.order_by("pk").values_list("act", "moderator__name")) == [
        ("mute", "Mo"),
        ("lift", "Ada"),
    ]
    with pytest.raises(ValidationError, match="is already decided"):
        appeals.decide_appeal(moderator=other, appeal=appeal, verdict="rejected", reason="no")


def test_rejected_appeal_keeps_the_sanction_and_has_a_reason(masha: User, mute: Sanction) -> None:
    appeals.decide_appeal(
        moderator=judge("Ada"), appeal=appeal_against(mute), verdict="rejected", reason="Ten lines a minute."
    )
    mute.refresh_from_db()
    assert mute.lifted_at is None
    assert notice_texts(masha)[1:] == ["Your appeal was rejected. Reason: Ten lines a minute."]
    assert ModerationAct.objects.order_by("pk").last().act == "reject"


def test_lifted_warning_disappears(masha: User, mo: User) -> None:
    warning = imposing.impose(moderator=mo, user=masha, kind="warn", reason="You lost on purpose.")
    assert notice_texts(masha) == ["A moderator warns you: You lost on purpose."]
    assert warning.is_in_force
    appeal = appeals.submit_appeal(user=masha, sanction_id=warning.pk, words="I did not.")
    appeals.decide_appeal(moderator=judge("Ada"), appeal=appeal, verdict="granted", reason="True.")
    assert notice_texts(masha) == ["Your appeal was granted, and the sanction is lifted. Reason: True."]


def test_appeal_needs_words_and_an_own_sanction_in_force_and_is_possible_once(
    as_masha: Client, mute: Sanction
) -> None:
    for person, words in ((mute.user, "  "), (judge("Ada"), "It was not her.")):
        with pytest.raises(ValidationError):
            appeals.submit_appeal(user=person, sanction_id=mute.pk, words=words)
    appeal_against(mute)
    with pytest.raises(ValidationError, match="already"):
        appeal_against(mute)
    Sanction.objects.update(lifted_at=timezone.now())
    with pytest.raises(ValidationError, match="no longer in force"):
        appeal_against(mute)
    answer = as_masha.post(reverse("appeal", args=[mute.pk]), {"words": "Again"}, follow=True)
    assert "This sanction is no longer in force." in answer.text


def test_decision_needs_a_permission(masha: User, mute: Sanction) -> None:
    with pytest.raises(PermissionDenied):
        appeals.decide_appeal(moderator=masha, appeal=appeal_against(mute), verdict="granted", reason="I say so")


def test_suspended_people_can_appeal(as_masha: Client, masha: User, mo: User) -> None:
    until = timezone.now() + timedelta(days=1)
    suspension = imposing.impose(moderator=mo, user=masha, kind="suspend", reason="insults", until=until)
    as_masha.post(reverse("appeal", args=[suspension.pk]), {"words": "I did not."})
    assert Appeal.objects.get().sanction == suspension
    assert f'href="{reverse("sanctions")}"' in as_masha.get("/accounts/suspended/").text


def test_admin_offers_the_decision_to_other_moderators(mo: User, mute: Sanction) -> None:
    page = reverse("admin:accounts_appeal_change", args=[appeal_against(mute).pk])
    for person, offered in ((mo, False), (judge("Ada"), True)):
        client = browser_of(person)
        assert ('value="grant"' in client.get(page).text) is offered
