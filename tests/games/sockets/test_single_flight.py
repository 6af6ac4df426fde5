"""One read for all who want the same at the same time."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from games.sockets.single_flight import MAX_READS, SingleFlight


class Database:
    """Answers with the number of the read, after a moment; fails as long as it is ``away``."""

    def __init__(self) -> None:
        self.numbers, self.away = count(1), False

    async def read(self) -> int:
        number, away = next(self.numbers), self.away
        await asyncio.sleep(0)
        if away:
            raise ConnectionError
        return number


@pytest.fixture
def database() -> Database:
    return Database()


@pytest.fixture
def flights() -> SingleFlight[str, int]:
    return SingleFlight()


async def test_concurrent_readers_share_a_read(database: Database, flights: SingleFlight[str, int]) -> None:
    assert await asyncio.gather(*(flights.join("a", database.read) for _ in range(3))) == [1, 1, 1]
    assert await flights.join("a", database.read) == 2
    assert [*await asyncio.gather(flights.join("a", database.read), flights.join("b", database.read))] == [3, 4]
    assert flights.reads == {}


async def test_fresh_read_begins_after_the_request_and_is_shared(
    database: Database, flights: SingleFlight[str, int]
) -> None:
    running = asyncio.create_task(flights.join("a", database.read))
    await asyncio.sleep(0)
    assert await asyncio.gather(*(flights.read_fresh("a", database.read) for _ in range(3))) == [2, 2, 2]
    assert await running == 1


async def test_readers_with_the_same_token_share_a_read(database: Database, flights: SingleFlight[str, int]) -> None:
    assert [await flights.join("a", database.read, token) for token in ("x", "x", "y", "y", "x")] == [1, 1, 2, 2, 3]


async def test_failed_read_is_not_reused(database: Database, flights: SingleFlight[str, int]) -> None:
    database.away = True
    with pytest.raises(ConnectionError):
        await flights.join("a", database.read, "x")
    database.away = False
    assert await flights.join("a", database.read, "x") == 2


async def test_first_reader_can_be_cancelled(database: Database, flights: SingleFlight[str, int]) -> None:
    first = asyncio.create_task(flights.join("a", database.read))
    second = asyncio.create_task(flights.join("a", database.read))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == 1


async def test_closed_read_is_not_joined(database: Database, flights: SingleFlight[str, int]) -> None:
    first = asyncio.create_task(flights.join("a", database.read))
    await asyncio.sleep(0)
    flights.stop_sharing("a")
    assert [*await asyncio.gather(first, flights.join("a", database.read))] == [1, 2]


async def test_oldest_read_is_dropped(database: Database, flights: SingleFlight[str, int]) -> None:
    for number in range(MAX_READS + 5):
        await flights.join(str(number), database.read, "x")
    assert len(flights.reads) == MAX_READS
