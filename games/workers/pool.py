"""Processes beside the site for long work. They import what the work needs, nothing of the site."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import ParamSpec, TypeVar

import structlog

log = structlog.get_logger()
NICENESS = 5

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """So many processes. They start with the first work, and end with this process, also if that is killed.

    If one of them is lost, so is the work of all; new ones take their place with the next work.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.pool: ProcessPoolExecutor | None = None
        self.lock = threading.Lock()

    def submit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Begin work, or let it wait for a free process."""
        with self.lock:
            try:
                return self._started().submit(function, *args, **kwargs)
            except BrokenProcessPool:
                log.warning("workers_lost")
                self.pool = None
                return self._started().submit(function, *args, **kwargs)

    def close(self) -> None:
        """End the processes when they have done what they do; what still waits is not done."""
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.processes, mp_context=get_context("spawn"), initializer=_begin)
        return self.pool


def _begin() -> None:
    """Leave the processor to those who wait for a page, and do not outlive the site."""
    os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(0)
