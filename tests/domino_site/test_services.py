"""The settings: what they promise about the machine's services."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import suppress
from itertools import pairwise

import pytest
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import connection
from django.test import Client, override_settings
from psycopg_pool import ConnectionPool

from accounts.models import User
from games.broadcast.database_threads import in_database

pytestmark = pytest.mark.stack


def test_the_database_answers() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 + 1")
        assert cursor.fetchone() == (2,)


@pytest.mark.skipif(settings.ON_SQLITE, reason="SQLite has no connections to lose")
@pytest.mark.django_db(transaction=True)
async def test_lost_connections_in_the_pool_are_replaced() -> None:
    def own_process(wait: float) -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid(), pg_sleep(%s)", [wait])
            return cursor.fetchone()[0]

    def hang_up_on(processes: set[int]) -> int:
        with connection.cursor() as cursor:
            ended = "SELECT count(pg_terminate_backend(pid)) FROM unnest(%s) AS pid WHERE pid <> pg_backend_pid()"
            cursor.execute(ended, [list(processes)])
            return cursor.fetchone()[0]

    processes = set(await asyncio.gather(*(in_database(own_process, 0.05) for _ in range(8))))
    assert await in_database(hang_up_on, processes) > 0
    assert await asyncio.gather(*(in_database(User.objects.count) for _ in range(8))) == [0] * 8


@pytest.mark.django_db
def test_pages_of_people_work_while_redis_is_away(client: Client) -> None:
    client.force_login(User.objects.create(username="ann", name="Ann"))
    unreachable = {
        name: {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://localhost:1"}
        for name in settings.CACHES
    }
    with override_settings(CACHES=unreachable):
        assert [client.get(page).status_code for page in ("/", "/accounts/settings/")] == [200, 200]


@pytest.mark.skipif(settings.ON_SQLITE, reason="SQLite is not connected to")
def test_database_is_retried_once_a_second() -> None:
    tried: list[float] = []
    with socket.create_server(("127.0.0.1", 0)) as nobody:

        def hang_up() -> None:
            with suppress(OSError):
                while True:
                    nobody.accept()[0].close()
                    tried.append(time.monotonic())

        threading.Thread(target=hang_up, daemon=True).start()
        options = settings.DATABASES["default"]["OPTIONS"]["pool"]
        address = f"host=127.0.0.1 port={nobody.getsockname()[1]} sslmode=disable gssencmode=disable"
        with ConnectionPool(address, open=True, **options):
            time.sleep(5)
        nobody.shutdown(socket.SHUT_RDWR)
    assert max(after - before for before, after in pairwise(tried)) < 1.5


async def test_channel_layer_delivers_to_a_group() -> None:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("here", channel)
    await layer.group_send("here", {"type": "note", "version": 3})
    assert await layer.receive(channel) == {"type": "note", "version": 3}
    await layer.group_discard("here", channel)
