"""Announcements that could not be sent are logged, and those of a process that stops are sent."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import pytest

from games.broadcast import announcements, database_threads, groups
from games.broadcast.database_threads import finish_work, in_database
from infrastructure.runtime import Runtime


async def test_lost_announcements_are_logged_without_the_addresses_of_their_tables(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        async def send_all(self, sent: list[Any]) -> None:
            raise ConnectionError(f"lost: {sent}")

    monkeypatch.setattr(announcements, "get_channel_layer", Broken)
    tables = [groups.match_group("dtxgq2kasrzv"), groups.match_group("zzzgq2kasrzv"), "lobby"]
    with caplog.at_level(logging.WARNING):
        await announcements._send([(group, {"type": "x"}) for group in tables])
    assert caplog.records[0].msg["groups"] == {"match": 2, "lobby": 1}  # type: ignore[index]  # structlog's event
    assert "gq2kasrzv" not in str(caplog.records[0].msg)


async def test_work_in_progress_is_announced_before_the_process_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[asyncio.AbstractEventLoop] = []
    is_working = threading.Event()

    class SlowLayer:
        async def send_all(self, _announcements: list[Any]) -> None:
            await asyncio.sleep(0.02)
            sent.append(asyncio.get_running_loop())

    def work() -> None:
        is_working.set()
        threading.Event().wait(0.05)
        announcements._publish([announcements.LOBBY_CHANGED])

    monkeypatch.setattr(announcements, "get_channel_layer", SlowLayer)
    Runtime.current.attach_loop()
    task = asyncio.create_task(in_database(work))
    await asyncio.to_thread(is_working.wait)
    task.cancel()
    await finish_work()
    assert sent == [asyncio.get_running_loop()]


async def test_stop_does_not_wait_long_for_hanging_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_threads, "FINISH_SECONDS", 0.05)
    may_end = threading.Event()
    work = [asyncio.create_task(in_database(may_end.wait, 20)) for _thread in range(database_threads.DATABASE_THREADS)]
    await asyncio.sleep(0.05)
    try:
        await asyncio.wait_for(finish_work(), 5)
        assert not may_end.is_set()
    finally:
        may_end.set()
        await asyncio.gather(*work)
