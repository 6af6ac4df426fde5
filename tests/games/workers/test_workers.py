"""Background jobs share their places between addresses, and worker processes end with their parent."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest
from pytest_django import Settings

from games.errors import Refused
from games.workers import jobs
from games.workers.jobs import Jobs
from games.workers.pool import Workers
from infrastructure.limit_settings import places
from infrastructure.limits import TooFast


@pytest.fixture
def work() -> Jobs[str, Future[None]]:
    return Jobs("opinions", max_unfinished=2, max_cached=100)


def ask(work: Jobs[str, Future[None]], key: str, address: str) -> Future[None]:
    return work.get_or_start(key, Future, address=address)


def test_addresses_that_fill_all_places_leave_one_to_every_other(work: Jobs[str, Future[None]]) -> None:
    running = [ask(work, "a", "192.0.2.1"), ask(work, "b", "192.0.2.1")]
    with pytest.raises(Refused):
        ask(work, "c", "192.0.2.1")
    running.append(ask(work, "d", "192.0.2.2"))
    with pytest.raises(Refused):
        ask(work, "e", "192.0.2.2")
    for job in running[:2]:
        job.set_result(None)
    assert not ask(work, "e", "192.0.2.2").done()
    assert work.unfinished == {"192.0.2.2": 2}


def test_unfinished_work_of_all_addresses_is_bounded(
    work: Jobs[str, Future[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SHARED_CAPACITY_FACTOR", 2)
    for number in range(4):
        ask(work, str(number), f"192.0.2.{number}")
    with pytest.raises(Refused):
        ask(work, "late", "192.0.2.9")


def test_work_that_ends_at_once_leaves_its_place(work: Jobs[str, Future[None]]) -> None:
    def done() -> Future[None]:
        job: Future[None] = Future()
        job.set_result(None)
        return job

    for number in range(3):
        work.get_or_start(str(number), done, address="192.0.2.1")
    assert not work.unfinished


def test_address_with_too_many_of_its_own_is_told_to_wait(work: Jobs[str, Future[None]], settings: Settings) -> None:
    settings.PLACES = settings.PLACES | {"opinions": places("1 address")}
    ask(work, "a", "192.0.2.1")
    with pytest.raises(TooFast):
        ask(work, "b", "192.0.2.1")
    assert work.unfinished == {"192.0.2.1": 1}


def test_who_ends_waits_for_no_work() -> None:
    threads, workers = set(threading.enumerate()), Workers(1)
    running, *queued = (workers.submit(time.sleep, 60) for _ in range(4))
    while not running.running():
        time.sleep(0.01)
    began = time.monotonic()
    workers.close()
    assert set(threading.enumerate()) <= threads, "none is left that would close what Python still writes to"
    with pytest.raises(BrokenProcessPool):
        running.result()
    assert time.monotonic() - began < 30
    assert queued[-1].cancelled()


def test_who_began_no_work_has_nothing_to_end() -> None:
    Workers(1).close()
