"""Slow and closed chats, raids that slow a chat by themselves, and many new guests of one address."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ModerationAct, Trace, User
from games.chat import limits, posting, raids
from games.errors import Refused
from games.models import Case, Match, Message
from games.moderation import chats
from games.moderation.cases import queue
from tests.games import tables
from tests.games.tables import browser_of, person
from tests.moderating import decide_case

YEAR = timedelta(days=365)


def member(name: str) -> User:
    """Return somebody who joined long ago."""
    return person(name, date_joined=timezone.now() - YEAR)


def guest(mark: str, name: str = "Raider") -> User:
    user = person(name, is_guest=True)
    Trace.objects.create(user=user, kind="address", mark=mark, seen_at=timezone.now())
    return user


def say(match: Match, user: User, text: str = "Boo") -> Message:
    return posting.post_message(match=match, user=user, text=text)


def refusal(match: Match, user: User) -> str:
    with pytest.raises(Refused) as caught:
        say(match, user)
    return caught.value.code


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(timezone.now(), tick=False) as coordinates:
        yield coordinates


@pytest.fixture
def match() -> Match:
    return tables.running_table([member("Ann"), member("Ben")])


def raid(match: Match, clock: time_machine.Traveller, writers: int = 20, lines: int = 5) -> tuple[int, timedelta]:
    """Have guests of one address write line after line; return how many were taken, and when the first was refused."""
    guests, start, refused_after = [guest("raid") for _ in range(writers)], timezone.now(), None
    for _round in range(lines):
        for raider in guests:
            try:
                say(match, raider)
            except Refused:
                if refused_after is None:
                    refused_after = timezone.now() - start
            clock.shift(0.5)
    assert refused_after is not None
    return Message.objects.filter(match=match, user__in=guests).count(), refused_after


class TestModeratorsLimits:
    def test_closed_chats_take_no_line(self, match: Match, moderator: User) -> None:
        ann, eve = match.host, member("Eve")
        chats.close_chats(moderator=moderator, match=match, reason="A quarrel")
        assert [refusal(match, user) for user in (ann, eve)] == ["chat_closed"] * 2
        match.refresh_from_db()
        assert not posting.is_chat_open(match)
        chats.open_chats(moderator=moderator, match=match, reason="Calm again")
        assert say(match, ann)
        acts = ModerationAct.objects.order_by("pk").values_list("act", "target")
        assert list(acts) == [("close_chat", f"match:{match.slug}"), ("open_chat", f"match:{match.slug}")]

    def test_slow_chats_take_a_line_every_twenty_seconds_and_none_of_new_spectators(
        self, match: Match, moderator: User, clock: time_machine.Traveller
    ) -> None:
        chats.slow_chats(moderator=moderator, match=match, reason="A quarrel")
        ann, eve = match.host, member("Eve")
        for user in (ann, eve):
            say(match, user)
            assert refusal(match, user) == "chat_slow"
        assert refusal(match, guest("home")) == "chat_slow"
        assert refusal(match, person("New account")) == "chat_slow"
        clock.shift(21)
        assert say(match, ann)
        assert say(match, eve)

    def test_limit_covers_rematches(self, match: Match, moderator: User) -> None:
        again = tables.running_table([match.host, member("Cleo")], series=match)
        chats.close_chats(moderator=moderator, match=again, reason="A quarrel")
        for table in (match, again):
            assert refusal(table, match.host) == "chat_closed"

    def test_a_case_limits_the_chats_of_its_matches(self, match: Match, moderator: User) -> None:
        client = browser_of(moderator)
        case = Case.objects.create(area="chat")
        case.reports.create(match=match, reason="by_hand")
        page = reverse("admin:games_case_change", args=[case.pk])
        assert "At 1 table." in client.get(page).text
        decide_case(client, page, correction="close_chat")
        match.refresh_from_db()
        assert match.chat_limit == "closed"


class TestRaid:
    def test_raid_is_slowed_within_twenty_seconds_and_opens_a_case(
        self, match: Match, moderator: User, clock: time_machine.Traveller
    ) -> None:
        lines, refused_after = raid(match, clock)
        assert lines == raids.MIN_WRITERS
        assert refused_after < timedelta(seconds=20)
        case = Case.objects.get()
        assert (case.suspect, case.area, case.reports.count()) == (None, "chat", raids.MIN_WRITERS)
        assert queue.reserve_next_case(moderator, timezone.now()) == case
        page = browser_of(moderator).get(reverse("admin:games_case_change", args=[case.pk])).text
        assert "6 people who joined today from one network address wrote within a minute." in page
        assert page.count('class="case-report"') == 1

    def test_guests_who_enter_by_the_form_are_recognised(self, match: Match) -> None:
        for number in range(raids.MIN_WRITERS):
            Client().post(reverse("guest"), {"name": f"Raider {number}", "colour": "red"})
            say(match, User.objects.latest("pk"))
        assert Case.objects.get().reports.count() == raids.MIN_WRITERS

    def test_raid_of_more_guests_than_may_write_does_not_begin(
        self, match: Match, clock: time_machine.Traveller
    ) -> None:
        lines, refused_after = raid(match, clock, writers=30)
        assert (lines, refused_after) == (0, timedelta())

    def test_others_can_write_and_play(self, match: Match, clock: time_machine.Traveller) -> None:
        raid(match, clock, writers=8, lines=1)
        assert say(match, match.host), "players are not slowed"
        assert say(match, match.host)
        eve = member("Eve")
        Trace.objects.create(user=eve, kind="address", mark="raid", seen_at=timezone.now())
        assert say(match, eve), "an account behind the same address"
        clock.shift(raids.SLOW_DURATION.total_seconds())
        assert say(match, guest("elsewhere"))

    def test_one_decision_hides_all_lines_of_the_writers(
        self, match: Match, moderator: User, clock: time_machine.Traveller
    ) -> None:
        raid(match, clock, writers=8, lines=1)
        case = Case.objects.get()
        visible = say(match, member("Eve"))
        raider = case.reports.first().message.user
        Message.objects.bulk_create(
            Message(match=match, user=raider, name=raider.name, text="Boo", room="spectators") for _ in range(150)
        )
        client, page = browser_of(moderator), reverse("admin:games_case_change", args=[case.pk])
        assert "Hides 156 lines." in client.get(page).text
        decide_case(client, page, hide_writers="on")
        assert list(Message.objects.filter(hidden=False)) == [visible]

    def test_writers_of_several_addresses_are_no_raid(self, match: Match, clock: time_machine.Traveller) -> None:
        for number in range(12):
            say(match, guest(f"home {number % 3}"))
            clock.shift(1)
        assert not Case.objects.exists()

    def test_old_accounts_of_one_address_are_no_raid(self, match: Match, clock: time_machine.Traveller) -> None:
        for number in range(12):
            pupil = member(f"Pupil {number}")
            Trace.objects.create(user=pupil, kind="address", mark="school", seen_at=timezone.now())
            say(match, pupil)
        assert not Case.objects.exists()


class TestManyGuestsOfAnAddress:
    def test_those_who_watch_cannot_write_for_ten_minutes(self, match: Match, clock: time_machine.Traveller) -> None:
        guests = [guest("school", f"Pupil {number}") for number in range(limits.MAX_WRITING_GUESTS + 1)]
        assert refusal(match, guests[0]) == "many_guests"
        own = tables.running_table(guests[:2])
        assert say(own, guests[0]), "they write at their own tables"
        assert say(match, guest("elsewhere"))
        account = person("Account")
        Trace.objects.create(user=account, kind="address", mark="school", seen_at=timezone.now())
        assert say(match, account), "accounts at the address are not affected"
        clock.shift(600)
        assert say(match, guests[0])
