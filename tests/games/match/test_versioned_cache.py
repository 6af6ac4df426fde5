"""The memory of the newest values, used by all threads of a process at once."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from accounts.models import User
from games.match.versioned_cache import Newest
from tests.games import tables
from tests.worlds import memories

THREADS, PUTS, LIMIT = 8, 20_000, 3


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_it_never_goes_back_to_a_lower_number() -> None:
    memory: Newest[str] = Newest(limit=LIMIT)
    memory.put(1, 2, "new")
    memory.put(1, 1, "old")
    assert memory.get(1) == (2, "new")


def test_it_forgets_what_was_put_longest_ago() -> None:
    memory: Newest[str] = Newest(limit=2)
    for match_id in (1, 2, 1, 3):
        memory.put(match_id, 1, "")
    assert [memory.get(match_id) for match_id in (1, 2, 3)] == [(1, ""), None, (1, "")]


@pytest.mark.usefixtures("hasty_threads")
def test_many_threads_may_put_at_once() -> None:
    memory: Newest[int] = Newest(limit=LIMIT)

    def put(first: int) -> None:
        for number in range(PUTS):
            memory.put(first * PUTS + number, 1, number)

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(put, range(THREADS)))
    assert len(memory.values) == LIMIT


@pytest.mark.django_db
def test_where_leaks_are_looked_for_every_memory_is_emptied(client: Client, ann: User) -> None:
    assert client.get(f"/match/{tables.running_table([ann], bots=1).slug}/").status_code == 200
    gc.collect()
    alive = [each for each in gc.get_objects() if type(each) is Newest]
    assert len(alive) == len(memories()) > 0
