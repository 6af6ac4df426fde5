"""Worker processes for long computations. They import only the modules that a computation needs."""

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
DEFAULT_NICENESS = 5  # below the priority of pages
LOWEST_PRIORITY_NICENESS = 19  # for work that nobody waits for

JOIN_TIMEOUT_SECONDS = 5

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """A pool of processes that start with the first call and end with this process, even if it is killed.

    If one of them dies, all running calls are lost; the next call starts a new pool.
    """

    def __init__(self, processes: int, niceness: int = DEFAULT_NICENESS) -> None:
        self.processes, self.niceness = processes, niceness
        self.pool: ProcessPoolExecutor | None = None
        self.lock = threading.Lock()

    def submit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Start a call, or queue it for a free process."""
        with self.lock:
            try:
                return self._get_pool().submit(function, *args, **kwargs)
            except BrokenProcessPool:
                log.warning("workers_lost")
                self.pool = None
                return self._get_pool().submit(function, *args, **kwargs)

    def close(self) -> None:
        """Terminate the processes, whose work could take minutes, and cancel queued calls."""
        if self.pool is None:
            return
        worker_processes = list(self.pool._processes.values())
        manager: Any = self.pool._executor_manager_thread
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in worker_processes:
            process.terminate()
        if manager is not None:  # otherwise Python may write to pipes that this thread closes
            manager.join(JOIN_TIMEOUT_SECONDS)

    def _get_pool(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(
                self.processes,
                mp_context=get_context("spawn"),
                initializer=_initialize_worker,
                initargs=(self.niceness,),
            )
        return self.pool


def _initialize_worker(niceness: int) -> None:
    """Lower the priority, and end with the parent process."""
    os.nice(niceness)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(0)
