"""A killed server loses no move that a player saw, and every match goes on. One that stops loses none at all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.players import Screen, Table, seed_matches
from benchmarks.records import PASS, move_after, read_records
from games.words import offered_variants
from tests.server import Server

TABLES = 2  # matches of each game
SECONDS = 3
GRACE_MS = 20_000
# Lets an hour pass for the clocks.
PASS_AN_HOUR_CODE = """
from datetime import timedelta
from django.db.models import F
from games.models import Match, SiteHeartbeat
HOUR = timedelta(hours=1)
def earlier(*names): return {name: F(name) - HOUR for name in names}
Match.objects.filter(due_kind="timeout").update(**earlier("due_at", "turn_started_at"))
SiteHeartbeat.objects.update(**earlier("web_at", "clock_at", "counted_until", "resumed_at"))
"""

pytestmark = pytest.mark.stack


def connected_tables(server: Server, seeded: Sequence[dict[str, Any]]) -> list[Table]:
    return [
        Table([Screen(server.url, table["slug"], session) for session in table["sessions"]], Random(table["slug"]))
        for table in seeded
    ]


async def play_until(end: Callable[[], None], tables: Sequence[Table]) -> None:
    """Play for some seconds, until ``end`` ends the server."""
    for table in tables:
        await table.open()
    playing = asyncio.gather(*(table.play(until=time.perf_counter() + 30) for table in tables))
    await asyncio.sleep(SECONDS)
    await asyncio.to_thread(end)
    await playing


async def play_one_move_each(tables: Sequence[Table]) -> list[int]:
    """Reconnect, and make one more move at every table. Return the deadlines of the players to move."""
    for table in tables:
        await table.open()
    deadlines = [mover.deadline for table in tables if (mover := table.screen_to_move()) and PASS not in mover.moves]
    await asyncio.gather(*map(make_next_move, tables))
    await asyncio.gather(*(table.close() for table in tables))
    return deadlines


async def make_next_move(table: Table) -> None:
    while table.is_running and not table.confirmed_moves:
        await table.make_move_or_confirm_ready()


def test_a_killed_server_has_lost_nothing_and_every_match_goes_on(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        seeded = seed_matches(server, tables=TABLES, variants=list(offered_variants()))
        before = connected_tables(server, seeded)
        asyncio.run(play_until(server.kill, before))
        assert not server.is_up()
        survivors = read_records(server, PASS_AN_HOUR_CODE)
        restarted_ms = time.time() * 1000
        server.start()
        after = connected_tables(server, seeded)
        deadlines = asyncio.run(play_one_move_each(after))
        assert server.errors() == []
    for table in before:
        record = survivors[table.slug]
        assert len(record) >= table.version
        assert table.confirmed_moves
        assert all(move_after(record, version) == move for version, move in table.confirmed_moves)
    assert all(table.confirmed_moves or table.is_over for table in after)
    assert sum(bool(table.confirmed_moves) for table in after) > len(after) // 2
    assert deadlines
    assert all(deadline > restarted_ms + GRACE_MS for deadline in deadlines)


def test_a_server_that_stops_keeps_all_confirmed_moves_and_asks_pages_to_reconnect(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        tables = connected_tables(server, seed_matches(server, tables=3 * TABLES))
        asyncio.run(play_until(server.stop, tables))
        survivors = read_records(server)
        assert server.errors() == []
        assert "outage" not in server.log()
    sockets = [screen.socket for table in tables for screen in table.screens]
    assert {socket and socket.close_code for socket in sockets} == {1012}
    for table in tables:
        assert table.confirmed_moves
        assert all(move_after(survivors[table.slug], version) == move for version, move in table.confirmed_moves)
