"""In which browsers people are told things: who may be one, and when it ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts import personal_data
from accounts.models import PushSubscription, User
from accounts.push import subscriptions
from accounts.services import delete_person
from infrastructure.vapid import new_private_key, public_key_of
from tests.accounts.conftest import PASSWORD
from tests.games.tables import browser_of, open_table, person
from tests.push_service import SubscribedBrowser

ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc-1:x_2"


@pytest.fixture(autouse=True)
def offered(settings: Settings) -> None:
    settings.VAPID_PRIVATE_KEY = new_private_key()
    settings.VAPID_PUBLIC_KEY = public_key_of(settings.VAPID_PRIVATE_KEY)


def subscribe(client: Client, endpoint: str = ENDPOINT, **fields: str) -> int:
    return client.post("/accounts/push/", SubscribedBrowser(endpoint).form | fields).status_code


@pytest.mark.parametrize(
    "endpoint",
    [
        ENDPOINT,
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QGu",
        "https://db5p.notify.windows.com/w/?token=BQ%3d%3d",
    ],
)
def test_browsers_of_known_services_can_subscribe(endpoint: str) -> None:
    assert subscriptions.is_known_service(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://fcm.googleapis.com/send",
        "https://fcm.googleapis.com",
        "https://fcm.googleapis.com:8443/send",
        "https://fcm.googleapis.com.example.org/send",
        "https://example.org/https://fcm.googleapis.com/",
        "https://fcm.googleapis.com@127.0.0.1/send",
        "https://127.0.0.1\\@fcm.googleapis.com/send",
        "https://127.0.0.1/.push.apple.com/",
        "https://push.apple.com/x",
        "https://evilpush.apple.com/x",
        "https://[::1]/x",
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\n",
        "https://fcm.googleapis.com/" + 1000 * "a",
    ],
)
def test_unknown_push_services_are_refused(as_masha: Client, endpoint: str) -> None:
    answer = as_masha.post("/accounts/push/", SubscribedBrowser(endpoint).form)
    assert (answer.status_code, answer.content) == (
        400,
        b"The site does not support this push service.",
    )
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"p256dh": ""},
        {"p256dh": "A" * 87},
        {"p256dh": "é"},
        {"auth": "short"},
        {"auth": "A" * 2000},
        {"auth": "Å" * 22},
    ],
)
def test_invalid_keys_are_refused(as_masha: Client, fields: dict[str, str]) -> None:
    assert subscribe(as_masha, **fields) == 400
    assert not PushSubscription.objects.exists()


def test_subscribing_needs_a_person_and_keys_of_the_site(as_masha: Client, settings: Settings) -> None:
    assert subscribe(Client()) == 302
    assert as_masha.get("/accounts/push/").status_code == 405
    assert b'id="push"' in as_masha.get("/accounts/settings/").content
    settings.VAPID_PRIVATE_KEY = ""
    assert subscribe(as_masha) == 404
    assert b'id="push"' not in as_masha.get("/accounts/settings/").content
    assert not PushSubscription.objects.exists()


def test_offer_comes_in_daily_matches_and_to_people_who_leave_a_waiting_table(as_masha: Client, masha: User) -> None:
    offer = b'id="push"'
    assert offer not in as_masha.get("/").content
    for clock, is_offered in (("normal", False), ("1-day", True)):
        match = open_table([masha], bots=1, clock=clock)
        assert (offer in as_masha.get(f"/match/{match.slug}/").content) == is_offered
    assert as_masha.get("/").content.count(offer) == 1


def test_only_the_settings_say_that_notifications_need_scripts(as_masha: Client, masha: User) -> None:
    match = open_table([masha], bots=1, clock="1-day")
    table = as_masha.get(f"/match/{match.slug}/").content
    assert b'id="push"' in table
    notice = b"Notifications need JavaScript"
    assert [notice in page for page in (table, as_masha.get("/accounts/settings/").content)] == [False, True]


def test_subscription_belongs_to_a_person_and_a_browser(as_masha: Client, masha: User) -> None:
    other, vasya = Client(), Client()
    other.force_login(masha)
    vasya.force_login(person("Vasya"))
    assert subscribe(as_masha) == 204
    assert b"data-on" in as_masha.get("/accounts/settings/").content.split(b"<noscript>")[0]
    assert b"data-on" not in other.get("/accounts/settings/").content.split(b"<noscript>")[0]
    assert subscribe(other, ENDPOINT + "2") == 204
    other.post("/accounts/push/end/")
    assert [row.endpoint for row in masha.push_subscriptions.all()] == [ENDPOINT]
    # The same browser, where somebody else has logged in since.
    assert subscribe(vasya) == 204
    as_masha.post("/accounts/push/end/")
    assert [row.user.name for row in PushSubscription.objects.all()] == ["Vasya"]


def test_person_can_have_ten_browsers(masha: User) -> None:
    for number in range(12):
        browser = browser_of(masha)
        assert subscribe(browser, f"{ENDPOINT}{number}") == 204
    endpoints = masha.push_subscriptions.order_by("pk").values_list("endpoint", flat=True)
    assert list(endpoints) == [f"{ENDPOINT}{number}" for number in range(2, 12)]


def test_log_out_ends_only_the_own_subscription(as_masha: Client, masha: User) -> None:
    other = browser_of(masha)
    subscribe(as_masha)
    subscribe(other, ENDPOINT + "2")
    as_masha.post("/accounts/logout/")
    assert [row.endpoint for row in PushSubscription.objects.all()] == [ENDPOINT + "2"]


def test_login_of_a_guest_ends_the_subscription(client: Client, masha: User) -> None:
    client.post("/accounts/guest/", {"name": "Gast", "colour": "teal"})
    assert subscribe(client) == 204
    client.post("/accounts/login/", {"login": "masha", "password": PASSWORD})
    assert not PushSubscription.objects.exists()


def test_subscriptions_end_with_all_sessions(as_masha: Client, masha: User) -> None:
    subscribe(as_masha)
    masha.set_password("eight-legged-goats")
    masha.save()
    assert not PushSubscription.objects.exists()


def test_subscription_is_renewed_with_the_session(as_masha: Client) -> None:
    subscribe(as_masha)
    row = PushSubscription.objects.get()
    assert timedelta(days=29) < row.expires_at - timezone.now() < timedelta(days=31)
    PushSubscription.objects.update(expires_at=timezone.now() + timedelta(days=2))
    session = as_masha.session
    session["renewed"] = "yesterday"
    session.save()
    as_masha.get("/")
    row.refresh_from_db()
    assert row.expires_at - timezone.now() > timedelta(days=29)


def test_download_has_no_keys_and_deletion_ends_the_subscription(as_masha: Client, masha: User) -> None:
    subscribe(as_masha)
    (row,) = personal_data.export_person(masha)["push_subscriptions"]
    assert row["endpoint"] == ENDPOINT
    assert row.keys() == {"endpoint", "created_at", "expires_at", "failures"}
    delete_person(user=masha)
    assert not PushSubscription.objects.exists()
