"""Processes share who is on their pages in one row each, and everybody counts once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.broadcast import announcements
from games.broadcast.announcements import LOBBY_GROUP
from games.broadcast.groups import match_group, review_group
from games.models import Match, Presence, Seat
from games.presence import online
from games.presence.online import count_online, online_user_ids
from games.presence.pages import Pages, pages
from games.presence.people import Attendee, People, PeopleByPlace
from tests.games import tables
from tests.games.presence.windows import Window, person

pytestmark = pytest.mark.stack
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ANNA, BELA = (1, "Anna", False), (2, "Bela", False)
VISITOR = Attendee(None, "", False, ("192.0.2.3", "c"))
REVIEW = review_group("slug")


def window(named: tuple[int, str, bool] | None = None) -> Window:
    return Window() if named is None else Window(user=person(*named[:2]))


def open_windows(process: Pages, place: str, *people: tuple[int, str, bool] | None) -> list[Window]:
    """Open a page for each of these people, None for a visitor."""
    windows = [window(named) for named in people]
    for page in windows:
        process.join(place, page)
    return windows


def leave(process: Pages, place: str, *windows: Window) -> None:
    for window in windows:
        process.leave(place, window)


def exchange_at(process: Pages, seconds: float = 0) -> PeopleByPlace:
    return online.exchange_presence(process, NOON + timedelta(seconds=seconds))


@pytest.fixture
def match(db: None) -> Match:
    return tables.running_table([tables.person("Ann"), tables.person("Bob")])


@pytest.fixture
def lobby(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what the lobby was told."""
    announced: list[str] = []
    monkeypatch.setattr(announcements, "touch_lobby", lambda: announced.append("changed"))
    return announced


@pytest.fixture
def reviews(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the shared reviews that were told."""
    announced: list[str] = []
    monkeypatch.setattr(announcements, "touch_reviews", announced.extend)
    return announced


@pytest.mark.parametrize("place", [LOBBY_GROUP, "match.slug", REVIEW])
def test_processes_share_their_presence(place: str) -> None:
    one, two, three = Pages("one"), Pages("two"), Pages("three")
    first = open_windows(one, place, ANNA, ANNA, None)
    assert exchange_at(one) == {place: People((ANNA,), 1)}
    open_windows(two, place, ANNA, BELA)
    assert exchange_at(two) == exchange_at(three) == {place: People((ANNA, BELA), 1)}
    leave(one, place, *first)
    assert exchange_at(one) == {place: People((ANNA, BELA), 0)}
    assert Presence.objects.get().process == "two"


def test_players_are_no_spectators() -> None:
    one = Pages("one")
    one.join("match.slug", Window(seated=True))
    assert exchange_at(one) == {}


def test_unchanged_presence_writes_nothing(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    one = Pages("one")
    open_windows(one, LOBBY_GROUP, ANNA, None)
    exchange_at(one)
    with django_assert_num_queries(1):
        exchange_at(one, 19.9)
    exchange_at(one, 20)
    assert Presence.objects.get().at == NOON + timedelta(seconds=20)


def test_thousand_arrivals_cost_one_write(match: Match) -> None:
    one, place, costs = Pages("one"), match_group(match.slug), []
    for people in ([ANNA], [(number, f"P{number}", False) for number in range(2, 1001)]):
        open_windows(one, place, *people)
        with CaptureQueriesContext(connection) as queries:
            exchange_at(one)
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 6
    assert exchange_at(Pages("two"))[place].number == 1000


def test_killed_process_no_longer_counts(match: Match, lobby: list[str], reviews: list[str]) -> None:
    killed, place = Pages("killed"), match_group(match.slug)
    open_windows(killed, place, ANNA)
    open_windows(killed, REVIEW, ANNA)
    exchange_at(killed)
    assert exchange_at(Pages("one"), 44)[place] == People((ANNA,), 0)
    assert online.people_at(place, NOON + timedelta(seconds=45)).number == 0
    assert exchange_at(Pages("one"), 45) == {}
    assert not Presence.objects.exists()
    assert (len(lobby), reviews) == (2, [REVIEW, REVIEW])


def test_process_counts_again_after_sleep(match: Match) -> None:
    slow, other = Pages("slow"), Pages("other")
    open_windows(slow, LOBBY_GROUP, ANNA)
    exchange_at(slow)
    assert exchange_at(other, 60) == {}
    exchange_at(slow, 60)
    assert exchange_at(other, 60) == {LOBBY_GROUP: People((ANNA,), 0)}


def test_only_public_tables_update_the_lobby(match: Match, lobby: list[str]) -> None:
    by_link = tables.running_table([tables.person()], bots=1, visibility="link")
    one, place = Pages("one"), match_group(match.slug)
    lobby.clear()
    anna = open_windows(one, place, ANNA)
    exchange_at(one)
    assert len(lobby) == 1
    leave(one, place, *anna)
    open_windows(one, place, BELA)
    exchange_at(one)
    exchange_at(one, 40)
    open_windows(one, match_group(by_link.slug), None)
    exchange_at(one, 40)
    assert len(lobby) == 1


def test_change_of_people_in_the_lobby_updates_the_lobby(lobby: list[str]) -> None:
    one = Pages("one")
    open_windows(one, LOBBY_GROUP, ANNA)
    exchange_at(one)
    open_windows(one, LOBBY_GROUP, ANNA)
    exchange_at(one)
    assert len(lobby) == 1


def test_change_of_people_updates_the_shared_review(reviews: list[str], lobby: list[str]) -> None:
    one = Pages("one")
    anna = open_windows(one, REVIEW, ANNA)
    exchange_at(one)
    leave(one, REVIEW, *anna)
    open_windows(one, REVIEW, BELA)
    exchange_at(one)
    assert (reviews, lobby) == ([REVIEW, REVIEW], [])


def test_people_in_the_lobby_at_tables_and_watching_are_each_counted_once() -> None:
    now = timezone.now()
    ann, ben, cleo, dan = (tables.person(name) for name in ("Ann", "Ben", "Cleo", "Dan"))
    match = tables.open_table([ann, ben, cleo], bots=1)
    Seat.objects.filter(user__in=(ann, ben, cleo)).update(last_seen=now)
    assert count_online(now) == len((ann, ben, cleo))
    Match.objects.filter(pk=match.pk).update(delay=Match.Delay.ROUND)  # the number would reveal who leaves
    assert count_online(now) == 0
    Match.objects.filter(pk=match.pk).update(delay=Match.Delay.NONE)
    Seat.objects.filter(user=ben).update(away=True)
    Seat.objects.filter(user=cleo).update(bot="player")
    assert count_online(now) == len((ann,))
    other = Pages("other")
    open_windows(other, match_group(match.slug), (dan.pk, "Dan", False), (ann.pk, "Ann", False))
    open_windows(other, REVIEW, BELA)
    online.exchange_presence(other, now)
    assert count_online(now) == len((ann, dan))
    open_windows(pages(), LOBBY_GROUP, (dan.pk, "Dan", False))
    assert count_online(now, VISITOR) == len((ann, dan, VISITOR))
    assert online_user_ids(now) == {ann.pk, dan.pk}
