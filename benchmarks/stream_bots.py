"""Simulated programs that play by the API: each reads the stream of its match and moves at random."""

from __future__ import annotations

import asyncio
import json
import math
import ssl
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.players import SEED_SCRIPT
from benchmarks.wire import CONNECTION_ERRORS, STREAM_TYPE, Connection, Response, encode_request
from tests.programs import interpreter_of
from tests.server import Server

RETRY_SECONDS = 1.0  # the mean wait after an interruption
LINE_TIMEOUT_SECONDS = 20.0  # an empty line comes every 15 seconds
REQUEST_TIMEOUT_SECONDS = 20.0


class StreamEnded(Exception):
    """The stream was refused or has ended; the message says why."""


@dataclass
class StreamBot:
    """A program at a table. After an interruption it opens its stream again and checks that its next line is whole."""

    port: int
    slug: str
    token: str
    rng: Random
    tls: ssl.SSLContext | None = None
    pause: float = 0.0  # mean seconds before a move
    version: int = -1  # of the newest line
    lines: int = 0
    cut_lines: int = 0  # incomplete lines at the end of interrupted streams
    is_open: bool = False
    ended_at: float = 0.0
    # For each interruption, when the stream was lost and when its next line came.
    absences: list[tuple[float, float]] = field(default_factory=list)
    # For each move that was answered with 200: when it was sent, the version before it, and the move.
    acknowledged: list[tuple[float, int, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    connection: Connection | None = None
    sending: Connection | None = None
    acting: asyncio.Task[None] | None = None

    async def play(self) -> None:
        """Read the stream until cancelled, and open it again after each interruption."""
        lost_at = 0.0
        try:
            while True:
                with suppress(*CONNECTION_ERRORS, TimeoutError, StreamEnded):
                    await self.read_stream(lost_at)
                if self.is_open:
                    self.is_open, lost_at = False, time.perf_counter()
                await asyncio.sleep(RETRY_SECONDS * self.rng.uniform(0.2, 1.8))
        finally:
            self.close()

    async def read_stream(self, lost_at: float = 0.0) -> None:
        """Read lines until the stream ends. Raises StreamEnded, TimeoutError, CONNECTION_ERRORS."""
        self.connection = await Connection.open(self.port, tls=self.tls)
        await self.connection.send(self.request("GET", f"/api/stream/match/{self.slug}"))
        async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
            status, headers = await self.connection.read_head()
        if status != 200 or headers.get("content-type") != STREAM_TYPE:
            raise StreamEnded(f"{status}")
        unread, is_first = b"", True
        try:
            while True:
                async with asyncio.timeout(LINE_TIMEOUT_SECONDS):
                    chunk = await self.connection.read_chunk()
                *lines, unread = (unread + chunk).split(b"\n")
                for line in filter(bytes.strip, lines):
                    self.read_line(line, lost_at if is_first else 0.0)
                    is_first = False
                if not chunk:
                    raise StreamEnded("the end")
        finally:
            self.cut_lines += bool(unread)
            self.ended_at = time.perf_counter()

    def read_line(self, line: bytes, lost_at: float) -> None:
        """Check a line and act on it."""
        now = time.perf_counter()
        data = json.loads(line)
        if "error" in data:
            raise StreamEnded(data["error"])
        self.lines += 1
        if lost_at:
            self.absences.append((lost_at, now))
            if data["view"] is None or data["view"]["hands"][data["seat"]] is None:
                self.problems.append(f"{self.slug}: the first line after an interruption is not whole")
        if data["version"] < self.version:
            self.problems.append(f"{self.slug}: version {data['version']} after {self.version}")
        self.version, self.is_open = data["version"], True
        if self.acting is not None:
            self.acting.cancel()
        self.acting = asyncio.create_task(self.act(data))

    async def act(self, data: dict[str, Any]) -> None:
        """Move, or be ready, until the request is answered. A newer line cancels this."""
        view, seat = data["view"], data["seat"]
        if view["legal"]:
            path, body = "move", {"version": data["version"], "move": self.rng.choice(view["legal"])}
        elif seat in view["absent"] or (view["round_over"] and not data["players"][seat]["ready"]):
            path, body = "ready", {}
        else:
            return
        await asyncio.sleep(self.pause * self.rng.uniform(0.5, 1.5))
        for attempt in range(100):
            # The line that shows the move may come before the answer. It must not cancel the request.
            answer = await asyncio.shield(self.request_act(path, body))
            if answer.status and answer.status < 500 and answer.status != 429:
                return
            await asyncio.sleep(min(2.0, 0.2 * (attempt + 1)))

    async def request_act(self, path: str, body: dict[str, Any]) -> Response:
        """Send a move or that the bot is ready, and note an acknowledged move."""
        sent = time.perf_counter()
        answer = await self.post(f"/api/match/{self.slug}/{path}", body)
        if answer.status == 200 and path == "move":
            self.acknowledged.append((sent, body["version"], body["move"]))
        if answer.status >= 500 and answer.status not in (502, 503, 504):
            self.problems.append(f"{self.slug}: {answer.status} {answer.body[:200]!r}")
        return answer

    async def post(self, path: str, body: dict[str, Any]) -> Response:
        """Send a request over the bot's second connection. Return ``NO_RESPONSE`` if it is lost."""
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
                self.sending = self.sending or await Connection.open(self.port, tls=self.tls)
                answer = await self.sending.exchange(self.request("POST", path, json.dumps(body).encode()))
        except (*CONNECTION_ERRORS, TimeoutError):
            answer = Response(0, {})
        if not answer.status or "close" in answer.headers.get("connection", "").lower():
            if self.sending is not None:
                self.sending.close()
            self.sending = None
        return answer

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        headers = {"Host": f"localhost:{self.port}", "Authorization": f"Bearer {self.token}"}
        headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))} if method == "POST" else {}
        return encode_request(method, path, headers, body)

    def cut(self) -> None:
        """Lose the connection of the stream without a farewell."""
        if self.connection is not None:
            self.connection.writer.transport.abort()

    def close(self) -> None:
        if self.acting is not None:
            self.acting.cancel()
        for connection in (self.connection, self.sending):
            if connection is not None:
                connection.close()


def seed_bots(server: Server, tables: int) -> list[dict[str, Any]]:
    """Start endless matches of two bots each; return their slugs and tokens."""
    command = [interpreter_of(server.root), str(SEED_SCRIPT), "--tables", str(tables), "--programs", "--endless"]
    environment = server.environment | {"PYTHONPATH": str(server.root)}
    lines = subprocess.check_output(command, env=environment, cwd=server.root, text=True).splitlines()
    return [json.loads(line) for line in lines]


def percentile(values: list[float], share: float) -> float:
    """Return a percentile, nan without values."""
    return sorted(values)[math.ceil(share * len(values)) - 1] if values else math.nan
