"""The spectators of a match, over all windows and processes, and to whom they are shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import cast

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.broadcast import announcements
from games.models import Match, SpectatorCount
from games.presence import spectators
from games.presence.people import MOST_VISITORS, NOBODY, Attendee, People, counted, visitors
from games.presence.people import people as merged
from games.rendering.spectators import spectators_frame, spectators_zones
from games.sockets.base import Socket
from tests.games import tables

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
NUMBERS = count()


@dataclass(eq=False)
class Window:
    """A socket of a table that keeps what it was sent."""

    match_id: int = 0
    user: User | AnonymousUser = field(default_factory=AnonymousUser)
    seated: bool = False
    browser: tuple[str, str] = field(default_factory=lambda: ("192.0.2.1", str(next(NUMBERS))))
    language: str = "en"
    renewed_at: datetime | None = None
    frames: list[str] = field(default_factory=list)

    @property
    def user_id(self) -> int | None:
        return self.user.pk

    @property
    def attendee(self) -> Attendee:
        return Socket.attend(cast(Socket, self))

    async def send(self, text_data: str) -> None:
        self.frames.append(text_data)


def person(number: int, name: str) -> User:
    return User(pk=number, name=name)


ANNA, BELA = (1, "Anna", False), (2, "Bela", False)


def attending(*windows: Window) -> People:
    return counted(window.attendee for window in windows)


class TestCounting:
    def test_a_person_with_several_windows_is_one_and_visitors_are_counted_by_browser(self) -> None:
        anna, bela = person(1, "Anna"), person(2, "bela")
        windows = [Window(user=bela), Window(user=anna), Window(user=anna), Window(), Window()]
        assert attending(*windows) == People(((1, "Anna", False), (2, "bela", False)), 2)
        assert attending(*windows).number == 4

    def test_a_visitor_with_a_thousand_windows_is_one(self) -> None:
        tabs = [Window(browser=("192.0.2.1", "cookie")) for _ in range(1000)]
        assert attending(*tabs, Window(browser=("192.0.2.2", "cookie"))).number == 2

    def test_behind_one_address_there_is_at_most_a_class_of_visitors(self) -> None:
        assert visitors([("192.0.2.1", str(number)) for number in range(1000)] * 2) == MOST_VISITORS
        assert visitors([("192.0.2.1", "a"), ("192.0.2.1", "b"), ("192.0.2.2", "a")]) == 3

    def test_an_account_without_a_name_at_tables_is_called_by_its_user_name(self) -> None:
        assert attending(Window(user=User(pk=1, username="root"))) == People(((1, "root", False),), 0)

    def test_what_two_processes_count_adds_up_but_for_who_is_in_both(self) -> None:
        both = merged([BELA, ANNA], 1) | merged([BELA], 2)
        assert both == People((ANNA, BELA), 3)
        assert both.number == 5


def said(people: People, *, named: bool = True) -> list[str]:
    """Return the texts of the number and of the names."""
    zones = spectators_zones(people, "en", named=named).values()
    return ["".join(part.partition(">")[2] for part in zone.split("<")[1:]) for zone in zones]


class TestWords:
    @pytest.mark.parametrize(
        ("people", "number", "names"),
        [
            (NOBODY, "", ""),
            (People((), 1), "1 watching", "1 visitor"),
            (People((ANNA,), 0), "1 watching", "Anna"),
            (People((ANNA, BELA), 0), "2 watching", "Anna and Bela"),
            (People((ANNA, BELA), 1), "3 watching", "Anna, Bela and 1 visitor"),
            (People((ANNA,), 1000), "1001 watching", "Anna and 1000 visitors"),
        ],
    )
    def test_how_many_and_who(self, people: People, number: str, names: str) -> None:
        assert said(people) == [number, names]

    def test_a_long_list_is_cut_off(self) -> None:
        many = merged([(number, f"P{number:02}", False) for number in range(40)], 9)
        listed = ", ".join(f"P{number:02}" for number in range(12))
        assert said(many) == ["49 watching", f"{listed} and 37 more"]

    def test_names_cannot_break_the_page(self) -> None:
        assert "<b>Bob" not in spectators_frame(merged([(1, "<b>Bob</b> %(last)s", False)], 1), "en", named=True)

    def test_who_does_not_want_the_list_is_sent_the_number_alone(self) -> None:
        assert said(People((ANNA,), 0), named=False) == ["1 watching", "Your settings hide their names."]


@pytest.mark.stack
@pytest.mark.django_db
class TestRows:
    @pytest.fixture
    def match(self) -> Match:
        return tables.running_table([tables.person("Ann"), tables.person("Bob")])

    @pytest.fixture
    def lobby(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Return what the lobby was told."""
        told: list[str] = []
        monkeypatch.setattr(announcements, "touch_lobby", lambda: told.append("changed"))
        return told

    def tell(self, here: dict[int, People], *, process: str = "one", seconds: float = 0) -> dict[int, People]:
        return spectators.exchange(process=process, here=here, now=NOON + timedelta(seconds=seconds))

    def test_each_process_learns_what_all_of_them_count(self, match: Match) -> None:
        self.tell({match.pk: merged([ANNA], 1)})
        assert self.tell({match.pk: merged([ANNA, BELA], 0)}, process="two") == {match.pk: merged([ANNA, BELA], 1)}
        assert self.tell({}, process="three") == {match.pk: merged([ANNA, BELA], 1)}
        assert self.tell({match.pk: NOBODY}) == {match.pk: merged([ANNA, BELA], 0)}
        assert SpectatorCount.objects.get().process == "two"

    def test_as_long_as_nothing_changes_nothing_is_written(
        self, match: Match, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        here = {match.pk: merged([ANNA], 1)}
        self.tell(here)
        with django_assert_num_queries(1):
            assert self.tell(here, seconds=29.9) == here

    def test_a_thousand_who_come_at_once_cost_what_one_costs(self, match: Match) -> None:
        one, many = merged([ANNA], 0), merged([(number, f"P{number}", False) for number in range(600)], 400)
        costs = []
        for here in (one, many):
            with CaptureQueriesContext(connection) as queries:
                self.tell({match.pk: here})
            costs.append(len(queries))
        assert costs[0] == costs[1] <= 7
        assert SpectatorCount.objects.get().watchers == 1000

    def test_a_row_is_renewed_in_time(self, match: Match) -> None:
        self.tell({match.pk: merged([ANNA], 0)})
        self.tell({match.pk: merged([ANNA], 0)}, seconds=30)
        assert SpectatorCount.objects.get().at == NOON + timedelta(seconds=30)

    def test_a_process_that_was_killed_counts_no_more(self, match: Match, lobby: list[str]) -> None:
        self.tell({match.pk: merged([ANNA], 0)}, process="killed")
        assert self.tell({}, seconds=89) == {match.pk: merged([ANNA], 0)}
        assert spectators.of_matches([match.pk], NOON + timedelta(seconds=90)) == {}
        assert self.tell({}, seconds=90) == {}
        assert not SpectatorCount.objects.exists()
        assert len(lobby) == 2

    def test_the_lobby_hears_of_another_number_at_a_public_table_only(self, match: Match, lobby: list[str]) -> None:
        by_link = tables.running_table([tables.person()], bots=1, visibility="link")
        lobby.clear()
        self.tell({match.pk: merged([ANNA], 0)})
        assert len(lobby) == 1
        self.tell({match.pk: merged([BELA], 0)})
        self.tell({match.pk: merged([BELA], 0)}, seconds=40)
        assert len(lobby) == 1
        self.tell({match.pk: merged([BELA], 0), by_link.pk: merged([], 3)}, seconds=40)
        assert len(lobby) == 1

    def test_a_match_that_is_cleared_away_takes_nobody_along(self, match: Match) -> None:
        gone = tables.running_table([tables.person()], bots=1)
        here = {gone.pk: merged([], 1), match.pk: merged([], 1)}
        self.tell(here)
        gone.delete()
        self.tell(here | {match.pk: merged([], 2)})
        assert list(SpectatorCount.objects.values_list("match_id", "watchers")) == [(match.pk, 2)]
