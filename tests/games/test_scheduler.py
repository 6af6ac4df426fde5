"""The scheduler: bots answer, periodic tasks run, and a failure stops nothing."""

from __future__ import annotations

import asyncio
import logging
import operator
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session

from games import bots, scheduler
from games.broadcast.database_threads import in_database
from games.engine.view import View
from games.fair_dealing import dealing
from games.models import Match
from games.services.due_events import BotTurn
from tests.games import tables

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def task_scheduler(request: pytest.FixtureRequest) -> AsyncIterator[scheduler.Scheduler]:
    task_scheduler = scheduler.Scheduler()
    yield task_scheduler
    task_scheduler.workers.close()


def make_due(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(due_at=datetime.now(UTC) - timedelta(seconds=1))


async def wait_for_bots(task_scheduler: scheduler.Scheduler) -> None:
    async with asyncio.timeout(20):
        while task_scheduler.bot_tasks:
            await asyncio.gather(*task_scheduler.bot_tasks)


@pytest.mark.stack
async def test_a_bot_moves_when_it_is_due(task_scheduler: scheduler.Scheduler) -> None:
    match = await in_database(tables.running_table, [], bots=2)
    await task_scheduler.tick()
    await wait_for_bots(task_scheduler)
    assert (await in_database(tables.locked_row, match)).version == match.version
    await in_database(make_due, match)
    await task_scheduler.tick()
    await wait_for_bots(task_scheduler)
    assert (await in_database(tables.locked_row, match)).version == match.version + 1


@pytest.mark.stack
async def test_two_schedulers_make_one_move(task_scheduler: scheduler.Scheduler) -> None:
    other = scheduler.Scheduler()
    other.workers = task_scheduler.workers
    match = await in_database(tables.running_table, [], bots=2)
    await in_database(make_due, match)
    await asyncio.gather(task_scheduler.tick(), other.tick())
    await wait_for_bots(task_scheduler)
    await wait_for_bots(other)
    assert (await in_database(tables.locked_row, match)).version == match.version + 1


async def test_a_bot_that_fails_plays_the_first_legal_move_and_the_failure_is_logged(
    task_scheduler: scheduler.Scheduler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(
        bots, "choose_move", operator.truediv
    )  # choose_move(view, seed) becomes view / seed, which raises TypeError
    match = await in_database(tables.running_table, [], bots=2)
    await in_database(make_due, match)
    await task_scheduler.tick()
    await wait_for_bots(task_scheduler)
    assert (await in_database(tables.locked_row, match)).version == match.version + 1
    assert "bot_failed" in caplog.text


async def test_a_bot_that_fails_on_a_board_is_asked_again_after_its_lease(
    task_scheduler: scheduler.Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    def fail_once(view: View, _level: str, seed: int) -> str:
        seeds.append(seed)
        if len(seeds) == 1:
            raise TypeError
        return view.rules.move_text(view.legal[-1])

    monkeypatch.setattr(task_scheduler.workers, "submit", run_at_once)
    monkeypatch.setattr(bots, "choose_move", fail_once)
    monkeypatch.setattr(dealing, "board_bot_seed", lambda _row, _state: 7)
    match = await in_database(tables.running_table, [], bots=2)
    for moves in range(2):
        await in_database(make_due, match)
        await task_scheduler.tick()
        await wait_for_bots(task_scheduler)
        assert (await in_database(tables.locked_row, match)).version == match.version + moves
    assert seeds == [7, 7]


def run_at_once(function: Callable[..., str], *arguments: object) -> Future[str]:
    future: Future[str] = Future()
    try:
        future.set_result(function(*arguments))
    except TypeError as error:
        future.set_exception(error)
    return future


def think_long(*_args: object) -> None:
    time.sleep(60)


async def stop_while_a_bot_chooses(match: Match) -> None:
    await in_database(make_due, match)
    task_scheduler = scheduler.Scheduler()
    running = asyncio.create_task(task_scheduler.run())
    async with asyncio.timeout(20):
        while not task_scheduler.bot_tasks:
            await asyncio.sleep(0.01)
        bot_tasks = list(task_scheduler.bot_tasks)
        running.cancel()
        await asyncio.wait([running, *bot_tasks])


async def test_stop_finishes_the_moves_of_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    match = await in_database(tables.running_table, [], bots=2)
    move = await in_database(tables.first_legal_move, match)

    async def choose_slowly(_scheduler: scheduler.Scheduler, _turn: BotTurn) -> str:
        await asyncio.sleep(0.1)
        return move

    monkeypatch.setattr(scheduler.Scheduler, "choose_move", choose_slowly)
    await stop_while_a_bot_chooses(match)
    assert (await in_database(tables.locked_row, match)).version == match.version + 1


async def test_stop_does_not_wait_long_for_bots(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scheduler, "BOTS_FINISH_SECONDS", 0.1)
    monkeypatch.setattr(bots, "choose_move", think_long)
    monkeypatch.setattr(scheduler, "BOT_TIMEOUT_SECONDS", 60)
    match = await in_database(tables.running_table, [], bots=2)
    await stop_while_a_bot_chooses(match)
    assert (await in_database(tables.locked_row, match)).version == match.version
    assert "bot_failed" not in caplog.text


async def test_lost_workers_are_replaced(task_scheduler: scheduler.Scheduler) -> None:
    match = await in_database(tables.running_table, [], bots=2)
    for _ in range(2):
        await in_database(make_due, match)
        if task_scheduler.workers.pool:
            for process in task_scheduler.workers.pool._processes.values():
                process.kill()
        await task_scheduler.tick()
        await wait_for_bots(task_scheduler)
    assert (await in_database(tables.locked_row, match)).version >= match.version + 2


async def test_periodic_tasks_run_at_their_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    task_scheduler = scheduler.Scheduler(
        (0.0, lambda now: done.append("often")), (1000.0, lambda now: done.append("once"))
    )
    for _ in range(3):
        await task_scheduler.tick()
    assert sorted(done) == ["often", "often", "often", "once"]


@pytest.mark.stack
async def test_sessions_that_ran_out_are_deleted_once_a_day(task_scheduler: scheduler.Scheduler) -> None:
    for key, days in (("gone", -1), ("kept", 1)):
        await Session.objects.acreate(session_key=key, expire_date=datetime.now(UTC) + timedelta(days=days))
    await task_scheduler.tick()
    while task_scheduler.daily_work:
        await task_scheduler.tick()
    assert [session.session_key async for session in Session.objects.all()] == ["kept"]
    await Session.objects.aupdate(expire_date=datetime.now(UTC))
    await task_scheduler.tick()
    assert not task_scheduler.daily_work
    assert await Session.objects.acount() == 1


async def test_a_failing_tick_does_not_end_the_scheduler(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scheduler, "POLL_SECONDS", 0.01)
    calls = []

    def fragile(now: datetime) -> None:
        calls.append(1)
        if len(calls) == 1:
            raise RuntimeError("planted")

    task = asyncio.ensure_future(scheduler.Scheduler((0.0, fragile)).run())
    async with asyncio.timeout(10):
        while len(calls) < 3:
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    with caplog.at_level(logging.ERROR):
        assert "tick_failed" in caplog.text
