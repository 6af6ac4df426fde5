"""The two stacks that benchmarks compare."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from scripts.with_services import start_postgres, start_redis

STACKS = {"sqlite": "SQLite, layer in the process", "services": "PostgreSQL, Redis"}


@contextmanager
def started(name: str) -> Iterator[None]:
    """Say which stack it is, and have every server that starts meanwhile use it, whatever the environment says."""
    print(STACKS[name], flush=True)
    for address in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(address, None)
    with ExitStack() as services:
        if name == "services":
            os.environ |= {"DATABASE_URL": start_postgres(services), "REDIS_URL": start_redis(services)}
        yield


def without_limits() -> None:
    """Let one machine play everybody, on every server that starts from here on."""
    rates = ("PAGES", "FORMS", "SOCKETS", "FRAMES", "TABLES", "OPINIONS", "IMPORTS", "CARDS")
    places = ("SOCKETS", "OPINIONS", "IMPORTS", "CARDS")
    os.environ |= {f"{name}_RATE": "" for name in rates} | {f"{name}_PLACES": "" for name in places}
