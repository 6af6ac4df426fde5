"""Where the randomness of the tests comes from.

A run has one seed, and every test has its own, made from it and the test's name. So neither the order of the tests nor
the worker matters. The site has no setting that makes deals predictable: ``install`` replaces the sources of
randomness of its modules, in the test process and in the sites that tests start (``tests/seeded_manage.py``).
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator, MutableSequence, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, TypeVar

RUN = "TEST_SEED"  # the seed of the run
CURRENT_FILE = "TEST_SEED_FILE"  # names the file that tells the sites of a worker which test is running
PROCESS = "TEST_SEED_PROCESS"  # tells apart the processes of one site: they share a database, so they must not repeat
SECRETS_USERS = (
    "accounts.login.guests",
    "accounts.names.rules",
    "accounts.names.reserved",
    "games.models.match",
    "games.fair_dealing.dealing",
    "games.services.seating",
)
T = TypeVar("T")


def begin_run(seed: int | None) -> None:
    """Set the seed of this run: the given one, that of the environment, or a new one."""
    os.environ[RUN] = str(seed if seed is not None else os.environ.get(RUN) or secrets.randbelow(10**6))


def run_seed() -> str:
    return os.environ.get(RUN, "0")


def begin(seed: str) -> None:
    """Draw from this seed from now on, here and in the sites that this process started."""
    stream_of.cache_clear()
    random.seed(seed)
    if path := os.environ.get(CURRENT_FILE):
        new = Path(f"{path}.new")
        new.write_text(seed)
        new.replace(path)


def is_site() -> bool:
    """Return whether this is a process of a site that a test started."""
    return PROCESS in os.environ


def current() -> str:
    """Return the seed of the test that is running."""
    path = os.environ.get(CURRENT_FILE)
    return Path(path).read_text() if path and Path(path).exists() else run_seed()


@contextmanager
def using(seed: str) -> Iterator[None]:
    """Draw from another seed for a while, for a fixture that several tests share."""
    before = current()
    begin(seed)
    yield
    begin(before)


@cache
def stream_of(seed: str, process: str, purpose: str) -> Random:
    return Random(f"{seed} {process} {purpose}")


class Source:
    """Takes the place of the modules ``secrets`` and ``random`` in a module of the site."""

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose

    @property
    def stream(self) -> Random:
        return stream_of(current(), os.environ.get(PROCESS, ""), self.purpose)

    def choice(self, options: Sequence[T]) -> T:
        return self.stream.choice(options)

    def choices(self, options: Sequence[T], count: int) -> list[T]:
        return self.stream.choices(options, k=count)

    def shuffle(self, options: MutableSequence[Any]) -> None:
        self.stream.shuffle(options)

    def randbelow(self, end: int) -> int:
        return self.stream.randrange(end)

    def token_hex(self, count: int = 32) -> str:
        return self.stream.randbytes(count).hex()

    def uniform(self, low: float, high: float) -> float:
        return self.stream.uniform(low, high)


def install() -> None:
    """Make the matches, names and bots of this process follow from the seed. Needs the apps of Django."""
    from games import scheduler
    from games.services import turns

    for name in SECRETS_USERS:
        setattr(import_module(name), "secrets", Source(name))  # noqa: B010 - the site does not re-export it
    setattr(turns, "random", Source("rhythm"))  # noqa: B010
    setattr(scheduler, "seed_of", seed_of_move)  # noqa: B010


def seed_of_move(bot_turn: Any) -> int:
    """Return the seed of a bot's move, which depends on the position alone and not on what other tables do."""
    return Random(f"{run_seed()} {bot_turn.version} {bot_turn.view.seats[bot_turn.seat].hand}").getrandbits(32)
