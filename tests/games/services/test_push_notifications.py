"""Players are told on their devices that it is their turn: once, and only who has no page in sight."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from threading import Barrier, Thread
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from py_vapid import Vapid
from pytest_django import Settings

from accounts import follows
from accounts.models import PushSubscription, User
from accounts.push import subscriptions
from accounts.push.delivery import Delivery, deliver
from games.engine.tiles import tile_text
from games.lobby import invitations
from games.models import Match, Presence, Seat
from games.presence import online
from games.presence.pages import pages
from games.services import push_notifications
from infrastructure.vapid import new_private_key, public_key_of
from tests.games import tables
from tests.games.lobby.test_tables import table as lobby_table
from tests.games.tables import locked_row, make_first_move, person, player_to_move, state_of
from tests.push_service import PushService, SubscribedBrowser, push_service

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    settings.VAPID_PRIVATE_KEY = new_private_key()
    settings.VAPID_PUBLIC_KEY = public_key_of(settings.VAPID_PRIVATE_KEY)
    with push_service() as service:
        settings.PUSH_SERVICES = [service.origin]
        yield service


def subscribed(user: User, service: PushService, path: str = "/a") -> SubscribedBrowser:
    """Return the keys of a browser in which the person is told."""
    keys, browser = SubscribedBrowser(service.origin + path), Client()
    browser.force_login(user)
    assert browser.post("/accounts/push/", keys.form).status_code == 204
    return keys


def daily(people: list[User], variant: str = "kozel") -> Match:
    return tables.running_table(people, clock="1-day", variant=variant)


def seconds_later(match: Match, seconds: float = 6) -> datetime:
    began = locked_row(match).turn_started_at
    assert began is not None
    return began + timedelta(seconds=seconds)


def taken(now: datetime) -> list[Delivery]:
    return push_notifications.take_due_notifications(now=now, limit=100)


def test_turn_is_notified_once_after_five_seconds(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    user, keys = player_to_move(match), {}
    for player in (ann, ben):
        keys[player] = subscribed(player, service, f"/{player.name}")
    assert taken(seconds_later(match, 4)) == []
    (delivery,) = taken(seconds_later(match, 6))
    assert deliver(delivery) == "sent"
    (received,) = service.received
    other = ben if user == ann else ann
    assert received.path == f"/{user.name}"
    assert keys[user].read(received) == {
        "title": "It’s your turn",
        "body": f"Kozel: {other.name}",
        "path": f"/match/{match.slug}/",
        "tag": match.slug,
        "lang": "en",
    }
    seconds = round((locked_row(match).due_at - seconds_later(match, 6)).total_seconds())
    expected = {"ttl": str(seconds), "topic": match.slug, "urgency": "normal", "content-encoding": "aes128gcm"}
    assert expected.items() <= {name.lower(): value for name, value in received.headers.items()}.items()
    assert Vapid.verify(received.headers["authorization"])
    assert taken(seconds_later(match, 60)) == []


def test_nothing_is_sent_after_a_quick_move_or_twice_in_a_turn(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    for player in (ann, ben):
        subscribed(player, service, f"/{player.name}")
    began = seconds_later(match, 0)
    while len(taken(began + timedelta(seconds=6))) != 1:
        make_first_move(match)
    # An outage moves the start of the turn, and an absence of others makes a version: it is the same turn.
    Match.objects.filter(pk=match.pk).update(turn_started_at=seconds_later(match, 30))
    assert taken(seconds_later(match)) == []
    Match.objects.filter(pk=match.pk).update(turn_started_at=began, version=locked_row(match).version + 1)
    assert taken(seconds_later(match)) == []


def test_notification_has_the_readers_language(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    user = player_to_move(match)
    user.language = "hu"
    user.save()
    subscribed(user, service)
    (delivery,) = taken(seconds_later(match))
    assert delivery.notification.language == "hu"


def test_expired_sessions_get_no_notification(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    for path in ("/old", "/new"):
        subscribed(player_to_move(match), service, path)
    PushSubscription.objects.filter(endpoint__endswith="/old").update(expires_at=timezone.now())
    (delivery,) = taken(seconds_later(match))
    assert delivery.keys.endpoint.endswith("/new")


def test_visible_table_prevents_notifications(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    user = player_to_move(match)
    subscribed(user, service)
    pages().mark_visible("desk", user.pk, match.pk, seconds_later(match, 0))
    online.exchange_presence(pages(), seconds_later(match, 2))
    assert taken(seconds_later(match)) == []
    pages().mark_hidden("desk")
    online.exchange_presence(pages(), seconds_later(match, 7))
    assert taken(seconds_later(match, 60)) == [], "the turn was seen"


def test_other_visible_page_delays_the_notification(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    user = player_to_move(match)
    subscribed(user, service)
    for page in ("lobby", "telephone"):
        pages().mark_visible(page, user.pk, None, seconds_later(match, 0))
    pages().mark_hidden("lobby")
    for seconds in (2, 44):
        online.exchange_presence(pages(), seconds_later(match, seconds))
        assert taken(seconds_later(match, seconds)) == []
    online.exchange_presence(pages(), seconds_later(match, 45))
    assert len(taken(seconds_later(match, 46))) == 1, "its lease ran out"


def test_a_page_at_a_killed_process_counts_until_its_row_expires(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    subscribed(player_to_move(match), service)
    pages().mark_visible("desk", player_to_move(match).pk, None, seconds_later(match, 0))
    online.exchange_presence(pages(), seconds_later(match, 0))
    assert taken(seconds_later(match, 44)) == []
    assert len(taken(seconds_later(match, 45))) == 1


def test_pages_of_people_without_pushes_are_not_stored(ann: User, service: PushService) -> None:
    pages().mark_visible("desk", ann.pk, None, timezone.now())
    online.exchange_presence(pages(), timezone.now())
    assert Presence.objects.get().in_sight == []


def test_gone_subscription_is_deleted(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    subscribed(player_to_move(match), service)
    (delivery,) = taken(seconds_later(match))
    for status in (404, 410):
        service.status = status
        assert deliver(delivery) == "gone"
    subscriptions.record_outcome(delivery.subscription_id, "gone")
    assert not PushSubscription.objects.exists()


def test_subscription_is_deleted_after_repeated_failures(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    subscribed(player_to_move(match), service)
    (delivery,) = taken(seconds_later(match))
    service.status = 500
    assert deliver(delivery) == "failed"
    for _ in range(subscriptions.MAX_FAILURES - 1):
        subscriptions.record_outcome(delivery.subscription_id, "failed")
    subscriptions.record_outcome(delivery.subscription_id, "sent")
    assert PushSubscription.objects.get().failures == 0
    for _ in range(subscriptions.MAX_FAILURES):
        subscriptions.record_outcome(delivery.subscription_id, "failed")
    assert not PushSubscription.objects.exists()


def test_redirects_are_not_followed(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    subscribed(player_to_move(match), service)
    (delivery,) = taken(seconds_later(match))
    with push_service() as elsewhere:
        service.status, service.location = 307, f"{elsewhere.origin}/"
        assert deliver(delivery) == "failed"
        assert elsewhere.received == []


def test_removed_push_service_gets_no_requests(ann: User, ben: User, service: PushService, settings: Settings) -> None:
    match = daily([ann, ben])
    subscribed(player_to_move(match), service)
    (delivery,) = taken(seconds_later(match))
    settings.PUSH_SERVICES = ["fcm.googleapis.com"]
    assert deliver(delivery) == "gone"
    assert service.received == []


@pytest.mark.stack
def test_only_one_process_sends_the_notification(ann: User, ben: User, service: PushService) -> None:
    matches = [daily([ann, ben]) for _ in range(8)]
    for player in (ann, ben):
        subscribed(player, service, f"/{player.name}")
    together, deliveries = Barrier(2), []

    def ask() -> None:
        together.wait()
        deliveries.extend(taken(max(seconds_later(match) for match in matches)))
        connection.close()

    threads = [Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(delivery.notification.tag for delivery in deliveries) == sorted(match.slug for match in matches)


def test_notification_contains_no_tile(service: PushService) -> None:
    people = [person(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    for variant in ("kozel", "all_fives", "triominoes", "rytmino"):
        match = daily(people, variant=variant)
        keys = subscribed(player_to_move(match), service)
        (delivery,) = taken(seconds_later(match))
        deliver(delivery)
        text = str(keys.read(service.received[-1])).replace(match.slug, "")
        hands = [tile for hand in state_of(match).hands for tile in hand]
        assert hands
        assert [tile for tile in hands if tile_text(tile) in text] == []
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)


def test_the_origin_of_a_service_may_be_named_with_its_port(service: PushService) -> None:
    assert urlsplit(service.origin).port
    assert subscriptions.is_known_service(f"{service.origin}/x")
    assert not subscriptions.is_known_service("http://localhost:1/x")


def test_invitation_is_notified_without_a_visible_page(ann: User, ben: User, service: PushService) -> None:
    cat = person("Cat")
    match = lobby_table(ann, seats=4)
    for user in (ben, cat):
        subscribed(user, service, f"/{user.name}")
        follows.follow(follower=ann, followed=user)
        invitations.invite(match=match, by=ann, person_id=user.pk)
    pages().mark_visible("desk", cat.pk, None, timezone.now())
    online.exchange_presence(pages(), timezone.now())
    assert taken(timezone.now()) == []
    soon_after = timezone.now() + timedelta(seconds=6)
    (delivery,) = taken(soon_after)
    notification = delivery.notification
    assert delivery.keys.endpoint.endswith("/Ben")
    assert (notification.title, notification.path) == ("Invitation to a table", f"/match/{match.slug}/")
    assert notification.body == "Ann invites you to a table: Kozel, Full, ~15 min."
    assert taken(soon_after) == []


def test_obsolete_invitation_is_not_notified(ann: User, ben: User, service: PushService) -> None:
    match = lobby_table(ann, seats=4)
    subscribed(ben, service)
    follows.follow(follower=ann, followed=ben)
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    follows.unfollow(follower=ann, followed_id=ben.pk)
    assert taken(timezone.now() + timedelta(seconds=6)) == []


def test_held_player_is_notified_once(ann: User, ben: User, service: PushService) -> None:
    match = tables.running_table([ann, ben], clock="relaxed")
    user = player_to_move(match)
    subscribed(user, service)
    tables.hold_seat(match, user)
    now = timezone.now() + timedelta(seconds=6)
    (delivery,) = taken(now)
    notification = delivery.notification
    assert (notification.title, notification.seconds, notification.urgent) == (
        "A bot plays for you: come back",
        3600,
        True,
    )
    assert taken(now) == []
    # Came back, looked, and was away again.
    Seat.objects.filter(match=match, user=user).update(holds=2)
    pages().mark_visible("desk", user.pk, match.pk, now)
    online.exchange_presence(pages(), now)
    assert taken(now) == []
    pages().mark_hidden("desk")
    online.exchange_presence(pages(), now)
    assert taken(now) == [], "it was seen"
