"""Acts on the admin pages of people and sanctions."""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from accounts.models import ModerationAct, Sanction, User
from accounts.sanctions import imposing
from tests.accounts.test_admin import USERS, staff
from tests.moderating import open_and_decide_case


def people(count: int) -> list[int]:
    return [User.objects.create(username=f"p{number}", name=f"P{number}").pk for number in range(count)]


def test_chat_moderators_can_lift_only_their_own_mutes() -> None:
    helper, (key, other) = staff("helper", "Chat moderators"), people(2)
    open_and_decide_case(helper, "user", key, measure="mute", length="for_good", reason="oops")
    own, foreign = Sanction.objects.get(), Sanction.objects.create(user_id=other, kind="mute", reason="spam")
    pages = {sanction: reverse("admin:accounts_sanction_change", args=[sanction.pk]) for sanction in (own, foreign)}
    assert ['name="choice"' in helper.get(page).text for page in pages.values()] == [True, False]
    statuses = [helper.post(page, {"choice": "lift", "reason": "a slip"}).status_code for page in pages.values()]
    assert statuses == [302, 403]
    assert list(Sanction.objects.filter(lifted_at=None)) == [foreign]


def test_expired_sanction_offers_no_choice() -> None:
    moderator, (key,) = staff("mo", "Match moderators"), people(1)
    over = Sanction.objects.create(user_id=key, kind="mute", reason="x", until=timezone.now() - timedelta(hours=1))
    page = moderator.get(reverse("admin:accounts_sanction_change", args=[over.pk])).text
    assert 'name="choice"' not in page


def test_history_has_the_acts_of_moderators() -> None:
    moderator, (key,) = staff("mo", "Match moderators"), people(1)
    open_and_decide_case(moderator, "user", key, measure="mute", reason="seven insults")
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


def test_list_has_sanctions_in_words_and_log_has_links() -> None:
    moderator, (key,) = staff("mo", "Match moderators"), people(1)
    open_and_decide_case(moderator, "user", key, measure="mute", reason="spam")
    page = moderator.get(USERS + "?q=p0").content.decode()
    assert '<td class="field-sanctions_in_force">muted</td>' in page
    log = moderator.get(reverse("admin:accounts_moderationact_changelist")).content.decode()
    assert f'<a href="{reverse("admin:accounts_user_change", args=[key])}">P0</a>' in log
