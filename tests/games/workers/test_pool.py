"""Worker processes end at once with the process that began them."""

from __future__ import annotations

import threading
import time
from concurrent.futures.process import BrokenProcessPool

import pytest

from games.workers.pool import Workers


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
