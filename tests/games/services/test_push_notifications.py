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
from tests.games.tables import make_first_move, person, row_of, state_of, to_move
from tests.push_service import BrowserKeys, PushService, push_service

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    settings.VAPID_PRIVATE_KEY = new_private_key()
    settings.VAPID_PUBLIC_KEY = public_key_of(settings.VAPID_PRIVATE_KEY)
    with push_service() as service:
        settings.PUSH_SERVICES = [service.origin]
        yield service


def subscribed(user: User, service: PushService, path: str = "/a") -> BrowserKeys:
    """Return the keys of a browser in which the person is told."""
    keys, browser = BrowserKeys(service.origin + path), Client()
    browser.force_login(user)
    assert browser.post("/accounts/push/", keys.form).status_code == 204
    return keys


def daily(people: list[User], variant: str = "kozel") -> Match:
    return tables.running_table(people, clock="1-day", variant=variant)


def soon(match: Match, seconds: float = 6) -> datetime:
    began = row_of(match).turn_started_at
    assert began is not None
    return began + timedelta(seconds=seconds)


def taken(now: datetime) -> list[Delivery]:
    return push_notifications.take_due_notifications(now=now, limit=100)


def test_it_is_told_after_five_seconds_and_once(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    user, keys = to_move(match), {}
    for player in (ann, ben):
        keys[player] = subscribed(player, service, f"/{player.name}")
    assert taken(soon(match, 4)) == []
    (delivery,) = taken(soon(match, 6))
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
    seconds = round((row_of(match).due_at - soon(match, 6)).total_seconds())
    expected = {"ttl": str(seconds), "topic": match.slug, "urgency": "normal", "content-encoding": "aes128gcm"}
    assert expected.items() <= {name.lower(): value for name, value in received.headers.items()}.items()
    assert Vapid.verify(received.headers["authorization"])
    assert taken(soon(match, 60)) == []


def test_nothing_is_sent_after_a_quick_move_or_twice_in_a_turn(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    for player in (ann, ben):
        subscribed(player, service, f"/{player.name}")
    began = soon(match, 0)
    while len(taken(began + timedelta(seconds=6))) != 1:
        make_first_move(match)
    # An outage moves the start of the turn, and an absence of others makes a version: it is the same turn.
    Match.objects.filter(pk=match.pk).update(turn_started_at=soon(match, 30))
    assert taken(soon(match)) == []
    Match.objects.filter(pk=match.pk).update(turn_started_at=began, version=row_of(match).version + 1)
    assert taken(soon(match)) == []


def test_in_the_language_of_the_reader(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    user = to_move(match)
    user.language = "hu"
    user.save()
    subscribed(user, service)
    (delivery,) = taken(soon(match))
    assert delivery.notification.language == "hu"


def test_only_browsers_whose_sessions_last_are_told(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    for path in ("/old", "/new"):
        subscribed(to_move(match), service, path)
    PushSubscription.objects.filter(endpoint__endswith="/old").update(expires_at=timezone.now())
    (delivery,) = taken(soon(match))
    assert delivery.keys.endpoint.endswith("/new")


def test_who_has_the_table_in_sight_is_told_nothing(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    user = to_move(match)
    subscribed(user, service)
    pages().mark_visible("desk", user.pk, match.pk, soon(match, 0))
    online.exchange_presence(pages(), soon(match, 2))
    assert taken(soon(match)) == []
    pages().mark_hidden("desk")
    online.exchange_presence(pages(), soon(match, 7))
    assert taken(soon(match, 60)) == [], "the turn was seen"


def test_it_waits_while_another_page_is_in_sight(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    user = to_move(match)
    subscribed(user, service)
    for page in ("lobby", "telephone"):
        pages().mark_visible(page, user.pk, None, soon(match, 0))
    pages().mark_hidden("lobby")
    for seconds in (2, 44):
        online.exchange_presence(pages(), soon(match, seconds))
        assert taken(soon(match, seconds)) == []
    online.exchange_presence(pages(), soon(match, 45))
    assert len(taken(soon(match, 46))) == 1, "its lease ran out"


def test_a_page_at_a_killed_process_counts_until_its_row_expires(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    subscribed(to_move(match), service)
    pages().mark_visible("desk", to_move(match).pk, None, soon(match, 0))
    online.exchange_presence(pages(), soon(match, 0))
    assert taken(soon(match, 44)) == []
    assert len(taken(soon(match, 45))) == 1


def test_pages_of_people_without_pushes_are_not_stored(ann: User, service: PushService) -> None:
    pages().mark_visible("desk", ann.pk, None, timezone.now())
    online.exchange_presence(pages(), timezone.now())
    assert Presence.objects.get().in_sight == []


def test_a_browser_that_is_gone_is_forgotten(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    subscribed(to_move(match), service)
    (delivery,) = taken(soon(match))
    for status in (404, 410):
        service.status = status
        assert deliver(delivery) == "gone"
    subscriptions.note(delivery.subscription_id, "gone")
    assert not PushSubscription.objects.exists()


def test_one_that_fails_is_forgotten_after_a_while(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    subscribed(to_move(match), service)
    (delivery,) = taken(soon(match))
    service.status = 500
    assert deliver(delivery) == "failed"
    for _ in range(subscriptions.MAX_FAILURES - 1):
        subscriptions.note(delivery.subscription_id, "failed")
    subscriptions.note(delivery.subscription_id, "sent")
    assert PushSubscription.objects.get().failures == 0
    for _ in range(subscriptions.MAX_FAILURES):
        subscriptions.note(delivery.subscription_id, "failed")
    assert not PushSubscription.objects.exists()


def test_nobody_is_led_elsewhere(ann: User, ben: User, service: PushService) -> None:
    match = daily([ann, ben])
    subscribed(to_move(match), service)
    (delivery,) = taken(soon(match))
    with push_service() as elsewhere:
        service.status, service.location = 307, f"{elsewhere.origin}/"
        assert deliver(delivery) == "failed"
        assert elsewhere.received == []


def test_an_address_that_is_no_longer_known_is_not_written_to(
    ann: User, ben: User, service: PushService, settings: Settings
) -> None:
    match = daily([ann, ben])
    subscribed(to_move(match), service)
    (delivery,) = taken(soon(match))
    settings.PUSH_SERVICES = ["fcm.googleapis.com"]
    assert deliver(delivery) == "gone"
    assert service.received == []


@pytest.mark.stack
def test_of_two_processes_one_tells(ann: User, ben: User, service: PushService) -> None:
    matches = [daily([ann, ben]) for _ in range(8)]
    for player in (ann, ben):
        subscribed(player, service, f"/{player.name}")
    together, deliveries = Barrier(2), []

    def ask() -> None:
        together.wait()
        deliveries.extend(taken(max(soon(match) for match in matches)))
        connection.close()

    threads = [Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(delivery.notification.tag for delivery in deliveries) == sorted(match.slug for match in matches)


def test_nothing_of_a_hand_is_in_it(service: PushService) -> None:
    people = [person(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    for variant in ("kozel", "all_fives", "triominoes", "rytmino"):
        match = daily(people, variant=variant)
        keys = subscribed(to_move(match), service)
        (delivery,) = taken(soon(match))
        deliver(delivery)
        text = str(keys.read(service.received[-1])).replace(match.slug, "")
        hands = [tile for hand in state_of(match).hands for tile in hand]
        assert hands
        assert [tile for tile in hands if tile_text(tile) in text] == []
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)


def test_the_origin_of_a_service_may_be_named_with_its_port(service: PushService) -> None:
    assert urlsplit(service.origin).port
    assert subscriptions.is_known(f"{service.origin}/x")
    assert not subscriptions.is_known("http://localhost:1/x")


def test_an_invitation_is_told_to_whoever_has_no_page_in_sight(ann: User, ben: User, service: PushService) -> None:
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


def test_an_invitation_that_is_void_is_not_told(ann: User, ben: User, service: PushService) -> None:
    match = lobby_table(ann, seats=4)
    subscribed(ben, service)
    follows.follow(follower=ann, followed=ben)
    invitations.invite(match=match, by=ann, person_id=ben.pk)
    follows.unfollow(follower=ann, followed_id=ben.pk)
    assert taken(timezone.now() + timedelta(seconds=6)) == []


def test_a_player_is_called_back_from_a_bot_once(ann: User, ben: User, service: PushService) -> None:
    match = tables.running_table([ann, ben], clock="relaxed")
    user = to_move(match)
    subscribed(user, service)
    tables.hold(match, user)
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
