"""Endpoints that read: they show a caller what the pages show, and cookies count for nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import blocks
from accounts.models import Sanction, User
from games.models import Match
from games.services import board_days
from tests.games.api.test_document import bearer
from tests.games.reviewed import play_random_moves, stop_match
from tests.games.tables import browser_of, open_table, person, running_table


def get(client: Client, path: str, user: User | None = None) -> Any:
    return client.get(f"/api/{path}", headers=bearer("read", user=user) if user else {})


def test_history_is_paginated_newest_first(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.history.queries.PAGE_SIZE", 2)
    slugs = [stop_match(play_random_moves("kozel", 3)).slug for _number in range(3)]
    first = get(client, "matches?variant=kozel").json()
    second = get(client, f"matches?variant=kozel&after={first['next']}").json()
    listed = [match["slug"] for page in (first, second) for match in page["matches"]]
    assert (listed, second["next"]) == (slugs[::-1], None)


def test_unlisted_matches_and_people_are_not_listed(client: Client) -> None:
    match = stop_match(play_random_moves("kozel", 3))
    Match.objects.update(visibility="link")
    match.seats.update(listed=False)
    user = match.seats.exclude(user=None)[0].user
    assert user is not None
    assert get(client, "matches").json()["matches"] == []
    assert get(client, f"person/{user.pk}").status_code == 404
    assert get(client, f"match/{match.slug}").status_code == 200, "the link is enough to see it"
    assert [row["slug"] for row in get(client, f"person/{user.pk}/matches", user).json()["matches"]] == [match.slug]


def test_blocked_spectator_sees_nothing(client: Client) -> None:
    ann, ben = person("Ann"), person("Ben")
    match = running_table([ann, person("Cleo")])
    blocks.block(blocker=ann, blocked=ben)
    assert get(client, f"match/{match.slug}").status_code == 200
    assert get(client, f"match/{match.slug}", ben).status_code == 404
    assert get(client, "tables", ben).json()["running"] == []


def test_match_with_a_delay_is_shown_as_to_spectators(client: Client) -> None:
    match = running_table([person("Ann"), person("Ben")], delay="long")
    data = get(client, f"match/{match.slug}").json()
    assert (data["version"], data["round"], data["status"]) == (0, 0, "running")
    assert get(client, f"match/{match.slug}/record").status_code == 409


def test_record_of_a_running_round_is_refused(client: Client) -> None:
    match = play_random_moves("kozel", 3)
    response = get(client, f"match/{match.slug}/record")
    assert (response.status_code, response.json()["error"]) == (409, "no_round_over")


def test_cookies_do_not_count(client: Client) -> None:
    ann = person("Ann")
    match = open_table([ann, person("Ben")])
    Match.objects.filter(pk=match.pk).update(status="void")
    browser = browser_of(ann)
    assert browser.get(f"/match/{match.slug}/").status_code == 200
    assert browser.get(f"/api/match/{match.slug}").status_code == 404
    assert get(client, f"match/{match.slug}", ann).status_code == 200


def test_suspended_cookie_does_not_redirect_a_request() -> None:
    ann = person("Ann")
    Sanction.objects.create(user=ann, kind=Sanction.Kind.SUSPENSION, reason="spam", moderator=person("Mo"))
    assert browser_of(ann).get("/api/tables").status_code == 200


def test_boards_reveal_no_secret(client: Client) -> None:
    day = board_days.announce_day("kozel", timezone.now().date())
    text = get(client, "today").content.decode()
    assert day.commitment in text
    assert day.secret not in text
