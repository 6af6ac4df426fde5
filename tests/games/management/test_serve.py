"""``manage.py serve``: one process that serves, keeps time and lets bots play."""

from __future__ import annotations

import resource
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import websockets
from websockets import Origin
from websockets.exceptions import InvalidStatus

from games.words import offered_variants
from tests.databases import migrated_sqlite
from tests.programs import MANAGE_COMMAND
from tests.server import Server

OPEN_TABLES = """
from accounts.models import User
from games.models import Match, Seat
hosts = User.objects.bulk_create(User(username=f"host{n}", name=f"Host {n}") for n in range(60))
for host in hosts:
    match = Match.objects.create(variant="kozel", host=host)
    Seat.objects.create(match=match, index=0, user=host, name=host.name)
"""
FEW_FILES = ("sh", "-c", 'ulimit -Sn 500 && exec "$@"', "sh")
RUNNING = "from games.models import Match; answer = [*Match.objects.values_list('variant', 'version')]"


def running(server: Server) -> list[tuple[str, int]]:
    """Return the game and the number of events of each match."""
    return [(variant, version) for variant, version in server.run_code(RUNNING)]


@pytest.mark.stack
def test_demo_matches_continue_after_a_kill(tmp_path: Path) -> None:
    with Server(tmp_path / "site", "--demo", PACE="0.3") as server:
        begun = until_more_than(server, 15)
        server.kill()
        server.start()
        until_more_than(server, begun)
        assert [variant for variant, _version in sorted(running(server))] == list(offered_variants())
    assert server.errors() == []


def until_more_than(server: Server, events: int) -> int:
    """Wait until the matches have more events than that."""
    deadline = time.monotonic() + 60
    while (now := sum(version for _variant, version in running(server))) <= events:
        assert time.monotonic() < deadline, server.log()
        time.sleep(0.5)
    return now


def test_an_address_in_use_is_an_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        server = Server(tmp_path)
        server.environment["DATABASE_URL"] = f"sqlite:///{migrated_sqlite()}"
        done = subprocess.run(
            [*MANAGE_COMMAND, "serve", "--port", str(occupied.getsockname()[1]), "--no-clock"],
            env=server.environment,
            check=False,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 1
    assert "is another program listening there?" in done.stderr


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site that was started where a process may open few files until it asks for more."""
    with Server(tmp_path_factory.mktemp("served"), "--no-clock", command_prefix=FEW_FILES) as server:
        yield server
    assert server.errors() == []


def test_server_raises_its_limit_of_open_files(served: Server) -> None:
    assert served.process
    soft, hard = resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE)
    assert soft == hard > 500


async def test_sockets_are_open_to_own_pages_only_and_to_small_frames(served: Server) -> None:
    address = f"ws://localhost:{served.port}/ws/lobby/"
    with pytest.raises(InvalidStatus, match="403"):
        await websockets.connect(address, origin=Origin("http://evil.example"))
    async with websockets.connect(address, origin=Origin(served.url)) as line:
        await line.send("x" * 8193)
        await line.wait_closed()
        assert line.close_code == 1009


async def test_outgoing_messages_may_be_larger_than_incoming_ones(served: Server) -> None:
    served.run_code(OPEN_TABLES)
    async with websockets.connect(f"ws://localhost:{served.port}/ws/lobby/", origin=Origin(served.url)) as line:
        assert len(await line.recv()) > 8192
        await line.send(["{" * 4000, "}" * 4000])
        assert "notice" in await line.recv()
