"""Elsewhere on the site people are told of the match that they are playing."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Match
from games.services import play
from tests.games import tables

PAGES = ("/", "/rules/", "/matches/", "/running/")


@pytest.fixture
def people() -> list[User]:
    return [tables.person("Ann"), tables.person("Bob")]


def test_every_page_but_that_of_the_match_says_whose_turn_it_is(people: list[User]) -> None:
    match = tables.running_table(people)
    mine, other = (people[seat] for seat in ((0, 1) if match.to_move == 0 else (1, 0)))
    for page in PAGES:
        assert "Your match is running: Kozel – your turn" in tables.browser_of(mine).get(page).content.decode(), page
        text = tables.browser_of(other).get(page).content.decode()
        assert "Your match is running: Kozel" in text
        assert "your turn" not in text
    at_the_table = tables.browser_of(mine).get(f"/match/{match.slug}/").content.decode()
    assert "Your match is running" not in at_the_table


def test_banner_disappears_when_the_match_ends_or_a_bot_plays(people: list[User]) -> None:
    match = tables.running_table(people)
    play.leave_match(match_id=match.pk, user_id=people[0].pk)
    assert tables.browser_of(people[0]).get("/running/").content.strip() == b""
    assert b"Your match is running" in tables.browser_of(people[1]).get("/running/").content
    Match.objects.filter(pk=match.pk).update(status="finished")
    assert tables.browser_of(people[1]).get("/running/").content.strip() == b""


def test_match_that_waits_for_the_person_comes_first(people: list[User]) -> None:
    slugs = []
    for to_move in (0, 1):
        match = tables.running_table(people)
        Match.objects.filter(pk=match.pk).update(to_move=to_move)
        slugs.append(match.slug)
    for user, slug in zip(people, slugs, strict=True):
        assert f"/match/{slug}/" in tables.browser_of(user).get("/running/").content.decode()


@pytest.mark.stack
def test_banner_costs_one_query(people: list[User]) -> None:
    visitor, ann = tables.browser_of(), tables.browser_of(people[0])
    ann.get("/rules/")
    before = list(Session.objects.values_list("session_key", "session_data"))
    for client, queries in ((visitor, 0), (ann, 1)):
        with CaptureQueriesContext(
            connection,
        ) as context:
            client.get("/running/")
        assert sum("games_seat" in query["sql"] for query in context) == queries
    assert list(Session.objects.values_list("session_key", "session_data")) == before
