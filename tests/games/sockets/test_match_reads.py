"""One read of the database for all sockets that want the same at the same time."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from games.match import snapshots
from games.match.snapshots import Snapshot
from games.sockets import match_reads
from games.sockets.single_flight import SharedRead

OLD, NEW = cast(Snapshot, SimpleNamespace(name="old")), cast(Snapshot, SimpleNamespace(name="new"))


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A database whose first answer is older than what is asked for."""
    answers = [OLD, NEW]
    reads: list[int] = []

    async def in_database(_read: object, match_id: int) -> Snapshot:
        reads.append(match_id)
        await asyncio.sleep(0)
        return answers[len(reads) - 1]

    monkeypatch.setattr(match_reads, "in_database", in_database)
    monkeypatch.setattr(snapshots, "cached_snapshot", lambda _match_id, _revision: NEW if len(reads) == 2 else None)
    return reads


async def test_stale_read_is_repeated_once_for_all_waiters(database: list[int]) -> None:
    assert await asyncio.gather(*(match_reads.snapshot_at_least(7, 3) for _ in range(5))) == [NEW] * 5
    assert database == [7, 7]


async def test_new_waiter_uses_a_finished_read(database: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """A finished task returns at once: waiting for it in a loop stopped everything (seen under 256 sockets)."""
    done = asyncio.ensure_future(asyncio.sleep(0))
    await done
    match_reads._reads().snapshots.reads[7] = SharedRead(done, "")
    cached, calls = snapshots.cached_snapshot, []
    monkeypatch.setattr(
        snapshots, "cached_snapshot", lambda *of: calls.append(of) or (cached(*of) if len(calls) < 99 else OLD)
    )
    assert await match_reads.snapshot_at_least(7, 3) is NEW


async def test_announcement_without_a_commit_is_given_up(database: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "cached_snapshot", lambda _match_id, _revision: None)
    assert await asyncio.wait_for(match_reads.snapshot_at_least(7, 3), 1) is NEW
    assert database == [7, 7]
