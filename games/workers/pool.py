"""Processes in which bots think. They import the players and the engine, nothing of the site."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process

NICENESS = 5


def thinkers(processes: int) -> ProcessPoolExecutor:
    """Return a pool that ends with this process, also if that is killed."""
    return ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_begin)


def _begin() -> None:
    """Give way to whoever waits for a page, and do not outlive the site."""
    os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(0)
