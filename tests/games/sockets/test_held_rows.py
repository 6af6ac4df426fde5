"""Requests for a row that is locked in PostgreSQL are refused in time, and other matches go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from accounts.models import User
from games.broadcast.database_threads import DATABASE_THREADS, in_database
from games.errors import Refused
from games.match import match_rows
from games.models import Match, Message, Seat
from games.presence import leases
from games.services.moves import MoveRequest, MoveResult
from games.sockets.move_queue import move_queue
from infrastructure import outages
from tests.games import tables
from tests.games.socket_browser import in_thread

pytestmark = [
    pytest.mark.stack,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(settings.ON_SQLITE, reason="SQLite has no locks of rows"),
]
WAIT = 0.5


@pytest.fixture(autouse=True)
def short_wait() -> Iterator[None]:
    """Give up a lock after half a second, in every connection that is opened from now on."""
    database: Any = connection  # the wrapper for PostgreSQL
    options = database.settings_dict["OPTIONS"]
    before = options["options"]
    database.close_pool()
    options["options"] = f"{before} -c lock_timeout={WAIT * 1000:.0f}"
    yield
    database.close_pool()
    options["options"] = before


def address() -> dict[str, Any]:
    """Return the database's address, without the options of the site."""
    params = connection.get_connection_params()
    return {name: params[name] for name in ("dbname", "user", "password", "host", "port") if params.get(name)}


@contextmanager
def hold_rows(*matches: Match) -> Iterator[psycopg.Connection]:
    """Hold the rows of matches, as an operator does who left psql open in a transaction."""
    with psycopg.connect(**address()) as operator:
        operator.execute("SELECT 1 FROM games_match WHERE id = ANY(%s) FOR UPDATE", [[match.pk for match in matches]])
        yield operator
        operator.close()


def request_of(match: Match) -> MoveRequest:
    return MoveRequest(match.pk, match.version, tables.first_legal_move(match), tables.player_to_move(match).pk)


def test_every_connection_limits_how_long_it_waits_for_locks_and_in_transactions() -> None:
    with connection.cursor() as cursor:
        for name in ("lock_timeout", "idle_in_transaction_session_timeout"):
            cursor.execute(f"SHOW {name}")
            assert cursor.fetchone()[0] != "0"


async def test_move_at_a_locked_table_is_refused_in_time(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    request = await in_thread(request_of)(match)
    before = outages.OUTAGE_ERRORS.labels("database")._value.get()
    with hold_rows(match):
        for most in (WAIT + 2, 0.3):
            began = time.monotonic()
            answer = await move_queue().submit(request)
            assert isinstance(answer, Refused)
            assert answer.code == "unavailable"
            assert time.monotonic() - began < most
    assert outages.OUTAGE_ERRORS.labels("database")._value.get() > before
    match_rows._stuck_rows().until.clear()
    assert isinstance(await move_queue().submit(request), MoveResult)


async def test_locked_tables_do_not_block_other_tables(people: list[User]) -> None:
    matches = [await in_thread(tables.running_table)(people) for _ in range(DATABASE_THREADS + 3)]
    *stuck, free = [await in_thread(request_of)(match) for match in matches]
    queue = move_queue()
    with hold_rows(*matches[:-1]):
        waiting = [asyncio.create_task(queue.submit(request)) for request in stuck]
        refused = await asyncio.gather(*waiting)
        assert {answer.code for answer in refused if isinstance(answer, Refused)} == {"unavailable"}
        again = [asyncio.create_task(queue.submit(request)) for request in stuck]
        began = time.monotonic()
        assert isinstance(await queue.submit(free), MoveResult)
        assert time.monotonic() - began < WAIT
        await asyncio.gather(*again)


async def test_shared_transaction_does_not_wait_for_a_locked_table(people: list[User]) -> None:
    matches = [await in_thread(tables.running_table)(people) for _ in range(2)]
    requests = [await in_thread(request_of)(match) for match in matches]
    queue = move_queue()
    futures = [(request, asyncio.get_running_loop().create_future()) for request in requests]
    with hold_rows(matches[0]):
        commit = asyncio.create_task(queue._commit(futures))
        async with asyncio.timeout(WAIT):
            assert isinstance(await futures[1][1], MoveResult)
        assert isinstance(await futures[0][1], Refused)
        await commit


def test_sweep_skips_a_locked_table(people: list[User]) -> None:
    matches = [tables.running_table(people) for _ in range(2)]
    Seat.objects.update(last_seen=timezone.now() - timedelta(hours=1))
    with hold_rows(matches[0]):
        began = time.monotonic()
        leases.mark_away(now=timezone.now())
        assert time.monotonic() - began < WAIT
    assert [match.seats.filter(away=True).exists() for match in matches] == [False, True]


def test_other_chats_work_while_a_match_is_locked(people: list[User]) -> None:
    """Checking a foreign key waits for nobody who has locked the match."""
    match = tables.running_table(people)
    with transaction.atomic():
        match_rows.lock_rows([match.pk])
        with psycopg.connect(**address()) as other:
            other.execute("SET lock_timeout = '500ms'")
            other.execute("SELECT 1 FROM games_match WHERE id = %s FOR KEY SHARE", [match.pk])
    assert not Message.objects.exists()


def test_deadlock_is_counted_separately_from_outages(people: list[User], caplog: pytest.LogCaptureFixture) -> None:
    first, second = [tables.running_table(people) for _ in range(2)]
    outages.reset_logs()
    before = outages.DEADLOCKS._value.get(), outages.OUTAGE_ERRORS.labels("database")._value.get()
    with hold_rows(second) as other, pytest.raises(OperationalError) as caught:
        deadlock(first, second, other)
    assert outages.is_outage(caught.value)
    after = outages.DEADLOCKS._value.get(), outages.OUTAGE_ERRORS.labels("database")._value.get()
    assert (after[0] - before[0], after[1] - before[1]) == (1, 0)
    assert [record.msg["event"] for record in caplog.records if isinstance(record.msg, dict)] == ["deadlock"]


@transaction.atomic
def deadlock(first: Match, second: Match, other: psycopg.Connection) -> None:
    """Lock the first match, and then want the second, whose holder wants the first."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = 0; SET LOCAL deadlock_timeout = '100ms'")
    match_rows.lock_rows([first.pk])
    wait_in_background(other, first)
    match_rows.lock_rows([second.pk])


def wait_in_background(other: psycopg.Connection, match: Match) -> None:
    """Let the other connection wait for this match, without waiting for it."""
    other.pgconn.send_query(f"SELECT 1 FROM games_match WHERE id = {match.pk} FOR UPDATE".encode())


async def test_other_tables_continue_after_a_lock_timeout(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    with hold_rows(match):
        with pytest.raises(OperationalError):
            await in_database(match_rows.lock_rows, [match.pk])
        await in_database(Match.objects.count)
