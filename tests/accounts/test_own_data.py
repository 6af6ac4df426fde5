"""Taking one's data along, and leaving for good."""

from __future__ import annotations

import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from accounts import personal_data
from accounts.models import ModerationAct, Sanction, User
from games.conduct import ledger
from games.match import selectors
from games.models import Match, Message, RatingPoints, Seat
from tests.accounts.conftest import PASSWORD, logged_in_user
from tests.games.tables import open_table, person, running_table

EXPORT, DELETE = "/accounts/data/export/", "/accounts/data/"


def finished_table(people: list[User]) -> Match:
    match = open_table(people)
    Match.objects.filter(pk=match.pk).update(status="finished", started_at=timezone.now(), finished_at=timezone.now())
    Seat.objects.filter(match=match, index=0).update(place=1, points_gain=8)
    return match


def test_download_has_all_data(as_masha: Client, masha: User) -> None:
    match = finished_table([masha, person("Vasya")])
    RatingPoints.objects.create(user=masha, variant="kozel", points=8, matches=1)
    Sanction.objects.create(user=masha, kind="mute", reason="spam", moderator=person("Mo"))
    ledger.charge_points(masha.pk, "left", timezone.now(), match_id=match.pk)
    Message.objects.create(match=match, user=masha, name="Masha", text="Well played!")
    Message.objects.create(match=match, user=person("Vasya"), name="Vasya", text="Thanks!")
    answer = as_masha.get(EXPORT)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="dominoes-')
    assert "no-store" in answer.headers["Cache-Control"]
    data = json.loads(answer.content)
    assert data["profile"]["username"] == "masha"
    assert data["profile"]["email"] == "masha@example.org"
    assert data["email_addresses"] == [{"email": "masha@example.org", "verified": True, "primary": True}]
    assert data["rating_points"] == [{"variant": "kozel", "points": 8, "matches": 1}]
    assert [(row["kind"], row["reason"]) for row in data["sanctions"]] == [("mute", "spam")]
    (seat,) = data["matches"]
    assert (seat["slug"], seat["index"], seat["place"], seat["points_gain"]) == (match.slug, 0, 1, 8)
    assert [row["text"] for row in data["messages"]] == ["Well played!"]
    assert [(row["kind"], row["points"], row["table"]) for row in data["conduct"]] == [("left", 3, match.slug)]


def test_download_has_no_secrets_and_no_other_people(as_masha: Client, masha: User) -> None:
    match = running_table([masha, person("Vasya")])
    text = as_masha.get(EXPORT).content.decode()
    assert match.secret not in text
    assert "secret" not in text
    assert "nonce" not in text
    assert "Vasya" not in text
    assert masha.password not in text


def test_download_has_a_constant_number_of_queries(
    as_masha: Client, masha: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(30):
        finished_table([masha, person("Vasya")])
    parts = len(personal_data.export_person(masha))
    with django_assert_max_num_queries(parts):
        data = json.loads(as_masha.get(EXPORT).content)
    assert len(data["matches"]) == 30


@pytest.mark.parametrize("address", [EXPORT, DELETE])
def test_only_the_person_can_download_and_delete(client: Client, address: str) -> None:
    assert client.get(address).headers["Location"].startswith("/accounts/login/")
    assert client.post(address, {"password": PASSWORD}).headers["Location"].startswith("/accounts/login/")


def test_deletion_keeps_matches_without_the_name(as_masha: Client, masha: User) -> None:
    vasya = person("Vasya")
    match = finished_table([masha, vasya])
    Message.objects.create(match=match, user=masha, name="Masha", text="I am Masha from Minsk")
    Message.objects.create(match=match, user=vasya, name="Vasya", text="Hello")
    before = Match.objects.get(pk=match.pk).revision
    answer = as_masha.post(DELETE, {"password": PASSWORD}, follow=True)
    assert "Everything about you has been deleted" in answer.content.decode()
    first, second = Seat.objects.filter(match=match).order_by("index")
    assert (first.user, first.name, first.place, first.points_gain) == (None, "Deleted player", 1, 8)
    assert (second.user, second.name) == (vasya, "Vasya")
    assert list(Message.objects.values_list("name", "text", "hidden")) == [
        ("Deleted player", "", True),
        ("Vasya", "Hello", False),
    ]
    after = Match.objects.get(pk=match.pk)
    assert after.host is None
    assert after.revision > before, "open pages show the change"
    assert [human.kind for human in selectors.read_table(match.pk).people] == ["human", "human"]


def test_nothing_personal_is_left_in_any_table(
    as_masha: Client, masha: User, django_db_blocker: DjangoDbBlocker
) -> None:
    from django.apps import apps

    match = finished_table([masha, person("Vasya")])
    Message.objects.create(match=match, user=masha, name="Masha", text="I am Masha")
    RatingPoints.objects.create(user=masha, variant="kozel")
    as_masha.post(DELETE, {"password": PASSWORD})
    for model in apps.get_models():
        for row in model._default_manager.values_list():
            assert "masha" not in str(row).lower(), model


def test_sessions_end_and_sockets_close(as_masha: Client, masha: User, access_endings: list[dict[str, Any]]) -> None:
    other = Client()
    other.post("/accounts/login/", {"login": "masha", "password": PASSWORD})
    as_masha.post(DELETE, {"password": PASSWORD})
    assert logged_in_user(as_masha) is None
    assert other.get("/accounts/settings/").headers["Location"].startswith("/accounts/login/")
    assert access_endings == [{"user_id": masha.pk, "code": "deleted", "session": ""}]
    assert not EmailAddress.objects.exists()
    assert Session.objects.count() <= 2


def test_deleted_person_can_sign_up_again(as_masha: Client, masha: User) -> None:
    as_masha.post(DELETE, {"password": PASSWORD})
    fields = {"username": "masha", "email": "masha@example.org", "password1": PASSWORD, "password2": PASSWORD}
    as_masha.post("/accounts/signup/", fields)
    assert logged_in_user(as_masha).pk != masha.pk


def test_the_wrong_password_deletes_nothing(as_masha: Client, masha: User) -> None:
    page = as_masha.post(DELETE, {"password": "wrong"}).content.decode()
    assert 'id="id_password_error"' in page
    for _number in range(4):
        as_masha.post(DELETE, {"password": "wrong"})
    as_masha.post(DELETE, {"password": PASSWORD})
    assert User.objects.get() == masha, "the right one has to wait after five wrong ones"


def test_a_guest_types_the_name(client: Client, guest: User) -> None:
    page = client.post(DELETE, {"name": "petya"}).content.decode()
    assert 'id="id_name_error"' in page
    client.post(DELETE, {"name": "Petya"})
    assert not User.objects.exists()


def test_account_cannot_be_deleted_by_its_name(as_masha: Client, masha: User) -> None:
    as_masha.post(DELETE, {"name": "Masha"})
    assert User.objects.get() == masha


def test_deletion_leaves_open_tables(as_masha: Client, masha: User) -> None:
    vasya = person("Vasya")
    alone, shared = open_table([masha], bots=1), open_table([masha, vasya])
    as_masha.post(DELETE, {"password": PASSWORD})
    alone.refresh_from_db()
    shared.refresh_from_db()
    assert alone.status == "void"
    assert shared.host == vasya
    assert shared.seats.get(index=0).name == "", "the seat is free"


def test_deletion_leaves_a_rated_match(as_masha: Client, masha: User) -> None:
    match = running_table([masha, person("Vasya")], rated=True)
    as_masha.post(DELETE, {"password": PASSWORD})
    match.refresh_from_db()
    assert match.status == "finished"
    assert match.seats.get(index=0).name == "Deleted player"


def test_deletion_gives_a_casual_seat_to_a_bot(as_masha: Client, masha: User) -> None:
    match = running_table([masha, person("Vasya")])
    as_masha.post(DELETE, {"password": PASSWORD})
    match.refresh_from_db()
    seat = match.seats.get(index=0)
    assert (match.status, seat.user, seat.name) == ("running", None, "Deleted player")
    assert seat.bot


def test_staff_must_give_up_their_rights_first(as_masha: Client, masha: User) -> None:
    User.objects.update(is_staff=True)
    assert "remove your rights first" in as_masha.get(DELETE).content.decode()
    as_masha.post(DELETE, {"password": PASSWORD})
    assert User.objects.get() == masha


def test_moderation_acts_stay_without_the_person(as_masha: Client, masha: User) -> None:
    ModerationAct.objects.create(user=masha, moderator=masha, act="mute", target="user:1", reason="spam")
    as_masha.post(DELETE, {"password": PASSWORD})
    act = ModerationAct.objects.get()
    assert (act.user, act.moderator) == (None, None)


def test_apps_register_their_own_sections(masha: User, monkeypatch: pytest.MonkeyPatch) -> None:
    erased: list[User] = []
    monkeypatch.setattr(personal_data, "_sections", dict(personal_data._sections))
    personal_data.register_section("pets", lambda user: [f"goat of {user}"], erased.append)
    assert personal_data.export_person(masha)["pets"] == ["goat of Masha"]
    personal_data.erase_person(masha)
    assert erased == [masha]
