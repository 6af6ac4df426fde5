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
from games.workers.processor_time import within_processor_time
from infrastructure.limit_settings import parse_place_limits
from infrastructure.limits import LimitExceeded


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


def test_finished_job_frees_its_place(work: Jobs[str, Future[None]]) -> None:
    def done() -> Future[None]:
        job: Future[None] = Future()
        job.set_result(None)
        return job

    for number in range(3):
        work.get_or_start(str(number), done, address="192.0.2.1")
    assert not work.unfinished


def test_address_with_too_many_of_its_own_is_told_to_wait(work: Jobs[str, Future[None]], settings: Settings) -> None:
    settings.PLACES = settings.PLACES | {"opinions": parse_place_limits("1 address")}
    ask(work, "a", "192.0.2.1")
    with pytest.raises(LimitExceeded):
        ask(work, "b", "192.0.2.1")
    assert work.unfinished == {"192.0.2.1": 1}


def test_stop_does_not_wait_for_jobs() -> None:
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


def test_call_that_uses_up_its_processor_time_ends_and_frees_its_process() -> None:
    workers = Workers(1)
    try:
        waiting = workers.submit(within_processor_time, 0.3, time.sleep, 0.6)
        endless = workers.submit(within_processor_time, 0.3, exec, "while True: pass")
        after = workers.submit(abs, -1)
        assert waiting.result(60) is None
        assert isinstance(endless.exception(60), TimeoutError)
        assert after.result(60) == 1
    finally:
        workers.close()


def test_unused_workers_stop_without_starting() -> None:
    Workers(1).close()
