"""The sockets of spectators who see a match with a delay."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.lobby.socket import LobbySocket
from games.match.disclosure import DELAY_SECONDS
from games.models import MatchEvent
from games.services import play
from tests.games import tables
from tests.games.socket_browser import Browser, connect_and_read_frame, connect_to_table, in_thread
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
        player, spectators = (
            await connect_and_read_frame(match, people[0]),
            [await connect_and_read_frame(match), await connect_and_read_frame(match)],
        )
        version = (await in_thread(tables.make_first_move)(match)).version
        due = (await in_thread(MatchEvent.objects.get)(match=match, seq=version)).at + timedelta(seconds=0.6)
        assert f'name="v" value="{version}"' in await player.next_frame()
        for spectator in spectators:
            assert f'name="v" value="{version}"' in await spectator.next_frame()
            assert timezone.now() >= due
        for browser in (player, *spectators):
            await browser.disconnect()

    async def test_several_moves_fall_due_one_after_the_other(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="30")
        spectator = await connect_and_read_frame(match)
        versions = [(await in_thread(tables.locked_row)(match)).version]
        for _move in range(2):
            await asyncio.sleep(0.2)
            versions.append((await in_thread(tables.make_first_move)(match)).version)
        frames = [await spectator.next_frame() for _version in versions]
        assert [int(SHOWN.search(frame)[1]) for frame in frames] == versions
        await spectator.disconnect()

    async def test_end_is_shown_when_due(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="30")
        await asyncio.sleep(0.7)
        spectator = await connect_and_read_frame(match)
        await in_thread(play.stop_match)(match_id=match.pk)
        assert await spectator.receive_nothing(timeout=0.2)
        assert 'data-status="stopped"' in await spectator.next_frame()
        await spectator.disconnect()

    async def test_open_hands_go_to_spectators_only(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="open")
        await in_thread(tables.play_round)(match)
        for user in people:
            await in_thread(play.mark_ready)(match_id=match.pk, user_id=user.pk)
        browsers = [await connect_to_table(match, user) for user in (people[0], None)]
        frames = [await browser.next_frame() for browser in browsers]
        assert [FACE_UP in frame for frame in frames] == [False, True]
        for browser in browsers:
            await browser.disconnect()

    async def test_hints_and_choices_are_delayed_too(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="30", variant="rytmino")
        await asyncio.sleep(0.7)
        spectator = await connect_and_read_frame(match)
        await spectator.send_message(type="hint", hints="on")
        before = await spectator.next_frame()
        await in_thread(tables.make_first_move)(match)
        await spectator.send_message(type="hint")
        assert '<div id="hints"></div>' in await spectator.next_frame()
        await spectator.send_message(type="hint", hints="on")
        assert await spectator.next_frame() == before
        await spectator.disconnect()

    async def test_lobby_shows_delayed_scores_when_due(
        self, people: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(DELAY_SECONDS, "30", 2.0)
        await in_thread(tables.running_table)(people, delay="30", clock="none")
        lobby = Browser("/ws/lobby/")
        await lobby.connect()
        assert "Round 1" not in await lobby.next_frame()
        assert "Round 1" in await lobby.next_frame()
        await lobby.disconnect()

    async def test_lobby_does_not_reveal_an_undisclosed_end(self, people: list[User]) -> None:
        match = await in_thread(tables.running_table)(people, delay="120", clock="none")
        lobby = Browser("/ws/lobby/")
        await lobby.connect()
        await lobby.next_frame()
        await in_thread(play.stop_match)(match_id=match.pk)
        assert await lobby.receive_nothing(timeout=LobbySocket.update_interval_seconds + 0.3)
        await lobby.disconnect()
