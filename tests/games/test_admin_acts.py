"""What the lists and pages of matches in the admin offer to do, and what comes after it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import Sanction
from accounts.sanctions.moderation import acts
from games.models import Match, Message
from games.services import play
from tests.accounts.test_admin import staff
from tests.games import tables
from tests.games.test_admin import act, listing

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return tables.running_table([tables.person("Ann"), tables.person("Ben")])


def say(match: Match, *texts: str) -> list[int]:
    lines = [Message.objects.create(match=match, user=match.host, name="Ann", text=text) for text in texts]
    return [line.pk for line in lines]


@pytest.mark.stack
def test_three_messages_of_one_writer_are_one_mute_and_the_log_names_them(match: Match) -> None:
    keys = say(match, "one", "two", "three")
    helper = staff("helper", "Chat moderators")
    form = helper.get(act("message", "mute", *keys)).content.decode()
    assert 'value="for_good"' in form, "they are one person"
    answer = helper.post(act("message", "mute", *keys), {"length": "day", "reason": "spam"}, follow=True)
    assert "1 person muted." in answer.content.decode()
    assert Sanction.objects.count() == 1
    logged = acts().get()
    assert logged.user == match.host
    assert sorted(logged.evidence.removeprefix("message:").split(",")) == sorted(map(str, keys))
    for key in keys:
        assert "spam" in helper.get(reverse("admin:games_message_history", args=[key])).content.decode()


def test_a_mute_of_two_writers_is_one_each(match: Match) -> None:
    keys = say(match, "one", "two")
    ben = match.seats.get(index=1).user
    keys.append(Message.objects.create(match=match, user=ben, name="Ben", text="three").pk)
    staff("helper", "Chat moderators").post(act("message", "mute", *keys), {"length": "day", "reason": "spam"})
    assert sorted(Sanction.objects.values_list("user", flat=True)) == sorted([match.host.pk, ben.pk])


def test_a_hidden_message_offers_to_be_shown_again_and_nothing_to_hide(match: Match) -> None:
    (key,) = say(match, "all well")
    helper = staff("helper", "Chat moderators")
    page = reverse("admin:games_message_change", args=[key])
    assert act("message", "show", key) not in helper.get(page).content.decode()
    helper.post(act("message", "hide", key), {"reason": "rude"})
    hidden = helper.get(page).content.decode()
    assert act("message", "hide", key) not in hidden
    assert act("message", "show", key) in hidden
    helper.post(act("message", "show", key), {"reason": "a slip"})
    assert not Message.objects.get().hidden
    assert list(acts().order_by("pk").values_list("act", flat=True)) == ["hide", "show"]


def test_a_match_that_is_over_can_be_made_void_once_and_not_stopped(match: Match) -> None:
    moderator = staff("mo", "Match moderators")
    page = reverse("admin:games_match_change", args=[match.pk])
    play.stop(match_id=match.pk)
    over = moderator.get(page).content.decode()
    assert act("match", "stop", match.pk) not in over
    assert act("match", "void", match.pk) in over
    moderator.post(act("match", "void", match.pk), {"reason": "a ring"})
    assert act("match", "void", match.pk) not in moderator.get(page).content.decode()
    seat = match.seats.earliest("index")
    seat_page = moderator.get(reverse("admin:games_seat_change", args=[seat.pk])).content.decode()
    assert act("seat", "remove", seat.pk) not in seat_page
    assert "a ring" in moderator.get(reverse("admin:games_match_history", args=[match.pk])).content.decode()


def test_the_page_of_a_match_leads_only_where_its_reader_may_go(match: Match) -> None:
    page = reverse("admin:games_match_change", args=[match.pk])
    record = f"{listing('matchevent')}?match__id__exact={match.pk}"
    assert record in staff("mo", "Match moderators").get(page).content.decode()
    assert listing("matchevent") not in staff("helper", "Chat moderators").get(page).content.decode()


def test_lists_lead_to_the_match_and_the_person_of_each_row(match: Match) -> None:
    say(match, "one")
    page = staff("helper", "Chat moderators").get(listing("message")).content.decode()
    for model, key in (("games_match", match.pk), ("accounts_user", match.host.pk)):
        assert f'href="{reverse(f"admin:{model}_change", args=[key])}"' in page
    assert f"{Message.objects.get().at:%Y-%m-%d %H:%M:%S}" in page
