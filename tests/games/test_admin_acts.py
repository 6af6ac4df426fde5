"""What the lists and pages of matches in the admin offer to do, and what comes after it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import Sanction
from accounts.sanctions import moderation_log
from games.models import Case, Match, Message
from games.services import play
from tests.accounts.test_admin import staff
from tests.games import tables
from tests.games.test_admin import listing
from tests.moderating import decide_case, open_and_decide_case, open_case


@pytest.fixture
def match() -> Match:
    return tables.running_table([tables.person("Ann"), tables.person("Ben")])


def say(match: Match, *texts: str) -> list[int]:
    lines = [Message.objects.create(match=match, user=match.host, name="Ann", text=text) for text in texts]
    return [line.pk for line in lines]


@pytest.mark.stack
def test_three_messages_of_one_writer_are_one_mute_for_one_case(match: Match) -> None:
    keys = say(match, "one", "two", "three")
    helper = staff("helper", "Chat moderators")
    case = open_and_decide_case(helper, "message", *keys, measure="mute", scope="table", reason="spam")
    assert Sanction.objects.get().facts == {"table": match.slug}
    logged = moderation_log.logged_acts().get(act="mute")
    assert (logged.user, logged.evidence) == (match.host, f"case:{case.pk}")
    for key in keys:
        assert "spam" in helper.get(reverse("admin:games_message_history", args=[key])).content.decode()


def test_messages_of_two_writers_are_a_case_each(match: Match) -> None:
    keys = say(match, "one", "two")
    ben = match.seats.get(index=1).user
    keys.append(Message.objects.create(match=match, user=ben, name="Ben", text="three").pk)
    open_case(staff("helper", "Chat moderators"), "message", *keys)
    assert sorted(Case.objects.values_list("suspect", flat=True)) == sorted([match.host.pk, ben.pk])


def test_a_message_is_hidden_by_a_case_and_shown_again_from_its_page(match: Match) -> None:
    (key,) = say(match, "all well")
    helper = staff("helper", "Chat moderators")
    page = reverse("admin:games_message_change", args=[key])
    assert 'name="choice"' not in helper.get(page).text
    open_and_decide_case(helper, "message", key, hide="on", reason="rude")
    assert Message.objects.get().hidden
    assert 'value="show"' in helper.get(page).text
    helper.post(page, {"choice": "show", "reason": "a slip"})
    assert not Message.objects.get().hidden
    assert list(moderation_log.logged_acts().order_by("pk").values_list("act", flat=True)) == [
        "open",
        "uphold",
        "hide",
        "show",
    ]


def test_the_line_of_a_deleted_person_is_hidden(match: Match) -> None:
    line = Message.objects.create(match=match, user=None, name="Eve", text="a rude word")
    case = open_and_decide_case(staff("helper", "Chat moderators"), "message", line.pk, hide="on")
    line.refresh_from_db()
    assert (case.suspect, line.hidden) == (None, True)


def test_a_match_that_is_over_can_be_made_void_once_and_not_stopped(match: Match) -> None:
    moderator = staff("mo", "Match moderators")
    play.stop_match(match_id=match.pk)
    page = open_case(moderator, "match", match.pk)
    offered = [f'value="{name}"' in moderator.get(page).text for name in ("void", "stop", "remove", "mute")]
    assert offered == [True, False, False, False]
    decide_case(moderator, page, correction="void", reason="a ring")
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert 'name="correction"' not in moderator.get(open_case(moderator, "match", match.pk)).text
    row = reverse("admin:games_match_change", args=[match.pk])
    assert 'value="restore"' in moderator.get(row).text
    assert "a ring" in moderator.get(reverse("admin:games_match_history", args=[match.pk])).content.decode()


def test_a_case_about_a_match_may_be_about_one_of_its_people(match: Match) -> None:
    moderator = staff("mo", "Match moderators")
    open_and_decide_case(
        moderator, "match", match.pk, person=match.host.pk, measure="warn", correction="remove", area="conduct"
    )
    assert Case.objects.get().suspect == match.host
    assert match.seats.get(index=0).bot
    assert match.host.sanctions.get().kind == "warn"


def test_an_open_table_is_closed_and_a_seat_at_one_is_freed() -> None:
    moderator, ann, ben = staff("mo", "Match moderators"), tables.person("Ann"), tables.person("Ben")
    table = tables.open_table([ann, ben])
    open_and_decide_case(moderator, "seat", table.seats.get(user=ben).pk, correction="remove")
    assert list(table.seats.filter(user__isnull=False).values_list("user", flat=True)) == [ann.pk]
    open_and_decide_case(moderator, "match", table.pk, correction="stop")
    table.refresh_from_db()
    assert table.status == Match.Status.VOID


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
