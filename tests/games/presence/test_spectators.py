"""The crowd of a match: who watches, over all windows and processes, and whom it is shown to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
import time_machine
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.broadcast import announcements
from games.lobby import open_tables
from games.models import Crowd, Match
from games.presence import spectators
from games.presence.people import MOST_VISITORS, NOBODY, Attendee, People, counted, visitors
from games.presence.people import people as merged
from games.rendering.crowd import crowd_frame, crowd_zones
from games.sockets.base import Socket
from games.sockets.presence import Presence, presence
from tests.games import tables
from tests.games.socket_browser import Browser, watch

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
in_thread = database_sync_to_async
NUMBERS = count()


@dataclass(eq=False)
class Window:
    """A socket of a table that keeps what it was sent."""

    match_id: int = 0
    user: User | AnonymousUser = field(default_factory=AnonymousUser)
    seated: bool = False
    browser: tuple[str, str] = field(default_factory=lambda: ("192.0.2.1", str(next(NUMBERS))))
    language: str = "en"
    frames: list[str] = field(default_factory=list)

    @property
    def user_id(self) -> int | None:
        return self.user.pk

    @property
    def attendee(self) -> Attendee:
        return Socket.attend(self)

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


def said(crowd: People, *, named: bool = True) -> list[str]:
    """Return the texts of the number and of the names."""
    zones = crowd_zones(crowd, "en", named=named).values()
    return ["".join(part.partition(">")[2] for part in zone.split("<")[1:]) for zone in zones]


class TestWords:
    @pytest.mark.parametrize(
        ("crowd", "number", "names"),
        [
            (NOBODY, "", ""),
            (People((), 1), "1 watching", "1 visitor"),
            (People((ANNA,), 0), "1 watching", "Anna"),
            (People((ANNA, BELA), 0), "2 watching", "Anna and Bela"),
            (People((ANNA, BELA), 1), "3 watching", "Anna, Bela and 1 visitor"),
            (People((ANNA,), 1000), "1001 watching", "Anna and 1000 visitors"),
        ],
    )
    def test_how_many_and_who(self, crowd: People, number: str, names: str) -> None:
        assert said(crowd) == [number, names]

    def test_a_long_list_is_cut_off(self) -> None:
        many = merged([(number, f"P{number:02}", False) for number in range(40)], 9)
        listed = ", ".join(f"P{number:02}" for number in range(12))
        assert said(many) == ["49 watching", f"{listed} and 37 more"]

    def test_names_cannot_break_the_page(self) -> None:
        assert "<b>Bob" not in crowd_frame(merged([(1, "<b>Bob</b> %(last)s", False)], 1), "en", named=True)

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
        assert Crowd.objects.get().process == "two"

    def test_as_long_as_nothing_changes_nothing_is_written(self, match: Match, django_assert_num_queries) -> None:
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
        assert Crowd.objects.get().watchers == 1000

    def test_a_row_is_renewed_in_time(self, match: Match) -> None:
        self.tell({match.pk: merged([ANNA], 0)})
        self.tell({match.pk: merged([ANNA], 0)}, seconds=30)
        assert Crowd.objects.get().at == NOON + timedelta(seconds=30)

    def test_a_process_that_was_killed_counts_no_more(self, match: Match, lobby: list[str]) -> None:
        self.tell({match.pk: merged([ANNA], 0)}, process="killed")
        assert self.tell({}, seconds=89) == {match.pk: merged([ANNA], 0)}
        assert spectators.of_matches([match.pk], NOON + timedelta(seconds=90)) == {}
        assert self.tell({}, seconds=90) == {}
        assert not Crowd.objects.exists()
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
        assert list(Crowd.objects.values_list("match_id", "watchers")) == [(match.pk, 2)]


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
class TestSockets:
    @pytest.fixture
    def people(self) -> list[User]:
        return [tables.person("Ann"), tables.person("Bob")]

    @pytest.fixture
    def match(self, people: list[User]) -> Match:
        return tables.running_table(people)

    async def here(self, number: int) -> None:
        """Wait until so many sockets are counted, then let the process poll."""
        async with asyncio.timeout(5):
            while sum(map(len, presence().connections.values())) != number:
                await asyncio.sleep(0.01)
        await presence().poll()

    async def test_players_and_spectators_see_who_comes_and_goes(self, match: Match, people: list[User]) -> None:
        player, spectator = await watch(match, people[0]), await watch(match, await in_thread(tables.person)("Zelda"))
        await self.here(2)
        for browser in (player, spectator):
            frame = await browser.frame()
            assert frame == crowd_frame(merged([(spectator.scope["user"].pk, "Zelda", False)], 0), "en", named=True)
        visitor = await watch(match)
        await self.here(3)
        assert all(["<b>2</b>" in await browser.frame() for browser in (player, spectator, visitor)])
        for browser in (spectator, visitor):
            await browser.disconnect()
        await self.here(1)
        assert '<span id="watching"></span>' in await player.frame()
        assert not await in_thread(Crowd.objects.exists)()
        await presence().poll()
        assert await player.receive_nothing(0.1)
        await player.disconnect()

    async def test_those_who_sit_there_are_no_spectators(self, match: Match, people: list[User]) -> None:
        player = await watch(match, people[0])
        await self.here(1)
        assert presence().spectators[match.pk] == NOBODY
        await player.disconnect()

    async def test_two_windows_of_a_person_are_one_until_both_are_closed(self, match: Match) -> None:
        zelda = await in_thread(tables.person)("Zelda")
        windows = [await watch(match, zelda), await watch(match, zelda)]
        await self.here(2)
        assert presence().spectators[match.pk].number == 1
        await windows[0].disconnect()
        await self.here(1)
        assert presence().spectators[match.pk].number == 1
        await windows[1].disconnect()

    async def test_in_the_language_of_each(self, match: Match) -> None:
        browser = await watch(match, language="hu")
        await self.here(1)
        assert await browser.frame() == crowd_frame(People((), 1), "hu", named=True)
        await browser.disconnect()

    async def test_who_hides_the_list_is_sent_no_name_not_even_on_a_page_opened_before(
        self, match: Match, people: list[User]
    ) -> None:
        player, other = [await watch(match, user) for user in people]
        await in_thread(User.objects.filter(pk=people[0].pk).update)(lists_watchers=False)
        spectator = await watch(match, await in_thread(tables.person)("Zelda"))
        await self.here(3)
        shown, hidden = await other.frame(), await player.frame()
        assert "Zelda" in shown
        assert "Zelda" not in hidden
        assert "<b>1</b>" in hidden
        assert "Zelda" in await in_thread(page)(match, people[1])
        assert "Zelda" in await in_thread(page)(match)
        text = await in_thread(page)(match, people[0])
        assert "Zelda" not in text
        assert "<b>1</b>" in text
        for browser in (player, other, spectator):
            await browser.disconnect()

    async def test_what_two_processes_hold_adds_up_on_every_screen(self, match: Match) -> None:
        other, afar = Presence("another process"), Window(match.pk)
        browser = await watch(match)
        await self.here(1)
        assert "<b>1</b>" in await browser.frame()
        other.join(afar)
        await other.poll()
        await presence().poll()
        assert afar.frames == [await browser.frame()]
        assert "2 visitors" in afar.frames[0]
        other.work.cancel()
        with time_machine.travel(datetime.now(UTC) + timedelta(seconds=91)):
            await presence().poll()  # the other process was killed
            assert "<b>1</b>" in await browser.frame()
        await browser.disconnect()

    async def test_a_delay_does_not_hold_the_crowd_back(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="120")
        spectator = await watch(match)
        await self.here(1)
        assert "<b>1</b>" in await spectator.frame()
        await spectator.disconnect()

    async def test_a_thousand_who_come_at_once_are_one_change_of_one_rendering(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from games.sockets import presence as module

        rendered: list[str] = []

        def render(*arguments: object, **options: bool) -> str:
            rendered.append("once")
            return crowd_frame(*arguments, **options)

        monkeypatch.setattr(module, "crowd_frame", render)
        windows = [Window(match.pk, browser=(str(number), "")) for number in range(1000)]
        gate = Presence("this process")
        for window in windows:
            gate.join(window)
        await gate.poll()
        await gate.poll()
        await asyncio.sleep(0)
        assert len(rendered) == 1
        assert {len(window.frames) for window in windows} == {1}
        gate.work.cancel()

    async def test_a_slow_browser_keeps_nobody_waiting_and_gets_the_newest(self, match: Match) -> None:
        patience = asyncio.Event()
        slow, quick, gate = Window(match.pk), Window(match.pk), Presence("this process")
        slow.send = slowed(slow.send, patience)
        for number in range(3):
            gate.join(Window(match.pk))
            for window in (slow, quick)[: 2 if not number else 0]:
                gate.join(window)
            await gate.poll()
            await asyncio.sleep(0)
        assert [number_in(frame) for frame in quick.frames] == [3, 4, 5]
        patience.set()
        await asyncio.sleep(0)
        await gate.poll()
        await asyncio.sleep(0)
        assert [number_in(frame) for frame in slow.frames] == [3, 5]
        gate.work.cancel()

    async def test_it_works_by_itself_and_rests_when_all_are_gone(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("games.sockets.presence.POLL_SECONDS", 0.05)
        browser = await watch(match)
        assert "<b>1</b>" in await browser.frame()
        work = presence().work
        await browser.disconnect()
        await asyncio.wait_for(work, 5)
        assert not await in_thread(Crowd.objects.exists)()
        again = await watch(match)
        assert "<b>1</b>" in await again.frame()
        await again.disconnect()
        await asyncio.wait_for(presence().work, 5)

    async def test_the_lobby_tells_how_many_watch_and_hears_when_it_changes(self, match: Match) -> None:
        lobby = Browser("/ws/lobby/")
        await lobby.connect()
        assert "watching" not in await lobby.frame()
        spectators = [await watch(match), await watch(match)]
        await self.here(2)
        assert "2 watching" in await lobby.frame()
        assert "2 watching" in (await in_thread(Client().get)("/")).content.decode()
        (line,) = (await in_thread(open_tables.lists)()).running
        assert line.spectators == 2
        for browser in (lobby, *spectators):
            await browser.disconnect()


Sending = Callable[[str], Awaitable[None]]


def slowed(send: Sending, patience: asyncio.Event) -> Sending:
    async def send_slowly(text_data: str) -> None:
        await send(text_data)
        await patience.wait()

    return send_slowly


def number_in(frame: str) -> int:
    return int(frame.partition("<b>")[2].partition("</b>")[0])


def page(match: Match, user: User | None = None) -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(f"/match/{match.slug}/").content.decode()
