"""A minimal server for comparison: it only checks, stores and sends every move.

``with Floor(folder, size=4000) as floor:`` runs it in a process of its own. It replaces ``tests.server.Server``, and
the players of benchmarks/players.py use its tables like those of the site. The server keeps the version and turn of
each table in memory, checks a move, commits one row to SQLite (write-ahead log, like the site) and sends a frame to
every socket of the table. Frames contain what the players need and are padded to the size of the site's frames. The
server has no rules, hidden hands, languages, limits or records.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Self

from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server import START_SECONDS, free_port

LEGAL_MOVES = ("6-4", "5-5", "3-1")  # always legal for the seat to move


class MinimalServer:
    """A running minimal server, whose frames have ``size`` bytes."""

    def __init__(self, folder: Path, *, size: int) -> None:
        self.folder = folder
        self.size = size
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        command = [sys.executable, __file__, str(self.folder), str(self.port), str(self.size)]
        self.process = subprocess.Popen(command)
        deadline = time.monotonic() + START_SECONDS
        while not self.is_up():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the minimal server did not start")
            time.sleep(0.1)
        return self

    def __exit__(self, *_exc: object) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def is_up(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz", timeout=5):
            return True
        return False

    @property
    def pid(self) -> int:
        assert self.process
        return self.process.pid

    def seed_site(self, tables: int, seats: int) -> list[dict[str, Any]]:
        """Return addresses and sessions of new tables, like benchmarks.players.seed_matches."""
        slugs = [f"{seats}-{time.monotonic_ns()}-{number}" for number in range(tables)]
        return [{"slug": slug, "sessions": [str(seat) for seat in range(seats)]} for slug in slugs]


@dataclass
class MinimalTable:
    """The turn of a table, and its sockets."""

    slug: str
    seats: int
    version: int = 1
    to_move: int = 0
    players: dict[ServerConnection, int] = field(default_factory=dict)


class MinimalSite:
    """All tables of the process, and its database."""

    def __init__(self, folder: Path, size: int) -> None:
        self.size = size
        self.tables: dict[str, MinimalTable] = {}
        self.database = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("PRAGMA synchronous=NORMAL")
        self.database.execute("CREATE TABLE move (match TEXT, version INTEGER, move TEXT, UNIQUE (match, version))")

    def table(self, slug: str) -> MinimalTable:
        if slug not in self.tables:
            self.tables[slug] = MinimalTable(slug, int(slug.partition("-")[0]))
        return self.tables[slug]

    async def serve(self, socket: ServerConnection) -> None:
        """Send a table to a socket and handle its moves."""
        assert socket.request
        table = self.table(socket.request.path.rstrip("/").rpartition("/")[2])
        seat = table.players[socket] = int(SimpleCookie(socket.request.headers["Cookie"])["sessionid"].value)
        with suppress(ConnectionClosed):
            await socket.send(self.frame(table, seat))
            async for message in socket:
                self.move(table, seat, json.loads(message))
        del table.players[socket]

    def move(self, table: MinimalTable, seat: int, message: dict[str, Any]) -> None:
        """Check a move, store it, then send it to all sockets of the table."""
        if seat != table.to_move or message.get("v") != table.version or message.get("move") not in LEGAL_MOVES:
            return
        table.version += 1
        table.to_move = (table.to_move + 1) % table.seats
        self.database.execute("INSERT INTO move VALUES (?, ?, ?)", (table.slug, table.version, message["move"]))
        for socket, viewer in table.players.items():
            broadcast([socket], self.frame(table, viewer))

    def frame(self, table: MinimalTable, seat: int) -> str:
        """Return the frame of a player: one zone, as long as the site's frames are."""
        opening_tag, closing_tag = '<hx-partial id="table">', "</hx-partial>"
        parts = [f'{opening_tag}<input name="v" value="{table.version}"><p data-status="running"></p>']
        if seat == table.to_move:
            parts += [f'<button class="fits" name="move" value="{move}">' for move in LEGAL_MOVES]
        return "".join(parts).ljust(self.size - len(closing_tag)) + closing_tag


def answer_healthz(socket: ServerConnection, request: Request) -> Response | None:
    return socket.respond(HTTPStatus.OK, "") if request.path == "/healthz" else None


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("size", type=int)
    arguments = parser.parse_args()
    site = MinimalSite(arguments.folder, arguments.size)
    # Compression and pings would cost more than the rest.
    options: dict[str, Any] = {"compression": None, "ping_interval": None, "process_request": answer_healthz}
    async with serve(site.serve, "127.0.0.1", arguments.port, backlog=2048, **options) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
