"""The cores of a machine, shared out so that what is measured has one for itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Process
from typing import TypeVar

from benchmarks.floor import Floor
from tests.server import Server

Serving = TypeVar("Serving", Server, Floor)


@contextmanager
def awake() -> Iterator[None]:
    """Keep every core awake by a process that runs while nothing else wants to."""
    pacing = [Process(target=pace, args=(core,), daemon=True) for core in os.sched_getaffinity(0)]
    for process in pacing:
        process.start()
    try:
        yield
    finally:
        for process in pacing:
            process.kill()


def pace(core: int) -> None:
    os.sched_setaffinity(0, {core})
    give_way()
    while True:
        os.sched_yield()


def give_way() -> None:
    """Let this process run only while no other one wants to."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


@contextmanager
def alone(server: Serving) -> Iterator[Serving]:
    """Serve on a core of which everybody else who is started meanwhile keeps away."""
    cores = os.sched_getaffinity(0)
    first = min(cores)
    os.sched_setaffinity(0, {first})
    try:
        with server:
            os.sched_setaffinity(0, cores - {first} or cores)
            yield server
    finally:
        os.sched_setaffinity(0, cores)
