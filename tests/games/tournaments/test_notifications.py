"""Push notifications and notices of tournaments: once, in the language of the person."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone, translation

from accounts.models import PushSubscription, User
from accounts.notices import pending_notices
from accounts.push.delivery import Delivery
from games.models import Match, Seat, Tournament
from games.moderation import tournament_acts
from games.presence import leases
from games.services import push_notifications
from games.tournaments import announcing, entering, notices
from tests.games.tables import person, player_to_move
from tests.games.tournaments.site import MINUTE, START, announced, begin_round, entrants, run_clock, running_matches

NAMES = ("Anna", "Bela", "Cyril", "Dora")


def subscribe(*people: User) -> None:
    for user in people:
        PushSubscription.objects.create(
            user=user,
            endpoint=f"https://push.example/{user.pk}",
            p256dh="key",
            auth="auth",
            expires_at=timezone.now() + timedelta(days=1),
        )


def taken(now: datetime) -> list[Delivery]:
    return push_notifications.take_due_notifications(now=now, limit=100)


def titles(now: datetime) -> dict[str, str]:
    """Return the title of each new notification, by the match that it is about."""
    return {delivery.notification.tag: delivery.notification.title for delivery in taken(now)}


def waiting_player(match: Match) -> Seat:
    return match.seats.exclude(user=player_to_move(match)).get()


def began(match: Match) -> datetime:
    assert match.started_at is not None
    return match.started_at


def test_who_does_not_come_to_the_next_table_is_notified_once() -> None:
    people = entrants(announced(), *NAMES)
    begin_round(START, people)
    match = running_matches()[0]
    seat = waiting_player(match)
    assert seat.user is not None
    subscribe(seat.user)
    assert taken(began(match) + timedelta(seconds=4)) == []
    assert titles(began(match) + timedelta(seconds=6)) == {match.slug: "Your table is ready."}
    assert taken(began(match) + timedelta(seconds=8)) == []


def test_a_turn_and_a_table_are_one_notification() -> None:
    people = entrants(announced(), *NAMES)
    begin_round(START, people)
    match = running_matches()[0]
    subscribe(player_to_move(match))
    assert titles(began(match) + timedelta(seconds=6)) == {match.slug: "It’s your turn"}
    assert taken(began(match) + timedelta(seconds=8)) == []


def test_who_has_come_is_not_notified_of_the_table() -> None:
    people = entrants(announced(), *NAMES)
    begin_round(START, people)
    match = running_matches()[0]
    seat = waiting_player(match)
    assert seat.user is not None
    subscribe(seat.user)
    leases.renew_lease(match_id=match.pk, user_id=seat.user.pk, now=began(match) + timedelta(seconds=1))
    assert taken(began(match) + timedelta(seconds=6)) == []


def texts_for(user: User, language: str = "en") -> list[str]:
    user.refresh_from_db()
    with translation.override(language):
        return [notice.text for notice in pending_notices(user)]


def soon() -> tuple[Tournament, list[User], datetime]:
    """Return a tournament with four entrants, and the time nine minutes before its start."""
    now = timezone.now()
    tournament = announced(starts_at=now + 9 * MINUTE, name="Sunday cup")
    people = [person(name) for name in NAMES]
    for user in people:
        entering.enter(tournament=tournament, user=user, now=now - MINUTE * 20)
    return tournament, people, now


def test_entrants_get_one_notice_and_one_push_before_the_start() -> None:
    tournament, people, now = soon()
    User.objects.filter(pk=people[1].pk).update(language="hu")
    subscribe(*people[:2])
    notices.remind_entrants(now=now - 2 * MINUTE)
    assert texts_for(people[0]) == []
    assert taken(now - 2 * MINUTE) == []
    for _clock in range(2):
        notices.remind_entrants(now=now)
    first, second = taken(now)
    assert taken(now) == []
    assert texts_for(people[0]) == ["Sunday cup starts in 9 minutes."]
    assert (first.notification.title, first.notification.body) == (
        "Your tournament starts soon",
        "Sunday cup starts in 9 minutes.",
    )
    assert first.notification.path == f"/tournament/{tournament.slug}/"
    assert second.notification.language == "hu"
    assert second.notification.title == "Hamarosan kezdődik a versenyed"


def test_nobody_is_reminded_who_entered_late_or_has_left() -> None:
    tournament, people, now = soon()
    late = person("Emil")
    entering.enter(tournament=tournament, user=late, now=now)
    entering.withdraw(tournament=tournament, user=people[0], now=now)
    subscribe(late, people[0])
    notices.remind_entrants(now=now)
    assert taken(now) == []
    assert texts_for(late) == texts_for(people[0]) == []
    assert len(texts_for(people[1])) == 1


def test_the_notice_of_a_start_disappears_with_the_start() -> None:
    tournament, people, now = soon()
    notices.remind_entrants(now=now)
    Tournament.objects.filter(pk=tournament.pk).update(stage="running")
    assert texts_for(people[0]) == []


def test_a_cancellation_says_who_and_why(moderator: User) -> None:
    host = person("Hana")
    rows = [announced(name="Sunday cup") for _ in range(3)]
    people = entrants(rows[0], *NAMES[:2])
    for row in rows[1:]:
        entering.enter(tournament=row, user=people[0], now=START - MINUTE)
    Tournament.objects.update(host=host)
    announcing.cancel(tournament=rows[0], by=host, now=START - MINUTE)
    tournament_acts.cancel_tournament(moderator=moderator, tournament=rows[1], reason="An advert.", now=START)
    run_clock(START)
    name = "Sunday cup"
    assert texts_for(people[0]) == [
        f"The host has cancelled the tournament {name}.",
        f"A moderator has cancelled the tournament {name}. Reason: An advert.",
        f"The tournament {name} is cancelled: too few people came.",
    ]
    assert len(texts_for(people[1])) == 1


@pytest.mark.parametrize("by_host", [True, False])
def test_a_removed_person_gets_a_notice(moderator: User, *, by_host: bool) -> None:
    host, tournament = person("Hana"), announced(name="Sunday cup")
    Tournament.objects.update(host=host)
    people = entrants(tournament, *NAMES)
    entry = tournament.entries.get(user=people[0])
    if by_host:
        entering.remove_entry(tournament=tournament, by=host, entry_id=entry.pk, now=START - MINUTE)
        expected = "The host has taken you off the list of the tournament Sunday cup."
    else:
        tournament_acts.remove_entry(moderator=moderator, entry=entry, reason="Rude.", now=START - MINUTE)
        expected = "A moderator has taken you off the list of the tournament Sunday cup. Reason: Rude."
    assert texts_for(people[0]) == [expected]
    assert texts_for(people[1]) == []


def test_the_host_of_a_hidden_name_gets_a_notice_without_it(moderator: User) -> None:
    host, tournament = person("Hana"), announced(name="A rude name")
    Tournament.objects.update(host=host)
    tournament_acts.hide_name(moderator=moderator, tournament=tournament, reason="Rude.")
    assert texts_for(host) == ["A moderator has hidden the name of your tournament: Kozel · Swiss. Reason: Rude."]
