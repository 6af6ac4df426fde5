"""During an outage of the database or Redis actions are refused, sockets stay open, and play resumes by itself."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, cast

import pytest
from channels.layers import get_channel_layer
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from redis.exceptions import ConnectionError as RedisConnectionError

from accounts.models import User
from games.broadcast import database_threads, groups, redis_layer
from games.broadcast.database_threads import in_database
from games.broadcast.redis_layer import LAYER_BACK, RedisLayer
from games.chat import posting
from games.errors import Refused
from games.models import Match, Message
from games.services.moves import MoveRequest
from games.sockets import consumer, match_reads, move_queue
from games.sockets.player import NOTHING_NEW
from infrastructure import outages
from tests.games import tables
from tests.games.socket_browser import Browser, connect_and_read_frame, connect_to_table, in_thread

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]
TOLD = "temporarily unavailable"


def events_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [cast(dict[str, Any], record.msg)["event"] for record in caplog.records]


class Outage:
    """``with Outage(monkeypatch) as outage`` no work of sockets reaches the database; ``met`` counts it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch, self.met = monkeypatch, 0

    def __enter__(self) -> Outage:
        async def away(*_arguments: object, **_options: object) -> None:
            self.met += 1
            raise OperationalError("the connection is closed")

        self.patch = self.monkeypatch.context()
        patch = self.patch.__enter__()
        sockets = [f"sockets.{module}" for module in ("table", "player", "match_reads", "move_queue")]
        for module in (*sockets, "lobby.socket"):
            patch.setattr(f"games.{module}.in_database", away)
        return self

    def __exit__(self, *exc: Any) -> None:
        self.patch.__exit__(*exc)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "RETRY_SECONDS", (0.02, 0.05))
    outages.reset_logs()


async def test_a_move_that_cannot_be_saved_is_answered_and_may_be_made_again(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browser = await connect_and_read_frame(match, mover)
    move = await in_thread(tables.first_legal_move)(match)
    version = (await in_thread(tables.locked_row)(match)).version
    with Outage(monkeypatch):
        await browser.send_message(type="move", move=move, v=version)
        assert TOLD in await browser.next_frame()
    await browser.send_message(type="move", move=move, v=version)
    assert f'name="v" value="{version + 1}"' in await browser.next_frame()


@pytest.mark.parametrize("act", [{"type": "chat", "text": "Hello"}, {"type": "ready"}, {"type": "seen"}])
async def test_actor_gets_an_error_and_stays_connected(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch, act: dict[str, str]
) -> None:
    browser = await connect_and_read_frame(match, people[0])
    with Outage(monkeypatch):
        await browser.send_message(**act)
        assert TOLD in await browser.next_frame()
    assert not await in_thread(Message.objects.exists)()
    await browser.send_message(type="seen")
    assert await browser.next_frame() == NOTHING_NEW


async def test_new_page_waits_for_the_database(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Outage(monkeypatch) as outage:
        browser = await connect_to_table(match, people[0])
        assert TOLD in await browser.next_frame()
        async with asyncio.timeout(20):
            while outage.met < 3:
                await asyncio.sleep(0.01)
    assert f'name="v" value="{match.version}"' in await browser.next_frame()


async def test_lobby_waits_for_the_database(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    with Outage(monkeypatch):
        browser = Browser("/ws/lobby/", people[0])
        assert (await browser.connect())[0]
        assert TOLD in await browser.next_frame()
    assert "open-tables" in await browser.next_frame()


async def test_missed_updates_are_shown_after_the_outage(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    browsers = [await connect_and_read_frame(match, user) for user in (*people, None)]
    with Outage(monkeypatch):
        await in_thread(posting.post_message)(match=match, user=people[0], text="Hello")
        for browser in browsers[:2]:
            assert TOLD in await browser.next_frame()
    for browser in browsers[:2]:
        assert "Hello" in await browser.next_frame()


async def test_a_move_whose_commit_was_not_confirmed_is_shown_to_everybody_soon(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    move = await in_thread(tables.first_legal_move)(match)
    pages = [await connect_and_read_frame(match, user) for user in people]
    commit = BaseDatabaseWrapper.commit
    lost: list[bool] = []

    def unconfirmed(connection: BaseDatabaseWrapper) -> None:
        commit(connection)  # the connection breaks after the database has committed, before it can say so
        if not lost:
            lost.append(True)
            raise OperationalError("the connection is closed")

    monkeypatch.setattr(BaseDatabaseWrapper, "commit", unconfirmed)
    await pages[people.index(mover)].send_message(type="move", v=match.version, move=move)
    for page in pages:
        async with asyncio.timeout(20):
            while f'name="v" value="{match.version + 1}"' not in await page.next_frame():
                pass
    assert lost


async def test_outage_is_logged_once_for_all_sockets(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    browsers = [await connect_and_read_frame(match, user) for user in (*people, None) * 4]
    with caplog.at_level(logging.WARNING), Outage(monkeypatch):
        for browser in browsers:
            await browser.send_message(type="seen")
            assert TOLD in await browser.next_frame()
    assert events_of(caplog) == ["outage"]


async def test_waiting_moves_fail_together_during_an_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue, batch_sizes = move_queue.MoveQueue(), []

    async def away(_work: object, requests: list[MoveRequest]) -> None:
        batch_sizes.append(len(requests))
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(move_queue, "in_database", away)
    queue.free_threads = 1
    answers = await asyncio.gather(*(queue.submit(MoveRequest(number, 1, "pass", 1)) for number in range(30)))
    assert {answer.code for answer in answers if isinstance(answer, Refused)} == {"unavailable"}
    assert all(isinstance(answer, Refused) for answer in answers)
    assert sum(batch_sizes) == 30
    assert len(batch_sizes) <= 2


async def test_failed_read_is_not_cached(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    with Outage(monkeypatch), pytest.raises(OperationalError):
        await match_reads.read_shared_spectator_chat(match.pk, "mark")
    assert (await match_reads.read_shared_spectator_chat(match.pk, "mark")).lines == ()


class TestRedis:
    """The layer where nobody answers at Redis' address."""

    @pytest.fixture
    def layer(self) -> RedisLayer:
        return RedisLayer(hosts=["unix:///nowhere/redis.sock"])

    async def test_own_announcements_arrive_without_redis(
        self, layer: RedisLayer, caplog: pytest.LogCaptureFixture
    ) -> None:
        name = await layer.new_channel()
        await layer.group_add("match.x", name)
        for number in range(3):
            await layer.group_send("match.x", {"n": number})
        assert [await asyncio.wait_for(layer.receive(name), 20) for _ in range(3)] == [
            {"n": number} for number in range(3)
        ]
        assert events_of(caplog) == ["outage"]
        await layer.flush()

    async def test_all_sockets_refresh_during_and_after_a_redis_outage(
        self, layer: RedisLayer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(redis_layer, "RETRY_SECONDS", 0.01)
        connection = layer.connection
        answers: list[Any] = [RedisConnectionError("away"), RedisConnectionError("away"), None]

        async def next_message() -> None:
            answer: Any = answers.pop(0) if answers else await asyncio.Event().wait()
            if answer:
                raise answer

        async def settled() -> None:
            return None

        monkeypatch.setattr(connection, "_next_message", next_message)
        monkeypatch.setattr(connection, "update_subscriptions", settled)
        monkeypatch.setattr(connection, "require_answer", settled)
        name = await layer.new_channel()
        await layer.group_add("match.x", name)
        work = asyncio.create_task(connection.receive())
        for _attempt in range(3):
            assert await asyncio.wait_for(layer.receive(name), 20) == LAYER_BACK
        work.cancel()


async def test_table_shows_missed_moves_after_a_layer_outage(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.broadcast import announcements as broadcast_announcements

    browser = await connect_and_read_frame(match, people[0])
    with monkeypatch.context() as patch:
        patch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
        await in_thread(posting.post_message)(match=match, user=people[1], text="Hello")
    await get_channel_layer().group_send(groups.user_group(people[0].pk), LAYER_BACK)
    assert "Hello" in await browser.next_frame()


async def test_work_fails_together_during_an_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thousand sockets that each waited five seconds would wait for an hour after it is back."""
    monkeypatch.setattr(database_threads, "FAILED_WAIT_SECONDS", 0.05)
    monkeypatch.setattr(database_threads, "BREAKER_OPEN_SECONDS", 0.3)
    tried = []

    def away() -> None:
        tried.append(1)
        time.sleep(0.1)
        raise OperationalError("couldn't get a connection after 5.00 sec")

    met = await asyncio.gather(*(in_database(away) for _ in range(200)), return_exceptions=True)
    assert {type(error) for error in met} == {OperationalError}
    assert len(tried) <= database_threads.DATABASE_THREADS * 2
    await asyncio.sleep(0.3)
    assert await in_database(Message.objects.count) == 0


async def test_immediate_failures_do_not_block_others() -> None:
    def deadlock() -> None:
        raise OperationalError("deadlock detected")

    with pytest.raises(OperationalError):
        await in_database(deadlock)
    assert await in_database(Message.objects.count) == 0
