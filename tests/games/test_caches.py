"""The caches of matches, used by all threads of a process at once."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from accounts.models import User
from games.caches import MatchCache
from tests.games import tables
from tests.worlds import match_caches

THREADS, PUTS, SIZE = 8, 20_000, 3


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_lower_number_replaces_nothing() -> None:
    cache: MatchCache[str] = MatchCache(size=SIZE)
    cache.put(1, 2, "new")
    cache.put(1, 1, "old")
    assert cache.get_entry(1) == (2, "new")


def test_oldest_entry_is_dropped() -> None:
    cache: MatchCache[str] = MatchCache(size=2)
    for match_id in (1, 2, 1, 3):
        cache.put(match_id, 1, "")
    assert [cache.get_entry(match_id) for match_id in (1, 2, 3)] == [(1, ""), None, (1, "")]


@pytest.mark.usefixtures("hasty_threads")
def test_threads_put_at_the_same_time() -> None:
    cache: MatchCache[int] = MatchCache(size=SIZE)

    def put(first: int) -> None:
        for number in range(PUTS):
            cache.put(first * PUTS + number, 1, number)

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(put, range(THREADS)))
    assert len(cache.values) == SIZE


def test_leak_tests_empty_every_cache(client: Client, ann: User) -> None:
    assert client.get(f"/match/{tables.running_table([ann], bots=1).slug}/").status_code == 200
    gc.collect()
    alive = [cache for cache in gc.get_objects() if type(cache) is MatchCache]
    assert len(alive) == len(match_caches()) > 0
