"""Worker processes for long work. They import only what the work needs."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any, ParamSpec, TypeVar

import structlog

log = structlog.get_logger()
NICENESS, LEAST_URGENT = 5, 19
"""Pages come first; and what nobody waits for comes after everything that somebody waits for."""

END_SECONDS = 5

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """A pool of processes. They start with the first work, and end with this process, even if it is killed.

    If one of them dies, the work of all is lost; the next work starts new ones.
    """

    def __init__(self, processes: int, niceness: int = NICENESS) -> None:
        self.processes, self.niceness = processes, niceness
        self.pool: ProcessPoolExecutor | None = None
        self.lock = threading.Lock()

    def submit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Start work, or queue it for a free process."""
        with self.lock:
            try:
                return self._started().submit(function, *args, **kwargs)
            except BrokenProcessPool:
                log.warning("workers_lost")
                self.pool = None
                return self._started().submit(function, *args, **kwargs)

    def close(self) -> None:
        """End the processes at once, for the least urgent work may take minutes yet; queued work is cancelled."""
        if self.pool is None:
            return
        processes = list(self.pool._processes.values())
        manager: Any = self.pool._executor_manager_thread
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        if manager is not None:  # it closes what Python, when it ends meanwhile, would write to
            manager.join(END_SECONDS)

    def _started(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(
                self.processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(self.niceness,)
            )
        return self.pool


def _begin(niceness: int) -> None:
    """Lower the priority, and end with the parent process."""
    os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(0)
