"""A request closes what it opens without garbage collection, and sockets leave descriptors for the rest."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
from collections.abc import Iterator
from contextlib import suppress

import pytest
from channels.testing import HttpCommunicator
from django.conf import settings
from django.db import connection

from domino_site.asgi import application
from games.broadcast.database_threads import in_database
from games.management.commands.serve import raise_descriptor_limit
from games.models import Match
from tests.games import tables
from tests.wire import ServerConnection

AT_ONCE = 8
on_sqlite = pytest.mark.skipif(not settings.ON_SQLITE, reason="PostgreSQL's connections are kept in a pool")


@pytest.fixture
def no_search() -> Iterator[None]:
    """Search for no garbage: ``serve`` does so only once in thousands of requests."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def open_databases() -> int:
    """Return how many descriptors of this process lead to the database."""
    opened = []
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            opened.append(os.readlink(f"/proc/self/fd/{number}"))
    return sum(name.startswith(str(connection.settings_dict["NAME"])) for name in opened)


def played_out() -> Match:
    match = tables.running_table([tables.person("Ann"), tables.person("Bob")])
    tables.play_until(match, lambda _state: False)
    return match


async def get(path: str) -> int:
    page = HttpCommunicator(application, "GET", path, headers=[(b"host", b"localhost")])
    answer = await page.get_response(timeout=20)
    await page.wait(timeout=20)
    return answer["status"]


@on_sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/", "/healthz", "/match/{}/record/"])
@pytest.mark.usefixtures("no_search")
async def test_pages_leave_no_connection_open(path: str) -> None:
    match = await in_database(played_out)
    before = open_databases()
    for _ in range(3):
        answers = [get(path.format(match.slug)) for _ in range(AT_ONCE)]
        assert set(await asyncio.gather(*answers)) == {200}
    # SQLite keeps a file open for the next connection while another one of the process has it locked.
    assert open_databases() <= before + AT_ONCE


@on_sqlite
@pytest.mark.django_db(transaction=True)
async def test_writing_thread_keeps_its_connection() -> None:
    def database() -> int:
        with connection.cursor():
            return id(connection.connection)

    assert await in_database(database) == await in_database(database)


def test_server_raises_its_limit_of_open_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard) - 1, hard))
    try:
        raise_descriptor_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(("number", "served"), [(-1, True), (0, False)])
async def test_connections_leave_a_quarter_of_the_descriptors(number: int, served: bool) -> None:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    line = ServerConnection(descriptor=limit * 3 // 4 + number)
    assert line.closed is not served
    assert line.received.startswith(b"" if served else b"HTTP/1.1 503")
