"""Push notifications and notices of tournaments: once, in the language of the person."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import PushSubscription, User
from accounts.push.delivery import Delivery
from games.models import Match, Seat
from games.presence import leases
from games.services import push_notifications
from tests.games.tables import player_to_move
from tests.games.tournaments.site import START, announced, begin_round, entrants, running_matches

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
