"""Tournaments by the API: everybody reads what the pages show, and hosts lead theirs by the services of the site."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from games.models import Entry, Tournament
from games.tournaments import entering
from infrastructure.limits import limits
from tests.games.api.test_document import bearer
from tests.games.tables import person
from tests.games.tournaments.test_pages import running, statuses, upcoming

TERMS = {"name": "Sunday cup", "variant": "kozel", "format": "swiss", "seats": 2, "starts": 30, "rounds": 5}


@pytest.fixture
def host() -> User:
    return person("Max")


def get(path: str, user: User | None = None, *scopes: str) -> Any:
    headers = bearer(*(scopes or ("read",)), user=user) if user else {}
    return Client().get(f"/api/{path}", headers=headers)


def post(path: str, user: User, data: dict[str, Any] | None = None, scope: str = "tournament:host") -> Any:
    headers = bearer(scope, user=user)
    return Client().post(f"/api/{path}", data or {}, content_type="application/json", headers=headers)


def test_host_opens_a_tournament_with_the_terms_of_the_form(host: User) -> None:
    conditions = {"asks": True, "people": "accounts", "min_rating": 1500, "options": {"length": "quick"}}
    answer = post("tournaments", host, TERMS | conditions | {"visibility": "link"})
    assert answer.status_code == 200, answer.content
    row = Tournament.objects.get(slug=answer.json()["slug"])
    assert (row.host, row.name, row.format, row.seat_count, row.asks) == (host, "Sunday cup", "swiss", 2, True)
    assert (row.options["length"], row.visibility) == ("quick", "link")
    assert row.conditions == {"min_rating": 1500, "accounts": True}
    assert timedelta(minutes=30) <= row.starts_at - timezone.now() <= timedelta(minutes=35)
    assert [entry["slug"] for entry in get("tournaments/own", host, "tournament:host").json()] == [row.slug]
    assert get("tournaments").json() == {"running": [], "upcoming": [], "finished": []}
    assert get(f"tournament/{row.slug}").json() == answer.json() | {"own": None}


@pytest.mark.parametrize(
    ("terms", "status", "code"),
    [
        ({"starts": 7}, 422, "invalid"),
        ({"format": "knock-out"}, 422, "invalid"),
        ({"name": ""}, 422, "invalid"),
        ({"seats": "many"}, 422, "invalid"),
        ({"variant": "chess"}, 400, "bad_request"),
        ({"options": {"length": "endless"}}, 422, "invalid"),
        ({"options": {"colour": "red"}}, 400, "bad_request"),
        ({"options": {"length": "quick"}, "rated": True}, 422, "invalid"),
    ],
)
def test_impossible_terms_are_refused(host: User, terms: dict[str, Any], status: int, code: str) -> None:
    answer = post("tournaments", host, TERMS | terms)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert answer.json()["text"]
    assert not Tournament.objects.exists()


def test_limits_are_those_of_the_site(host: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for _number in range(2):
        assert post("tournaments", host, TERMS).status_code == 200
    assert post("tournaments", host, TERMS).json()["error"] == "too_many_tournaments"
    monkeypatch.setattr(limits, "consume", lambda name, **_keys: 2.5 if name == "tables" else 0.0)
    answer = post("tournaments", host, TERMS)
    assert (answer.status_code, answer.json()["limit"]) == (429, "tables")
    assert post("tournaments", host, TERMS, "read").json()["error"] == "missing_scope"


def test_host_accepts_and_refuses_entries(host: User) -> None:
    row, ann, ben = upcoming(host=host, asks=True), person("Ann"), person("Ben")
    for user in (ann, ben):
        entering.enter(tournament=row, user=user, now=timezone.now())
    entries = get(f"tournament/{row.slug}/entries", host, "tournament:host").json()
    assert ([entry["name"] for entry in entries["asking"]], entries["entered"]) == (["Ann", "Ben"], [])
    first, second = (entry["entry"] for entry in entries["asking"])
    stranger = person("Zoe")
    for path, data in (("accept", {"entry": first}), ("remove", {"entry": first}), ("cancel", {})):
        answer = post(f"tournament/{row.slug}/{path}", stranger, data)
        assert (answer.status_code, answer.json()["error"]) == (403, "tournament_host")
    assert get(f"tournament/{row.slug}/entries", stranger, "tournament:host").status_code == 403
    assert post(f"tournament/{row.slug}/accept", host, {"entry": first}).status_code == 204
    assert post(f"tournament/{row.slug}/remove", host, {"entry": second}).status_code == 204
    assert statuses(row) == [Entry.Status.ENTERED, Entry.Status.GONE]
    assert post(f"tournament/{row.slug}/accept", host, {"entry": second}).json()["error"] == "not_entered"
    assert [line["names"] for line in get(f"tournament/{row.slug}", ann).json()["standing"]] == [["Ann"]]
    assert get(f"tournament/{row.slug}", ann).json()["own"] == {"status": "entered", "match": None}


def test_host_cancels_before_the_start(host: User) -> None:
    row = upcoming(host=host)
    assert post(f"tournament/{row.slug}/cancel", host).status_code == 204
    assert get(f"tournament/{row.slug}").json()["stage"] == "cancelled"
    assert post(f"tournament/{row.slug}/cancel", host).json()["error"] == "tournament_over"


def test_running_tournament_has_tables_and_hides_those_of_people_who_blocked_the_reader() -> None:
    row, people = running()
    stranger = person("Zoe")
    matches = {table["match"] for table in get(f"tournament/{row.slug}").json()["tables"]}
    assert len(matches) == 2
    blocks.block(blocker=people[0], blocked=stranger)
    tables = get(f"tournament/{row.slug}", stranger).json()["tables"]
    assert sorted(table["match"] is None for table in tables) == [False, True]
    own = get(f"tournament/{row.slug}", people[0]).json()["own"]
    assert own["status"] == "entered"
    assert own["match"] in matches
