"""Where the randomness of the tests comes from.

A run has one seed, and every test has its own, made from it and the test's name. So neither the order of the tests nor
the worker matters. The site has no setting that makes deals predictable: ``seed_site_modules`` replaces the sources of
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

RUN_SEED_VARIABLE = "TEST_SEED"  # the seed of the run
SEED_FILE_VARIABLE = "TEST_SEED_FILE"  # names the file that tells the sites of a worker which test is running
PROCESS_VARIABLE = (
    "TEST_SEED_PROCESS"  # tells apart the processes of one site: they share a database, so they must not repeat
)
MODULES_WITH_SECRETS = (
    "accounts.login.guests",
    "accounts.names.rules",
    "accounts.names.reserved",
    "games.models.match",
    "games.fair_dealing.dealing",
    "games.services.seating",
)
T = TypeVar("T")


def set_run_seed(seed: int | None) -> None:
    """Set the seed of this run: the given one, that of the environment, or a new one."""
    os.environ[RUN_SEED_VARIABLE] = str(
        seed if seed is not None else os.environ.get(RUN_SEED_VARIABLE) or secrets.randbelow(10**6)
    )


def run_seed() -> str:
    return os.environ.get(RUN_SEED_VARIABLE, "0")


def set_seed(seed: str) -> None:
    """Draw from this seed from now on, here and in the sites that this process started."""
    random_stream.cache_clear()
    random.seed(seed)
    if path := os.environ.get(SEED_FILE_VARIABLE):
        new = Path(f"{path}.new")
        new.write_text(seed)
        new.replace(path)


def is_site_process() -> bool:
    """Return whether this is a process of a site that a test started."""
    return PROCESS_VARIABLE in os.environ


def current_seed() -> str:
    """Return the seed of the test that is running."""
    path = os.environ.get(SEED_FILE_VARIABLE)
    return Path(path).read_text() if path and Path(path).exists() else run_seed()


@contextmanager
def temporary_seed(seed: str) -> Iterator[None]:
    """Draw from another seed for a while, for a fixture that several tests share."""
    before = current_seed()
    set_seed(seed)
    yield
    set_seed(before)


@cache
def random_stream(seed: str, process: str, purpose: str) -> Random:
    return Random(f"{seed} {process} {purpose}")


class SeededSource:
    """Takes the place of the modules ``secrets`` and ``random`` in a module of the site."""

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose

    @property
    def stream(self) -> Random:
        return random_stream(current_seed(), os.environ.get(PROCESS_VARIABLE, ""), self.purpose)

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


def seed_site_modules() -> None:
    """Make the matches, names and bots of this process follow from the seed. Needs the apps of Django."""
    from games import scheduler
    from games.services import turns

    for name in MODULES_WITH_SECRETS:
        setattr(import_module(name), "secrets", SeededSource(name))  # noqa: B010 - the site does not re-export it
    setattr(turns, "random", SeededSource("rhythm"))  # noqa: B010
    setattr(scheduler, "bot_seed", bot_move_seed)  # noqa: B010


def bot_move_seed(bot_turn: Any) -> int:
    """Return the seed of a bot's move, which depends on the position alone and not on what other tables do."""
    return Random(f"{run_seed()} {bot_turn.version} {bot_turn.view.seats[bot_turn.seat].hand}").getrandbits(32)
