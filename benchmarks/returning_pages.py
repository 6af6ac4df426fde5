"""Players whose pages reconnect like those of the site, at tables that go on through faults."""

from __future__ import annotations

import asyncio
import random
import ssl
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from websockets.exceptions import InvalidStatus, WebSocketException

from benchmarks.players import VERSION_PATTERN, Screen, Table

# As the site's pages: templates/base.html and static/js/timeout.js.
RECONNECT_SECONDS, MAX_RECONNECT_SECONDS, RECONNECT_JITTER = 1.0, 5.0, 0.9
ANSWER_SECONDS = 6.0


class Page(Screen):
    """A page that reconnects like those of the site."""

    def __init__(self, site: str, tls: ssl.SSLContext | None, slug: str, session: str) -> None:
        super().__init__(site, slug)
        self.headers["Cookie"] = f"__Host-sessionid={session}"
        self.tls = tls
        self.lost_at: float | None = None
        self.absences: list[tuple[float, float]] = []  # from the loss of the connection to the next frame
        self.statuses: Counter[int] = Counter()  # of refused sockets
        self.close_codes: Counter[int | None] = Counter()
        self.answer_timer: asyncio.TimerHandle | None = None

    async def stay_open(self, changed: asyncio.Event) -> None:
        attempt = 0
        while True:
            with suppress(OSError, TimeoutError, WebSocketException):
                try:
                    await self.open(changed)
                except InvalidStatus as refused:
                    self.statuses[refused.response.status_code] += 1
                    raise
                attempt = 0
                assert self.reader
                assert self.socket
                heartbeats = asyncio.create_task(self.send_heartbeats(random.Random()))
                await self.reader
                heartbeats.cancel()
                self.close_codes[self.socket.close_code] += 1
            if self.lost_at is None:
                self.lost_at = time.perf_counter()
            delay = min(RECONNECT_SECONDS * 2**attempt, MAX_RECONNECT_SECONDS)
            await asyncio.sleep(delay * (1 + random.uniform(-RECONNECT_JITTER, RECONNECT_JITTER)))
            attempt += 1

    async def send(self, data: Any) -> bool:
        if self.answer_timer:
            self.answer_timer.cancel()
        self.answer_timer = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self.hang_up)
        return await super().send(data)

    def hang_up(self) -> None:
        if self.socket is not None and self.is_connected:
            self.socket.transport.abort()

    def receive(self, frame: str, now: float) -> None:
        if self.answer_timer:
            self.answer_timer.cancel()
        super().receive(frame, now)
        if self.lost_at is not None and VERSION_PATTERN.search(frame):
            self.absences.append((self.lost_at, now))
            self.lost_at = None


@dataclass
class BusyTable(Table):
    """A table at which people play through all faults."""

    screens: Sequence[Page]
    # For each acknowledged move: the time of the acknowledgement, the version before it, and the move.
    acknowledged: list[tuple[float, int, str]] = field(default_factory=list)
    progress: list[tuple[float, int]] = field(default_factory=list)  # when a page first showed each version

    async def play_on(self) -> None:
        pages = [asyncio.create_task(page.stay_open(self.changed)) for page in self.screens]
        watch = asyncio.create_task(self.watch_progress())
        try:
            while not self.is_over:
                with suppress(TimeoutError):
                    await self.make_move_or_confirm_ready()
                await asyncio.sleep(self.pause * self.rng.uniform(0.5, 1.5))
        finally:
            for task in (*pages, watch):
                task.cancel()

    async def watch_progress(self) -> None:
        while True:
            if not self.progress or self.version > self.progress[-1][1]:
                self.progress.append((time.perf_counter(), self.version))
            await asyncio.sleep(0.05)

    async def move(self, mover: Screen) -> None:
        """Send a move; if the page lost its connection, as soon as it is back."""
        await self.wait_until(lambda: mover.is_connected)
        if not mover.moves + mover.tiles:
            return
        version, refusals, connection = mover.version, len(mover.refusals), mover.socket
        move = self.rng.choice(mover.moves + mover.tiles)
        if move in mover.tiles:
            move = await self.choose_place(mover, move)
        mover.moves = mover.tiles = []
        if not await mover.send({"type": "move", "move": move, "v": version}):
            return
        await self.wait_until(
            lambda: mover.version > version or len(mover.refusals) > refusals or not mover.is_connected
        )
        if len(mover.refusals) > refusals:
            await self.pause_after_refusal(mover)
        elif mover.version > version and mover.socket is connection:
            self.acknowledged.append((mover.arrived_at, version, move))

    async def wait_until(self, condition: Callable[[], object]) -> None:
        """Wait for frames until the condition holds. Raises TimeoutError."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while not condition() and not self.is_over:
                self.changed.clear()
                await self.changed.wait()

    def longest_gap(self, begin: float, end: float) -> float:
        """Return the longest time without a new version between two moments."""
        times = [begin, *(at for at, _version in self.progress if begin < at < end), end]
        return max(after - before for before, after in pairwise(times))
