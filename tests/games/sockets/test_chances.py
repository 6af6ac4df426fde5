"""Spectators see the chances to win, estimated once for all of them. Players never do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import User
from games import bots
from games.match import snapshots
from games.models import Match
from games.sockets import chance_estimator
from games.sockets.chance_estimator import CpuBudget
from games.spectators import chances
from games.workers.pool import Workers
from tests.games import tables
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread, zone_names

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]

CHANCE = 'id="chance'


class Worker:
    """Estimates at once, in this process, and counts the estimates."""

    def __init__(self) -> None:
        self.estimates = 0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*arguments))
        self.estimates += len(arguments[0])
        return future


@pytest.fixture
def worker(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Worker:
    settings.CHANCES_CPU_PERCENT = 100
    worker = Worker()
    monkeypatch.setattr(chance_estimator, "chance_workers", lambda: worker)
    return worker


async def frames_of(*browsers: Browser, silence: float = 0.3) -> list[str]:
    """Return everything that browsers received until nothing has come for some seconds."""
    texts = []
    for browser in browsers:
        frames = []
        while not await browser.receive_nothing(timeout=silence, interval=0.05):
            frames.append(await browser.next_frame())
        texts.append("".join(frames))
    return texts


async def next_chances(browser: Browser) -> str:
    """Return the next frame that brings nothing but new chances."""
    while zone_names(frame := await browser.next_frame()) != {"chance0", "chance1"}:
        pass
    return frame


async def wait_until(is_reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_reached():
            await asyncio.sleep(0.01)


async def test_an_estimate_is_made_once_for_all_spectators(match: Match, worker: Worker) -> None:
    spectators = [await connect_and_read_frame(match, language=language) for language in ("en", "hu", "en")]
    await in_thread(tables.make_first_move)(match)
    for spectator in spectators:
        assert CHANCE in await next_chances(spectator)
    await frames_of(*spectators)
    assert worker.estimates == 1
    for spectator in spectators:
        await spectator.disconnect()


async def test_new_chances_come_without_the_table(
    match: Match, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    spectator = await connect_and_read_frame(match)
    monkeypatch.setattr(bots, "estimate_chances", lambda *_arguments: [0.8, 0.2])
    await in_thread(tables.make_first_move)(match)
    move, new_chances = await spectator.next_frame(), await spectator.next_frame()
    assert "board" in zone_names(move)
    assert zone_names(new_chances) == {"chance0", "chance1"}
    assert "80%" in new_chances
    await spectator.disconnect()


async def test_players_and_people_at_their_address_receive_no_chances(
    match: Match, people: list[User], worker: Worker
) -> None:
    player = await connect_and_read_frame(match, people[0], client=("192.0.2.1", 1))
    other_tab = await connect_and_read_frame(match, people[0], client=("192.0.2.2", 1))
    logged_out = await connect_and_read_frame(match, client=("192.0.2.1", 2))
    spectator = await connect_and_read_frame(match, client=("192.0.2.3", 1))
    await in_thread(tables.make_first_move)(match)
    assert CHANCE in await next_chances(spectator)
    assert [CHANCE in text for text in await frames_of(player, other_tab, logged_out)] == [False] * 3
    await player.disconnect()
    await in_thread(tables.make_first_move)(match)
    await next_chances(spectator)
    assert CHANCE not in (await frames_of(logged_out))[0]
    for browser in (other_tab, logged_out, spectator):
        await browser.disconnect()


async def test_a_player_in_the_lobby_receives_no_chances_of_the_featured_match(worker: Worker) -> None:
    ann, bob = [await in_thread(tables.person)(name) for name in ("Ann", "Bob")]
    lobby = [Browser("/ws/lobby/", user) for user in (ann, None)]
    for browser in lobby:
        await browser.connect()
    match = await in_thread(tables.running_table)([ann, bob])
    shows_match = f'href="/match/{match.slug}/">Live'
    for browser in lobby:
        while shows_match not in await browser.next_frame():
            pass
    hidden = visible = ""
    async with asyncio.timeout(60):
        while shows_match not in hidden or "%</span>" not in visible:  # a browser that is busy misses a board
            await in_thread(tables.make_first_move)(match)
            new = await frames_of(*lobby, silence=1.2)
            hidden, visible = hidden + new[0], visible + new[1]
    assert "%</span>" not in hidden
    for browser in lobby:
        await browser.disconnect()


async def test_nothing_is_estimated_without_spectators(match: Match, people: list[User], worker: Worker) -> None:
    player = await connect_and_read_frame(match, people[0])
    await in_thread(tables.make_first_move)(match)
    await frames_of(player)
    assert worker.estimates == 0
    await player.disconnect()


async def test_only_the_newest_version_waits_for_the_budget(
    match: Match, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_available = False
    monkeypatch.setattr(CpuBudget, "is_available", lambda _budget: is_available)
    monkeypatch.setattr(chance_estimator, "WAIT_SECONDS", 0.01)
    spectator = await connect_and_read_frame(match)
    for _move in range(3):
        await in_thread(tables.make_first_move)(match)
        assert CHANCE in (await frames_of(spectator))[0] or worker.estimates == 0
    is_available = True
    await wait_until(lambda: worker.estimates > 0)
    snapshot = await in_thread(snapshots.current_snapshot)(match.pk)
    assert worker.estimates == 1
    assert not chances.needs_estimate(snapshot)
    await spectator.disconnect()


async def test_a_failed_estimate_is_not_fatal(
    match: Match, worker: Worker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    spectator = await connect_and_read_frame(match)
    with monkeypatch.context() as broken:
        broken.setattr(worker, "submit", lambda *_arguments: 1 / 0)
        await in_thread(tables.make_first_move)(match)
        await wait_until(lambda: "chances_failed" in caplog.text)
        await frames_of(spectator)
    await in_thread(tables.make_first_move)(match)
    await wait_until(lambda: worker.estimates > 0)
    await frames_of(spectator)
    assert worker.estimates == 1
    caplog.clear()
    await spectator.disconnect()


def test_budget_grows_with_the_cpu_time_of_the_process(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CHANCES_CPU_PERCENT = 10
    clock = {"monotonic": 0.0, "process_time": 0.0}
    monkeypatch.setattr(time, "monotonic", lambda: clock["monotonic"])
    monkeypatch.setattr(time, "process_time", lambda: clock["process_time"])
    budget = CpuBudget()
    budget.spend(chance_estimator.MAX_CREDIT_SECONDS + 0.1)
    clock["process_time"] = 0.9
    assert not budget.is_available()
    clock["process_time"] = 1.1
    assert budget.is_available()
    clock["monotonic"] = 1e6
    assert budget.is_available()
    assert budget.credit == chance_estimator.MAX_CREDIT_SECONDS


@pytest.mark.stack
async def test_worker_estimates_in_a_process_of_its_own(match: Match, settings: Settings) -> None:
    settings.CHANCES_CPU_PERCENT = 5
    snapshot = await in_thread(snapshots.current_snapshot)(match.pk)
    position, seed = chance_estimator.visible_position(snapshot), chance_estimator.estimate_seed(snapshot)
    workers = Workers(1)
    job = workers.submit(bots.estimate_chances_timed, [position], [seed], 6)
    estimates, seconds = await asyncio.wrap_future(job)
    workers.close()
    assert estimates == [tuple(bots.estimate_chances(position, 6, seed))]
    assert 0 < seconds < 5
