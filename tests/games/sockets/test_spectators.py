"""The sockets of a match receive its list of spectators."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client

from accounts.models import User
from games.broadcast.groups import match_group
from games.lobby import open_tables
from games.models import Match, Presence
from games.presence import online
from games.presence.pages import Pages, pages
from games.presence.people import People
from games.rendering.spectators import spectators_zones
from games.rendering.zones import Zones
from games.sockets.presence_exchange import PresenceExchange, presence_exchange
from tests.games import tables
from tests.games.presence.windows import Window
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread


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
        async with asyncio.timeout(20):
            while sum(map(len, pages().places.values())) != number:
                await asyncio.sleep(0.01)
        await presence_exchange().exchange_once()

    @pytest.mark.stack
    async def test_players_and_spectators_see_who_comes_and_goes(self, match: Match, people: list[User]) -> None:
        player, spectator = (
            await connect_and_read_frame(match, people[0]),
            await connect_and_read_frame(match, await in_thread(tables.person)("Zelda")),
        )
        await self.here(2)
        for browser in (player, spectator):
            frame = await browser.next_frame()
            zelda = spectator.scope["user"].pk, "Zelda", False
            assert frame == spectators_zones(People((zelda,)), "en", shows_names=True).full_update
        visitor = await connect_and_read_frame(match)
        await self.here(3)
        assert all(["<b>2</b>" in await browser.next_frame() for browser in (player, spectator, visitor)])
        for browser in (spectator, visitor):
            await browser.disconnect()
        await self.here(1)
        assert '<span id="spectator-count"></span>' in await player.next_frame()
        assert not await in_thread(Presence.objects.exists)()
        await presence_exchange().exchange_once()
        assert await player.receive_nothing(0.1)
        await player.disconnect()

    async def test_spectators_are_shown_in_each_language(self, match: Match) -> None:
        browser = await connect_and_read_frame(match, language="hu")
        await self.here(1)
        assert await browser.next_frame() == spectators_zones(People((), 1), "hu", shows_names=True).full_update
        await browser.disconnect()

    async def test_person_who_hides_the_list_gets_no_names(self, match: Match, people: list[User]) -> None:
        player, other = [await connect_and_read_frame(match, user) for user in people]
        await in_thread(User.objects.filter(pk=people[0].pk).update)(lists_watchers=False)
        spectator = await connect_and_read_frame(match, await in_thread(tables.person)("Zelda"))
        await self.here(3)
        names, hidden = await other.next_frame(), await player.next_frame()
        assert "Zelda" in names
        assert "Zelda" not in hidden
        assert "<b>1</b>" in hidden
        assert "Zelda" in await in_thread(page)(match, people[1])
        assert "Zelda" in await in_thread(page)(match)
        text = await in_thread(page)(match, people[0])
        assert "Zelda" not in text
        assert "<b>1</b>" in text
        for browser in (player, other, spectator):
            await browser.disconnect()

    @pytest.mark.stack
    async def test_spectators_at_two_processes_add_up_on_every_screen(self, match: Match) -> None:
        there = Pages("another process")
        other, afar = PresenceExchange(there), Window()
        browser = await connect_and_read_frame(match)
        await self.here(1)
        assert "<b>1</b>" in await browser.next_frame()
        there.join(place_of(match), afar)
        await other.exchange_once()
        await presence_exchange().exchange_once()
        assert afar.frames == [await browser.next_frame()]
        assert "2 visitors" in afar.frames[0]
        with time_machine.travel(datetime.now(UTC) + timedelta(seconds=46)):
            await presence_exchange().exchange_once()  # the other process was killed
            assert "<b>1</b>" in await browser.next_frame()
        await browser.disconnect()

    async def test_spectator_list_is_live_at_delayed_tables(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="120")
        spectator = await connect_and_read_frame(match)
        await self.here(1)
        assert "<b>1</b>" in await spectator.next_frame()
        await spectator.disconnect()

    async def test_thousand_arrivals_are_rendered_once(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        from games.sockets import presence_exchange as module

        rendered: list[str] = []

        def render(*arguments: Any, **options: Any) -> Zones:
            rendered.append("once")
            return spectators_zones(*arguments, **options)

        monkeypatch.setattr(module, "spectators_zones", render)
        windows = [Window(browser=(str(number), "")) for number in range(1000)]
        for window in windows:
            pages().join(place_of(match), window)
        await presence_exchange().exchange_once()
        await presence_exchange().exchange_once()
        await asyncio.sleep(0)
        assert len(rendered) == 1
        assert {len(window.frames) for window in windows} == {1}

    async def test_a_slow_browser_keeps_nobody_waiting_and_gets_the_newest(self, match: Match) -> None:
        patience, slow, quick = asyncio.Event(), Window(), Window()
        setattr(slow, "send", slow_sender(slow.send, patience))  # noqa: B010 - a method
        for window in (slow, quick):
            pages().join(place_of(match), window)
        for _newcomer in range(3):
            pages().join(place_of(match), Window())
            await presence_exchange().exchange_once()
            await asyncio.sleep(0)
        assert [number_in(frame) for frame in quick.frames] == [3, 4, 5]
        patience.set()
        await asyncio.sleep(0)
        await presence_exchange().exchange_once()
        await asyncio.sleep(0)
        assert [number_in(frame) for frame in slow.frames] == [3, 5]

    async def test_spectator_list_recovers_after_an_outage(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        exchanged = online.exchange_presence

        def fails_once(*arguments: Any) -> Any:
            monkeypatch.setattr(online, "exchange_presence", exchanged)
            raise OperationalError("database is locked")

        monkeypatch.setattr(online, "exchange_presence", fails_once)
        monkeypatch.setattr("games.sockets.presence_exchange.EXCHANGE_INTERVAL_SECONDS", 0.25)
        browser = await connect_and_read_frame(match)
        work = asyncio.create_task(presence_exchange().run())
        assert "<b>1</b>" in await browser.next_frame()
        await browser.disconnect()
        work.cancel()

    async def test_lobby_shows_the_number_of_spectators(self, match: Match) -> None:
        lobby = Browser("/ws/lobby/")
        await lobby.connect()
        assert "watching" not in await lobby.next_frame()
        spectators = [await connect_and_read_frame(match), await connect_and_read_frame(match)]
        await self.here(3)
        assert "2 watching" in await lobby.next_frame()
        assert "2 watching" in (await in_thread(Client().get)("/")).content.decode()
        (line,) = (await in_thread(open_tables.load_lists)()).running
        assert line.spectators == 2
        for browser in (lobby, *spectators):
            await browser.disconnect()


def place_of(match: Match) -> str:
    return match_group(match.slug)


Sending = Callable[[str], Awaitable[None]]


def slow_sender(send: Sending, patience: asyncio.Event) -> Sending:
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
