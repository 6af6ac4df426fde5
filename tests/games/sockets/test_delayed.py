"""The sockets of spectators who see a match with a delay."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.lobby.socket import LOBBY_SECONDS
from games.match.disclosure import DELAY_SECONDS
from games.models import MatchEvent
from games.services import play
from tests.games import tables
from tests.games.socket_browser import Browser, in_thread, opened, watch
from tests.games.spectators.test_delayed import SHOWN

FACE_UP = 'class="face-up'


@pytest.mark.django_db(transaction=True)
class TestSockets:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(DELAY_SECONDS, "30", 0.6)

    @pytest.mark.stack
    async def test_a_move_arrives_when_it_falls_due(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="30")
        await asyncio.sleep(0.7)
        player, spectators = await watch(match, people[0]), [await watch(match), await watch(match)]
        version = (await in_thread(tables.make_first_move)(match)).version
        due = (await in_thread(MatchEvent.objects.get)(match=match, seq=version)).at + timedelta(seconds=0.6)
        assert f'name="v" value="{version}"' in await player.frame()
        for spectator in spectators:
            assert f'name="v" value="{version}"' in await spectator.frame()
            assert timezone.now() >= due
        for browser in (player, *spectators):
            await browser.disconnect()

    async def test_several_moves_fall_due_one_after_the_other(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="30")
        spectator = await watch(match)
        versions = [(await in_thread(tables.row_of)(match)).version]
        for _move in range(2):
            await asyncio.sleep(0.2)
            versions.append((await in_thread(tables.make_first_move)(match)).version)
        frames = [await spectator.frame() for _version in versions]
        assert [int(SHOWN.search(frame)[1]) for frame in frames] == versions
        await spectator.disconnect()

    async def test_the_end_is_shown_when_its_time_has_come(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="30")
        await asyncio.sleep(0.7)
        spectator = await watch(match)
        await in_thread(play.stop_match)(match_id=match.pk)
        assert await spectator.receive_nothing(timeout=0.2)
        assert 'data-status="stopped"' in await spectator.frame()
        await spectator.disconnect()

    async def test_open_hands_go_to_spectators_only(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="open")
        await in_thread(tables.play_round)(match)
        for user in people:
            await in_thread(play.mark_ready)(match_id=match.pk, user_id=user.pk)
        browsers = [await opened(match, user) for user in (people[0], None)]
        frames = [await browser.frame() for browser in browsers]
        assert [FACE_UP in frame for frame in frames] == [False, True]
        for browser in browsers:
            await browser.disconnect()

    async def test_hints_and_choices_are_as_late(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="30", variant="rytmino")
        await asyncio.sleep(0.7)
        spectator = await watch(match)
        await spectator.say(type="hint", hints="on")
        before = await spectator.frame()
        await in_thread(tables.make_first_move)(match)
        await spectator.say(type="hint")
        assert '<div id="hints"></div>' in await spectator.frame()
        await spectator.say(type="hint", hints="on")
        assert await spectator.frame() == before
        await spectator.disconnect()

    async def test_the_lobby_says_when_it_falls_due_what_spectators_see(
        self, people: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(DELAY_SECONDS, "30", 2.0)
        await in_thread(tables.running_table)(people, delay="30", clock="none")
        lobby = Browser("/ws/lobby/")
        await lobby.connect()
        assert "Round 1" not in await lobby.frame()
        assert "Round 1" in await lobby.frame()
        await lobby.disconnect()

    async def test_the_lobby_is_silent_when_a_match_ends_that_goes_on_for_spectators(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="120", clock="none")
        lobby = Browser("/ws/lobby/")
        await lobby.connect()
        await lobby.frame()
        await in_thread(play.stop_match)(match_id=match.pk)
        assert await lobby.receive_nothing(timeout=LOBBY_SECONDS + 0.3)
        await lobby.disconnect()
