"""Mails to players by the day, who are waited for."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from games.models import Match, Seat
from games.services import due_events, play, reminders
from tests.games import tables
from tests.games.tables import locked_row, person, player_to_move

pytestmark = [pytest.mark.django_db(transaction=True)]
NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)


def account(name: str, *, verified: bool = True) -> User:
    user = person(name)
    EmailAddress.objects.create(user=user, email=f"{name.lower()}@example.org", verified=verified, primary=True)
    return user


def daily(people: list[User], days: str = "1-day", start: datetime = NOON) -> Match:
    with time_machine.travel(start, tick=False):
        return tables.running_table(people, clock=days)


def hours(number: float) -> datetime:
    return NOON + timedelta(hours=number)


def test_a_player_is_reminded_at_half_and_at_four_fifths_of_the_time(mailoutbox: list[EmailMessage]) -> None:
    match = daily([account("Ann"), account("Ben")])
    waited_for = player_to_move(match)
    sent = [number for number in range(24) if reminders.send_reminders(now=hours(number))]
    assert sent == [12, 20]  # 0.5 and 0.8 of 24 hours, at the full hour
    assert [mail.to for mail in mailoutbox] == [[f"{waited_for.name.lower()}@example.org"]] * 2
    assert mailoutbox[0].subject == "Dominoes online: Your turn in 1 match"
    assert "Kozel: 12\xa0hours left\nhttp://localhost:8000/match/" in mailoutbox[0].body


def test_two_turns_in_six_hours_are_one_mail_that_names_both(mailoutbox: list[EmailMessage]) -> None:
    ann, ben = account("Ann"), account("Ben")
    first = daily([ann, ben])
    second = daily([ann, ben], start=hours(2))
    user = player_to_move(first)
    if player_to_move(second) != user:
        Match.objects.filter(pk=second.pk).update(to_move=first.seats.get(user=user).index)
    assert reminders.send_reminders(now=hours(12.1)) == 1
    assert reminders.send_reminders(now=hours(14.1)) == 0  # half of the second
    (mail,) = mailoutbox
    assert mail.subject == "Dominoes online: Your turn in 2 matches"
    assert mail.body.index(first.slug) < mail.body.index(second.slug)
    assert reminders.send_reminders(now=hours(18.2)) == 1, "half of the second had gone after the mail that named it"


def test_mails_go_to_confirmed_addresses_alone_and_only_by_the_day(mailoutbox: list[EmailMessage]) -> None:
    daily([account("Ann", verified=False), person("Ben")])
    with time_machine.travel(NOON, tick=False):
        tables.running_table([account("Cleo"), account("Dan")], clock="relaxed")
    assert reminders.send_reminders(now=hours(20)) == 0
    assert mailoutbox == []


def test_one_link_ends_the_mails(client: Client, mailoutbox: list[EmailMessage]) -> None:
    match = daily([account("Ann"), account("Ben")])
    user = player_to_move(match)
    reminders.send_reminders(now=hours(13))
    (path,) = re.findall(r"http://localhost:8000(/accounts/mails/\S+)", str(mailoutbox[0].body))
    assert mailoutbox[0].extra_headers["List-Unsubscribe"] == f"<http://localhost:8000{path}>"
    assert "Stop emails" in client.get(path).text
    user.refresh_from_db()
    assert user.mails_turns, "a program that looks at links ends nothing"
    assert "no more of these emails" in Client(enforce_csrf_checks=True).post(path).text
    assert reminders.send_reminders(now=hours(21)) == 0
    assert client.get(f"{path[:-2]}x/").status_code == 404


def test_a_match_is_played_over_ten_days(mailoutbox: list[EmailMessage]) -> None:
    """Each player comes once a day, 13 hours after the other, and finds the match as it was."""
    match = daily([account("Ann"), account("Ben")])
    with time_machine.travel(NOON, tick=False) as now:
        for _ in range(18):
            player = player_to_move(match)
            for _hour in range(13):
                now.shift(timedelta(hours=1))
                due_events.fire_due_events(now=datetime.now(UTC))
                reminders.send_reminders(now=datetime.now(UTC))
            assert player_to_move(match) == player
            version = locked_row(match).version
            while (row := locked_row(match)).to_move is not None and player_to_move(match) == player:
                tables.make_first_move(match)
            assert row.version > version
            for _minute in range(3):
                now.shift(timedelta(minutes=1))
                due_events.fire_due_events(now=datetime.now(UTC))
                if locked_row(match).to_move is None:
                    play.mark_ready(match_id=match.pk, user_id=player.pk)
        assert datetime.now(UTC) - NOON > timedelta(days=9.75)
    assert set(match.seats.values_list("state", flat=True)) == {Seat.State.ACTIVE}
    assert locked_row(match).status == Match.Status.RUNNING
    assert len(mailoutbox) == 18, "one at half of each turn"
