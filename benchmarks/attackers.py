"""The attackers, in a process of their own: ``python -m benchmarks.attackers KIND '{"port": 8000, ...}'``.

Prints "ready", starts when it reads a line, and prints the number of answers of each kind as a JSON object. Works
only on the loopback interface.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlencode

from benchmarks.wire import (
    CLOSE,
    CONNECTION_ERRORS,
    CONNECTION_LOST,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    Connection,
    encode_frame,
    encode_request,
)

MAX_SECONDS = 90
READY_INTERVAL_SECONDS = 0.2  # between two messages, the highest rate that the site allows a socket
RETRY_SECONDS = 5
PAGES_AT_ONCE = 20
MAX_PARTS = 100_000  # small frames or chunks that a connection sends as fast as the site accepts them
PARTS_PER_WRITE = 5_000
ONE_BYTE_CHUNK = b"1\r\nx\r\n"
CHUNK = bytes(2**16)
LARGE_BODY = bytes(1_090_000)
READY_FRAME = encode_frame(b'{"type": "ready"}')
HEARTBEAT_BURST = encode_frame(b'{"type": "seen"}') * 18
TOKEN_PATTERN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
COOKIE_PATTERN = re.compile(r"(csrftoken=\w+)")


@dataclass
class Target:
    """The site, the addresses to attack from, the number of attackers and the seconds of a lasting attack."""

    port: int
    slug: str
    sources: Sequence[str]
    count: int
    seconds: float
    answers: Counter[str] = field(default_factory=Counter)

    @property
    def site(self) -> str:
        return f"localhost:{self.port}"

    def count_status(self, status: int) -> None:
        self.answers["cut" if status == CONNECTION_LOST else str(status)] += 1

    @asynccontextmanager
    async def connect(self, source: str = "") -> AsyncIterator[Connection | None]:
        """Open a connection, None if it is refused."""
        try:
            connection = await Connection.open(self.port, source or self.sources[0])
        except OSError:
            self.count_status(CONNECTION_LOST)
            yield None
            return
        try:
            yield connection
        finally:
            connection.close()

    @asynccontextmanager
    async def open_socket(self) -> AsyncIterator[Connection | None]:
        """Open a socket at the table, None if the site refuses it."""
        async with self.connect() as connection:
            headers = {"Host": self.site, "Origin": f"http://{self.site}"}
            status = (
                await connection.open_websocket(f"/ws/match/{self.slug}/", headers) if connection else CONNECTION_LOST
            )
            if connection:
                self.count_status(status)
            yield connection if status == 101 else None

    async def count_response(self, connection: Connection) -> None:
        self.count_status((await connection.exchange(b"")).status)

    async def count_close_code(self, connection: Connection) -> None:
        """Read frames until the site closes, and note its code."""
        with suppress(*CONNECTION_ERRORS):
            while True:
                opcode, payload = await connection.read_frame()
                if opcode == CLOSE:
                    self.count_status(int.from_bytes(payload[:2]))
                    return
        self.count_status(CONNECTION_LOST)

    async def repeat_until_end(self, attack: Callable[[], Awaitable[None]]) -> None:
        """Let ``count`` attackers repeat the attack until the time is over."""

        async def endless() -> None:
            while True:
                await attack()

        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                await asyncio.gather(*(endless() for _ in range(self.count)))


async def request_pages(target: Target) -> None:
    """Request the lobby ``count`` times."""
    tickets = iter(range(target.count))
    await asyncio.gather(*(request_pages_on_one_connection(target, tickets) for _ in range(PAGES_AT_ONCE)))


async def request_pages_on_one_connection(target: Target, tickets: Iterator[int]) -> None:
    page = encode_request("GET", "/", {"Host": target.site})
    connection = None
    for _ticket in tickets:
        try:
            connection = connection or await Connection.open(target.port, target.sources[0])
        except OSError:
            target.count_status(CONNECTION_LOST)
            continue
        response = await connection.exchange(page)
        target.count_status(response.status)
        if response.status == CONNECTION_LOST or response.headers.get("connection", "").lower() == "close":
            connection.close()
            connection = None


async def send_huge_bodies(target: Target) -> None:
    """Send two bodies of ``count`` bytes at once: one with a length, the other in chunks."""
    headers = {"Host": target.site}
    chunked, sized = {"Transfer-Encoding": "chunked"}, {"Content-Length": str(target.count)}
    chunk = f"{len(CHUNK):x}\r\n".encode() + CHUNK + b"\r\n"
    await asyncio.gather(
        send_body(target, encode_request("POST", "/", headers | chunked), chunk, b"0\r\n\r\n"),
        send_body(target, encode_request("POST", "/", headers | sized), CHUNK, bytes(target.count % len(CHUNK))),
    )


async def send_body(target: Target, head: bytes, chunk: bytes, end: bytes) -> None:
    async with target.connect() as connection:
        if connection is None:
            return
        connection.writer.write(head)
        response = asyncio.create_task(target.count_response(connection))
        with suppress(OSError):
            for _ in range(target.count // len(CHUNK)):
                if response.done():
                    break
                await connection.send(chunk)
            else:
                await connection.send(end)
        await response


async def send_large_bodies(target: Target) -> None:
    """Send ``count`` large bodies at once: first all but their last bytes, then those."""
    complete = asyncio.Barrier(target.count)

    async def send_whole_body() -> None:
        async with target.connect() as connection:
            with suppress(OSError):
                if connection is not None:
                    length = {"Host": target.site, "Content-Length": str(len(LARGE_BODY))}
                    await connection.send(encode_request("POST", "/review/import/", length, LARGE_BODY[:-1]))
            await complete.wait()
            if connection is not None:
                connection.writer.write(LARGE_BODY[-1:])
                await target.count_response(connection)

    await asyncio.gather(*(send_whole_body() for _ in range(target.count)))


async def send_tiny_chunks(target: Target) -> None:
    """Send bodies in chunks of one byte over ``count`` connections at a time."""
    head = encode_request("POST", "/", {"Host": target.site, "Transfer-Encoding": "chunked"})

    async def flood() -> None:
        async with target.connect() as connection:
            if connection is not None:
                await flood_with_parts(
                    connection, head, ONE_BYTE_CHUNK, asyncio.create_task(target.count_response(connection))
                )

    await target.repeat_until_end(flood)


async def send_wrong_passwords(target: Target) -> None:
    """Send ``count`` logins with wrong passwords at once, ten from each address."""
    async with target.connect() as connection:
        assert connection
        form = await connection.exchange(encode_request("GET", "/accounts/login/", {"Host": target.site}))
    cookie, token = COOKIE_PATTERN.search(form.headers["set-cookie"]), TOKEN_PATTERN.search(form.body)
    assert cookie
    assert token

    async def log_in(number: int) -> None:
        fields = {"csrfmiddlewaretoken": token[1], "login": f"nobody{number}", "password": "wrong"}
        data = urlencode(fields).encode()
        headers = {"Host": target.site, "Cookie": cookie[1], "Content-Length": str(len(data))}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        async with target.connect(target.sources[number // 10 % len(target.sources)]) as connection:
            if connection is not None:
                response = await connection.exchange(encode_request("POST", "/accounts/login/", headers, data))
                target.count_status(response.status)

    await asyncio.gather(*map(log_in, range(target.count)))


async def hold_sockets(target: Target) -> None:
    """Hold ``count`` sockets of a visitor at a table and send ``ready`` as often as the site allows."""

    async def hold() -> None:
        async with target.open_socket() as connection:
            if connection is not None:
                closing = asyncio.create_task(target.count_close_code(connection))
                try:
                    await send_ready(connection, closing)
                    await closing
                finally:
                    closing.cancel()
        await asyncio.sleep(RETRY_SECONDS)

    await target.repeat_until_end(hold)


async def send_ready(connection: Connection, closing: asyncio.Task[None]) -> None:
    with suppress(OSError):
        while not closing.done():
            await connection.send(READY_FRAME)
            await asyncio.sleep(READY_INTERVAL_SECONDS)


async def reconnect_sockets(target: Target) -> None:
    """Open ``count`` sockets at once, send eighteen frames, close, and begin again."""

    async def reconnect() -> None:
        async with target.open_socket() as connection:
            if connection is not None:
                with suppress(*CONNECTION_ERRORS):
                    await connection.send(HEARTBEAT_BURST + encode_frame((1000).to_bytes(2), CLOSE))
                    await connection.reader.read()

    await target.repeat_until_end(reconnect)


async def flood_sockets(first: bytes, part: bytes, target: Target) -> None:
    """Send small frames over ``count`` sockets at a time."""

    async def flood() -> None:
        async with target.open_socket() as connection:
            if connection is not None:
                await flood_with_parts(
                    connection, first, part, asyncio.create_task(target.count_close_code(connection))
                )
                return
        await asyncio.sleep(READY_INTERVAL_SECONDS)

    await target.repeat_until_end(flood)


async def flood_with_parts(connection: Connection, first: bytes, part: bytes, response: asyncio.Task[None]) -> None:
    """Send up to ``MAX_PARTS`` parts until there is a response, and wait for it."""
    try:
        with suppress(OSError):
            connection.writer.write(first)
            for _ in range(MAX_PARTS // PARTS_PER_WRITE):
                if response.done():
                    break
                await connection.send(part * PARTS_PER_WRITE)
        await response
    finally:
        response.cancel()


def fragment_flood(payload: bytes) -> Callable[[Target], Awaitable[None]]:
    """Return a flood by one message with an endless number of fragments."""
    first, part = encode_frame(payload, TEXT, last=False), encode_frame(payload, CONTINUATION, last=False)
    return partial(flood_sockets, first, part)


ATTACKS_BY_KIND: dict[str, Callable[[Target], Awaitable[None]]] = {
    "pages": request_pages,
    "bodies": send_huge_bodies,
    "whole_bodies": send_large_bodies,
    "chunks": send_tiny_chunks,
    "log_ins": send_wrong_passwords,
    "sockets": hold_sockets,
    "reconnecting": reconnect_sockets,
    "fragments": fragment_flood(b"x"),
    "empty_fragments": fragment_flood(b""),
    "pings": partial(flood_sockets, b"", encode_frame(b"", PING)),
    "pongs": partial(flood_sockets, b"", encode_frame(b"", PONG)),
}


def main() -> None:
    kind, target = ATTACKS_BY_KIND[sys.argv[1]], Target(**json.loads(sys.argv[2]))
    # The measured players run on the same cores and have priority.
    os.nice(5)
    print("ready", flush=True)
    sys.stdin.readline()
    with suppress(TimeoutError):
        asyncio.run(asyncio.wait_for(kind(target), MAX_SECONDS))
    print(json.dumps(target.answers), flush=True)


if __name__ == "__main__":
    main()
