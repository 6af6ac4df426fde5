"""``manage.py serve``: one process that serves, keeps time and lets bots play."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path

import pytest
import websockets
from websockets import Origin
from websockets.exceptions import InvalidStatus

from games.words import offered
from tests.server import MANAGE, Server, migrated_sqlite

pytestmark = pytest.mark.stack
OPEN_TABLES = """
from accounts.models import User
from games.models import Match, Seat
hosts = User.objects.bulk_create(User(username=f"host{n}", name=f"Host {n}") for n in range(60))
for host in hosts:
    match = Match.objects.create(variant="kozel", host=host)
    Seat.objects.create(match=match, index=0, user=host, name=host.name)
"""
RUNNING = "from games.models import Match; answer = [*Match.objects.values_list('variant', 'version')]"


def running(server: Server) -> list[tuple[str, int]]:
    """Return the game and the number of events of each match."""
    return [(variant, version) for variant, version in server.answer(RUNNING)]


def test_bots_play_to_be_watched_and_go_on_after_a_kill(tmp_path: Path) -> None:
    with Server(tmp_path / "site", "--demo", PACE="0.3") as server:
        begun = until_more_than(server, 15)
        server.kill()
        server.start()
        until_more_than(server, begun)
        assert [variant for variant, _version in sorted(running(server))] == list(offered())
    assert server.errors() == []


def until_more_than(server: Server, events: int) -> int:
    """Wait until the matches have more events than that."""
    deadline = time.monotonic() + 60
    while (now := sum(version for _variant, version in running(server))) <= events:
        assert time.monotonic() < deadline, server.log()
        time.sleep(0.5)
    return now


def test_an_address_in_use_is_an_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = Server(tmp_path)
        server.environment["DATABASE_URL"] = f"sqlite:///{migrated_sqlite()}"
        done = subprocess.run(
            [*MANAGE, "serve", "--port", str(taken.getsockname()[1]), "--no-clock"],
            env=server.environment,
            check=False,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 1
    assert "is something else there?" in done.stderr


async def test_sockets_are_open_to_own_pages_only_and_to_small_frames(tmp_path: Path) -> None:
    with Server(tmp_path / "site", "--no-clock") as server:
        address = f"ws://localhost:{server.port}/ws/lobby/"
        with pytest.raises(InvalidStatus, match="403"):
            await websockets.connect(address, origin=Origin("http://evil.example"))
        async with websockets.connect(address, origin=Origin(server.url)) as line:
            await line.send("x" * 8193)
            await line.wait_closed()
            assert line.close_code == 1009
    assert server.errors() == []


async def test_what_the_server_sends_may_be_larger_than_what_it_reads(tmp_path: Path) -> None:
    with Server(tmp_path / "site", "--no-clock") as server:
        server.answer(OPEN_TABLES)
        async with websockets.connect(f"ws://localhost:{server.port}/ws/lobby/", origin=Origin(server.url)) as line:
            assert len(await line.recv()) > 8192
            await line.send(["{" * 6000, "}" * 6000])
            assert "notice" in await line.recv()
    assert server.errors() == []
