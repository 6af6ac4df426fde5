"""The least that a live table can cost: a bare ``websockets`` server that plays a block game and keeps every move.

``with Floor(folder) as floor:`` runs it in a process of its own, to be measured in place of ``tests.server.Server``:
the people of benchmarks/players.py sit at its tables as at the site's. One process keeps each table's position in
memory, checks a move, commits one row of it to SQLite (write-ahead log, as the site's), and only then sends a frame to
every socket of the table. Frames say what the people look for and are filled up to the size of the site's frames.

What it does not have is what the rest costs: rules and hidden hands of real games, views, languages, several
processes, limits, records and a way back after a crash. ``benchmarks/live.py`` and ``watch.py`` print the ratio.
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
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random
from typing import Any, Self

from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.server import START_SECONDS, free_port  # noqa: E402

TILES = [(high, low) for high in range(7) for low in range(high + 1)]
HAND = 7
Tile = tuple[int, int]


class Floor:
    """The server, started and stopped; ``own`` and ``shared`` are the bytes of a player's and a spectator's frame."""

    program = __file__

    def __init__(self, folder: Path, *, own: int, shared: int = 0) -> None:
        self.folder = folder
        self.sizes = (own, shared)
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        own, shared = map(str, self.sizes)
        command = [sys.executable, self.program, str(self.folder), str(self.port), "--own", own, "--shared", shared]
        self.process = subprocess.Popen(command)
        until = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the floor did not start")
            time.sleep(0.1)
        return self

    def __exit__(self, *_exc: object) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def answers(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"{self.url}/metrics", timeout=5):
            return True
        return False

    @property
    def pid(self) -> int:
        assert self.process
        return self.process.pid

    def seed(self, tables: int, seats: int) -> list[dict[str, Any]]:
        """Return addresses and sessions of new tables, as benchmarks.players.seed does for the site."""
        slugs = [f"{seats}-{time.monotonic_ns()}-{number}" for number in range(tables)]
        return [{"slug": slug, "sessions": [str(seat) for seat in range(seats)]} for slug in slugs]


@dataclass
class Table:
    """A position of the block game, and the sockets that see it."""

    slug: str
    seats: int
    version: int = 1
    hands: list[set[Tile]] = field(default_factory=list)
    ends: tuple[int, int] | None = None
    to_move: int = 0
    players: dict[ServerConnection, int] = field(default_factory=dict)
    spectators: set[ServerConnection] = field(default_factory=set)

    def deal(self, chance: Random) -> None:
        """Begin a round."""
        tiles = iter(chance.sample(TILES, len(TILES)))
        self.hands = [{next(tiles) for _ in range(HAND)} for _ in range(self.seats)]
        self.ends = None

    def moves(self) -> Iterator[str]:
        """Yield the legal moves of the seat to move: a tile, and the end at which it is laid."""
        for high, low in self.hands[self.to_move]:
            for side, end in enumerate(self.ends or (high,)):
                if end in (high, low):
                    yield f"{high}-{low}@{side}"

    def move_of(self, seat: int | None, said: dict[str, Any]) -> str:
        """Return the move that a seat asks for, "" if it may not make it now."""
        move = str(said.get("move"))
        return move if seat == self.to_move and said.get("v") == self.version and move in self.moves() else ""

    def play(self, move: str, chance: Random) -> None:
        """Lay a tile and find who moves next; deal anew when nobody can, or a hand is empty."""
        tile, _at, side = move.partition("@")
        high, low = map(int, tile.split("-"))
        left, right = self.ends or (high, high)
        end = right if side == "1" else left
        other = low if end == high else high
        self.hands[self.to_move].remove((high, low))
        self.ends = (low, high) if self.ends is None else (left, other) if side == "1" else (other, right)
        self.version += 1
        if not self.hands[self.to_move]:
            self.deal(chance)
        for _seat in range(self.seats):
            self.to_move = (self.to_move + 1) % self.seats
            if any(self.moves()):
                return
        self.deal(chance)


class Site:
    """All tables of the process, and its database."""

    def __init__(self, folder: Path, own: int, shared: int) -> None:
        self.chance = Random(1)
        self.own, self.shared = own, shared
        self.tables: dict[str, Table] = {}
        self.database = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("PRAGMA synchronous=NORMAL")
        self.database.execute("CREATE TABLE move (match TEXT, version INTEGER, move TEXT, UNIQUE (match, version))")

    def table(self, slug: str) -> Table:
        if slug not in self.tables:
            self.tables[slug] = Table(slug, int(slug.partition("-")[0]))
            self.tables[slug].deal(self.chance)
        return self.tables[slug]

    async def talk(self, socket: ServerConnection) -> None:
        """Show a table to a socket, and take the moves that come over it."""
        assert socket.request
        table = self.table(socket.request.path.rstrip("/").rpartition("/")[2])
        session = SimpleCookie(socket.request.headers.get("Cookie", "")).get("sessionid")
        if session is None:
            table.spectators.add(socket)
        else:
            table.players[socket] = int(session.value)
        with suppress(ConnectionClosed):
            await socket.send(self.frame(table, table.players.get(socket)))
            async for message in socket:
                self.take(table, table.players.get(socket), json.loads(message))
        table.players.pop(socket, None)
        table.spectators.discard(socket)

    def take(self, table: Table, seat: int | None, said: dict[str, Any]) -> None:
        """Make a move if it is one: keep it, then show it to everybody."""
        if not (move := table.move_of(seat, said)):
            return
        table.play(move, self.chance)
        self.database.execute("INSERT INTO move VALUES (?, ?, ?)", (table.slug, table.version, move))
        for socket, viewer in table.players.items():
            broadcast([socket], self.frame(table, viewer))
        broadcast(table.spectators, self.frame(table, None))

    def frame(self, table: Table, seat: int | None) -> str:
        """Return what a viewer is shown: one zone, as long as the site's frames are."""
        opening, closing = '<hx-partial id="table">', "</hx-partial>"
        said = [f'{opening}<input name="v" value="{table.version}"><p data-status="running"></p>']
        if seat == table.to_move:
            said += [f'<button class="fits" name="move" value="{move}">' for move in table.moves()]
        size = self.shared if seat is None else self.own
        return "".join(said).ljust(size - len(closing)) + closing


def metrics(socket: ServerConnection, request: Request) -> Response | None:
    """Answer an ordinary request: there is nothing to tell but that the server is there."""
    return socket.respond(HTTPStatus.OK, "") if request.path == "/metrics" else None


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("--own", type=int, required=True)
    parser.add_argument("--shared", type=int, default=0)
    given = parser.parse_args()
    site = Site(given.folder, given.own, given.shared)
    # Compression and pings cost more than all the rest.
    options: dict[str, Any] = {"compression": None, "ping_interval": None, "process_request": metrics}
    async with serve(site.talk, "127.0.0.1", given.port, backlog=2048, **options) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
