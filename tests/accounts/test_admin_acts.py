"""What the lists and pages of people in the admin offer to do, to whom, and what comes after it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import ModerationAct, Sanction, User
from accounts.sanctions import imposing
from tests.accounts.test_admin import USERS, act, staff

pytestmark = pytest.mark.django_db


def people(count: int) -> list[int]:
    return [User.objects.create(username=f"p{number}", name=f"P{number}").pk for number in range(count)]


def test_several_people_are_never_muted_for_good_at_once() -> None:
    helper, keys = staff("helper", "Chat moderators"), people(2)
    form = helper.get(act("user", "mute", *keys)).content.decode()
    assert "thirty days" in form
    assert 'value="for_good"' not in form
    for length in ({"length": "for_good"}, {"length": "until", "until": "2999-01-02T03:04"}):
        assert helper.post(act("user", "mute", *keys), length | {"reason": "spam"}).status_code == 200
    assert not Sanction.objects.exists()
    assert 'value="for_good"' in helper.get(act("user", "mute", keys[0])).content.decode()


def test_more_than_a_few_people_are_asked_for_again() -> None:
    helper, keys = staff("helper", "Chat moderators"), people(4)
    said = {"length": "day", "reason": "spam"}
    assert "sure" not in helper.get(act("user", "mute", *keys[:3])).content.decode()
    form = helper.post(act("user", "mute", *keys), said)
    assert "Yes, I mean all 4 of them" in form.content.decode()
    assert not Sanction.objects.exists()
    answer = helper.post(act("user", "mute", *keys), said | {"sure": "on"}, follow=True)
    assert "4 people muted." in answer.content.decode()


def test_a_helper_takes_back_a_mute_of_their_own_where_it_is_offered() -> None:
    helper, (key, other) = staff("helper", "Chat moderators"), people(2)
    helper.post(act("user", "mute", key), {"length": "for_good", "reason": "oops"})
    own, others = Sanction.objects.get(), Sanction.objects.create(user_id=other, kind="mute", reason="spam")
    pages = {
        sanction: helper.get(reverse("admin:accounts_sanction_change", args=[sanction.pk])).content.decode()
        for sanction in (own, others)
    }
    assert act("sanction", "lift", own.pk) in pages[own]
    assert act("sanction", "lift", others.pk) not in pages[others]
    answer = helper.post(act("sanction", "lift", own.pk, others.pk), {"reason": "a slip"}, follow=True)
    assert "1 sanction lifted." in answer.content.decode()
    assert "You can end only what you imposed yourself." in answer.content.decode()
    assert list(Sanction.objects.filter(lifted_at=None)) == [others]


def test_no_act_is_offered_where_it_no_longer_applies() -> None:
    moderator, (key,) = staff("mo", "Match moderators"), people(1)
    over = Sanction.objects.create(user_id=key, kind="mute", reason="x", until=timezone.now() - timedelta(hours=1))
    page = moderator.get(reverse("admin:accounts_sanction_change", args=[over.pk])).content.decode()
    assert act("sanction", "lift", over.pk) not in page
    mo = User.objects.get(username="mo")
    own = moderator.get(reverse("admin:accounts_user_change", args=[mo.pk])).content.decode()
    assert act("user", "mute", mo.pk) not in own


def test_the_search_and_the_filters_are_kept_over_an_act() -> None:
    moderator, keys = staff("mo", "Match moderators"), people(2)
    listed = f"{USERS}?is_guest__exact=0&q=p"
    form = moderator.post(listed, {"action": "mute", "_selected_action": keys})
    page = moderator.get(form.headers["Location"]).content.decode()
    assert "?is_guest__exact=0&amp;q=p" in page
    answer = moderator.post(form.headers["Location"], {"length": "day", "reason": "spam"})
    assert answer.headers["Location"] == listed


def test_the_history_of_a_person_holds_what_moderators_did() -> None:
    moderator, (key,) = staff("mo", "Match moderators"), people(1)
    moderator.post(act("user", "mute", key), {"length": "day", "reason": "seven insults"})
    sanction = Sanction.objects.get()
    imposing.lift(moderator=sanction.moderator, sanction=sanction, reason="appealed")
    lifted_at = ModerationAct.objects.latest("pk").at
    for address in (
        reverse("admin:accounts_user_history", args=[key]),
        reverse("admin:accounts_sanction_history", args=[sanction.pk]),
    ):
        page = moderator.get(address).content.decode()
        assert "seven insults" in page
        assert "appealed" in page
        assert f"{lifted_at:%H:%M:%S}" in page
        assert "change history" not in page


def test_the_list_says_in_words_who_is_muted_and_leads_to_people() -> None:
    moderator, (key,) = staff("mo", "Match moderators"), people(1)
    moderator.post(act("user", "mute", key), {"length": "day", "reason": "spam"})
    page = moderator.get(USERS + "?q=p0").content.decode()
    assert '<td class="field-in_force">muted</td>' in page
    log = moderator.get(reverse("admin:accounts_moderationact_changelist")).content.decode()
    assert f'<a href="{reverse("admin:accounts_user_change", args=[key])}">P0</a>' in log
