"""Simulated browsers at tables. Each has a socket and knows only the frames that it received."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.programs import interpreter_of
from tests.server import Server

ZONE_PATTERN = re.compile(r'<hx-partial id="([^"]+)">(.*?)</hx-partial>', re.DOTALL)
ID_PATTERN = re.compile(r' id="([^"]+)"')
VERSION_PATTERN = re.compile(r'name="v" value="(\d+)"')
STATUS_PATTERN = re.compile(r'data-status="(\w+)"')
MOVE_PATTERN = re.compile(r'class="(?:fits|button act)" name="move" value="([^"]+)"')
TILE_PATTERN = re.compile(r'class="fits" form="choose" name="tile" value="([^"]+)"')
PLACE_PATTERN = re.compile(r'<button class="button act" name="move" value="([^"]+)"')
DEADLINE_PATTERN = re.compile(r'data-deadline="(\d+)"')
READY_CHECKBOX = 'id="is-ready"'
NOTICE_ZONE, HAND_ZONE = '<hx-partial id="notice"', '<hx-partial id="hand"'
REVISION_PATTERN = re.compile(r'data-revision="(\d+)"')
SEED_SCRIPT = Path(__file__).with_name("seed.py")
HEARTBEAT_SECONDS = 20.0  # seconds between two heartbeats of a page
FRAME_TIMEOUT_SECONDS = 15


def seed_matches(
    server: Server,
    *,
    tables: int = 1,
    seats: int = 4,
    bots: int = 0,
    is_endless: bool = False,
    variants: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Start matches in a server's database with the code of its checkout, by benchmarks/seed.py."""
    arguments = ["--tables", str(tables), "--seats", str(seats), "--bots", str(bots)]
    arguments += ["--endless"] * is_endless
    arguments += ["--variant", *variants] if variants else []
    return run_seed(server, SEED_SCRIPT, arguments)


def run_seed(server: Server, script: Path, arguments: Sequence[str]) -> list[dict[str, Any]]:
    """Run a script on a server's database with the code of its checkout, and return the objects that it prints."""
    environment = server.environment | {"PYTHONPATH": str(server.root)}
    command = [interpreter_of(server.root), str(script), *arguments]
    lines = subprocess.check_output(command, env=environment, cwd=server.root, text=True).splitlines()
    return [json.loads(line) for line in lines]


class Screen:
    """The page of one browser at a table: the newest frame, its time, and the moves it offers."""

    def __init__(self, site: str, slug: str, session: str = "") -> None:
        self.slug = slug
        self.address = f"{site.replace('http', 'ws', 1)}/ws/match/{slug}/"
        self.tls: ssl.SSLContext | None = None  # for a site with a certificate of its own
        self.headers = {"Origin": site} | ({"Cookie": f"sessionid={session}"} if session else {})
        self.socket: ClientConnection | None = None
        self.reader: asyncio.Task[None] | None = None
        self.changed = asyncio.Event()
        self.newest = ""
        self.zones: dict[str, str] = {}
        self.version = 0
        self.status = ""
        self.moves: list[str] = []
        self.tiles: list[str] = []
        self.places: list[str] = []
        self.may_be_ready = False
        self.deadline = 0
        self.arrived_at = 0.0
        self.frames = 0
        self.bytes = 0
        self.refusals: list[str] = []

    async def open(self, changed: asyncio.Event | None = None) -> Self:
        """Connect. ``changed`` is set after every frame."""
        self.changed = changed or self.changed
        # Compression and pings would only use CPU time.
        self.socket = await connect(
            self.address,
            additional_headers=self.headers,
            compression=None,
            ping_interval=None,
            open_timeout=60,
            ssl=self.tls,
        )
        self.reader = asyncio.create_task(self.read(self.socket))
        return self

    async def read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in socket:
                self.receive(str(frame), time.perf_counter())
        self.changed.set()

    def receive(self, frame: str, now: float) -> None:
        """Apply a frame like the script of the page."""
        self.frames += 1
        self.bytes += len(frame)
        if VERSION_PATTERN.search(frame):
            self.newest, self.arrived_at = self.replace_zones(frame), now
            self.read_state()
        elif NOTICE_ZONE in frame:
            self.refusals.append(frame)
        elif HAND_ZONE in frame:
            self.places = PLACE_PATTERN.findall(frame)
        self.changed.set()

    def replace_zones(self, frame: str) -> str:
        """Replace the zones of a frame and return the whole page, newest zones first."""
        for name, html in ZONE_PATTERN.findall(frame):
            for zone in (name, *ID_PATTERN.findall(html)):
                self.zones.pop(zone, None)
            self.zones[name] = html
        return "".join(reversed(self.zones.values()))

    def read_state(self) -> None:
        """Read the version, the status, the moves and the tiles with several places from the newest frame."""
        self.version = int(VERSION_PATTERN.findall(self.newest)[0])
        self.status = STATUS_PATTERN.findall(self.newest)[0]
        self.moves = MOVE_PATTERN.findall(self.newest)
        self.tiles = TILE_PATTERN.findall(self.newest)
        self.places = []
        self.may_be_ready = READY_CHECKBOX in self.newest
        self.deadline = max(map(int, DEADLINE_PATTERN.findall(self.newest)), default=0)

    @property
    def is_connected(self) -> bool:
        return self.reader is not None and not self.reader.done()

    async def send(self, data: Mapping[str, object]) -> bool:
        """Send, unless the connection is lost. Return whether it was sent."""
        assert self.socket
        with suppress(ConnectionClosed):
            await self.socket.send(json.dumps(data))
            return True
        return False

    async def send_heartbeats(self, rng: Random) -> None:
        """Send heartbeats, the first one at a random time."""
        await asyncio.sleep(rng.uniform(0, HEARTBEAT_SECONDS))
        while self.is_connected:
            revision = REVISION_PATTERN.search(self.newest)
            await self.send({"type": "seen"} | ({"r": int(revision[1])} if revision else {}))
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()


@dataclass
class Table:
    """The screens of the people at one table, who play at random as fast as possible."""

    screens: Sequence[Screen]
    rng: Random
    pause: float = 0.0
    # For each move: the time it was sent, and the seconds until the last screen showed it.
    timed_moves: list[tuple[float, float]] = field(default_factory=list)
    # For each move that was sent: the version before it, and the move.
    sent_moves: list[tuple[int, str]] = field(default_factory=list)
    # For each move that its player saw confirmed: the version before it, and the move.
    confirmed_moves: list[tuple[int, str]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self) -> Self:
        await asyncio.gather(*(screen.open(self.changed) for screen in self.screens))
        await self.wait_until(lambda: all(screen.version for screen in self.screens))
        return self

    async def close(self) -> None:
        await asyncio.gather(*(screen.close() for screen in self.screens), return_exceptions=True)

    @property
    def slug(self) -> str:
        return self.screens[0].slug

    @property
    def version(self) -> int:
        return max(screen.version for screen in self.screens)

    @property
    def is_running(self) -> bool:
        return all(screen.is_connected and screen.status == "running" for screen in self.screens)

    async def play(self, *, until: float) -> None:
        """Play until a time of ``time.perf_counter``, the end of the match or the loss of the server."""
        await asyncio.sleep(self.rng.random() * self.pause)  # tables begin at different times
        while self.is_running and time.perf_counter() < until:
            began = time.perf_counter()
            await self.make_move_or_confirm_ready()
            # Random pauses spread the moves again after a common delay.
            pause = self.pause * self.rng.uniform(0.5, 1.5)
            await asyncio.sleep(max(0.0, began + pause - time.perf_counter()))

    async def make_move_or_confirm_ready(self) -> None:
        """Make a move; between rounds, be ready."""
        if mover := self.screen_to_move():
            await self.move(mover)
        else:
            await self.confirm_ready()

    def screen_to_move(self) -> Screen | None:
        """Return the screen whose turn it is by the newest frame."""
        return next(
            (screen for screen in self.screens if screen.moves + screen.tiles and screen.version == self.version), None
        )

    async def move(self, mover: Screen) -> None:
        """Send a move and wait until all screens show it."""
        version, refusals = mover.version, len(mover.refusals)
        move = self.rng.choice(mover.moves + mover.tiles)
        if move in mover.tiles:
            move = await self.choose_place(mover, move)
        mover.moves = mover.tiles = []
        sent = time.perf_counter()
        if await mover.send({"type": "move", "move": move, "v": version}):
            self.sent_moves.append((version, move))
        await self.wait_until(lambda: self.all_show_later_version(version) or len(mover.refusals) > refusals)
        if len(mover.refusals) > refusals:
            await self.pause_after_refusal(mover)
        elif mover.version > version:
            self.confirmed_moves.append((version, move))
        if self.all_show_later_version(version):
            self.timed_moves.append((sent, max(screen.arrived_at for screen in self.screens) - sent))

    async def choose_place(self, mover: Screen, tile: str) -> str:
        """Choose a tile and return the move to one of its places, or the tile itself if the site shows none."""
        version, refusals = mover.version, len(mover.refusals)
        await mover.send({"type": "choose", "tile": tile})
        await self.wait_until(
            lambda: mover.places or mover.version > version or len(mover.refusals) > refusals or not mover.is_connected
        )
        return self.rng.choice(mover.places or [tile])

    def all_show_later_version(self, version: int) -> bool:
        return all(screen.version > version for screen in self.screens)

    async def confirm_ready(self) -> None:
        """Send ``ready`` from pages that ask for it, then wait for a turn, a question or a refusal."""
        refusals = {screen: len(screen.refusals) for screen in self.screens}
        for screen in self.screens:
            if screen.may_be_ready:
                screen.may_be_ready = False
                await screen.send({"type": "ready", "v": screen.version})
        await self.wait_until(
            lambda: self.screen_to_move() or any(self.needs_attention(screen, refusals[screen]) for screen in refusals)
        )
        for screen in self.screens:
            if len(screen.refusals) > refusals[screen]:
                await self.pause_after_refusal(screen)

    def needs_attention(self, screen: Screen, refusals: int) -> bool:
        return screen.may_be_ready or len(screen.refusals) > refusals

    async def pause_after_refusal(self, screen: Screen) -> None:
        """Wait a second, then read the newest frame again."""
        await asyncio.sleep(1)
        screen.read_state()

    async def wait_until(self, condition: Callable[[], object]) -> None:
        """Wait for frames until the condition holds, a socket is closed or the match is over."""
        async with asyncio.timeout(FRAME_TIMEOUT_SECONDS):
            while not condition() and all(screen.is_connected for screen in self.screens) and not self.is_over:
                self.changed.clear()
                await self.changed.wait()

    @property
    def is_over(self) -> bool:
        return any(screen.status not in ("", "running") for screen in self.screens)
