"""The attackers, in a process of their own: ``python -m benchmarks.attackers KIND '{"port": 8000, ...}'``.

Prints "ready", starts when it reads a line, and prints the number of answers of each kind as a JSON object. Works only
on the loopback interface.
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

from benchmarks.wire import CLOSE, CONTINUATION, CUT, CUT_OFF, PING, PONG, TEXT, Line, frame, request

MAX_SECONDS = 90
READY_SECONDS = 0.2  # between two messages, the highest rate that the site allows a socket
RETRY_SECONDS = 5
PAGES_AT_ONCE = 20
PARTS = 100_000  # small frames or chunks that a connection sends as fast as the site accepts them
PARTS_AT_ONCE = 5_000
ONE_BYTE_CHUNK = b"1\r\nx\r\n"
CHUNK = bytes(2**16)
BODY = bytes(1_090_000)
READY = frame(b'{"type": "ready"}')
BURST = frame(b'{"type": "seen"}') * 18
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
COOKIE = re.compile(r"(csrftoken=\w+)")


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

    def note(self, status: int) -> None:
        self.answers["cut" if status == CUT else str(status)] += 1

    @asynccontextmanager
    async def line(self, source: str = "") -> AsyncIterator[Line | None]:
        """Open a connection, None if it is refused."""
        try:
            line = await Line.open(self.port, source or self.sources[0])
        except OSError:
            self.note(CUT)
            yield None
            return
        try:
            yield line
        finally:
            line.close()

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[Line | None]:
        """Open a socket at the table, None if the site refuses it."""
        async with self.line() as line:
            headers = {"Host": self.site, "Origin": f"http://{self.site}"}
            status = await line.upgrade(f"/ws/match/{self.slug}/", headers) if line else CUT
            if line:
                self.note(status)
            yield line if status == 101 else None

    async def note_answer(self, line: Line) -> None:
        self.note((await line.ask(b"")).status)

    async def note_close(self, line: Line) -> None:
        """Read frames until the site closes, and note its code."""
        with suppress(*CUT_OFF):
            while True:
                opcode, payload = await line.frame()
                if opcode == CLOSE:
                    self.note(int.from_bytes(payload[:2]))
                    return
        self.note(CUT)

    async def repeat(self, attack: Callable[[], Awaitable[None]]) -> None:
        """Let ``count`` attackers repeat the attack until the time is over."""

        async def endless() -> None:
            while True:
                await attack()

        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                await asyncio.gather(*(endless() for _ in range(self.count)))


async def pages(target: Target) -> None:
    """Request the lobby ``count`` times."""
    tickets = iter(range(target.count))
    await asyncio.gather(*(read_pages(target, tickets) for _ in range(PAGES_AT_ONCE)))


async def read_pages(target: Target, tickets: Iterator[int]) -> None:
    page = request("GET", "/", {"Host": target.site})
    line = None
    for _ticket in tickets:
        try:
            line = line or await Line.open(target.port, target.sources[0])
        except OSError:
            target.note(CUT)
            continue
        answer = await line.ask(page)
        target.note(answer.status)
        if answer.status == CUT or answer.headers.get("connection", "").lower() == "close":
            line.close()
            line = None


async def bodies(target: Target) -> None:
    """Send two bodies of ``count`` bytes at once: one with a length, the other in chunks."""
    headers = {"Host": target.site}
    chunked, sized = {"Transfer-Encoding": "chunked"}, {"Content-Length": str(target.count)}
    chunk = f"{len(CHUNK):x}\r\n".encode() + CHUNK + b"\r\n"
    await asyncio.gather(
        send_body(target, request("POST", "/", headers | chunked), chunk, b"0\r\n\r\n"),
        send_body(target, request("POST", "/", headers | sized), CHUNK, bytes(target.count % len(CHUNK))),
    )


async def send_body(target: Target, head: bytes, chunk: bytes, end: bytes) -> None:
    async with target.line() as line:
        if line is None:
            return
        line.writer.write(head)
        answer = asyncio.create_task(target.note_answer(line))
        with suppress(OSError):
            for _ in range(target.count // len(CHUNK)):
                if answer.done():
                    break
                await line.send(chunk)
            else:
                await line.send(end)
        await answer


async def whole_bodies(target: Target) -> None:
    """Send ``count`` large bodies at once: first all but their last bytes, then those."""
    complete = asyncio.Barrier(target.count)

    async def send_whole_body() -> None:
        async with target.line() as line:
            with suppress(OSError):
                if line is not None:
                    length = {"Host": target.site, "Content-Length": str(len(BODY))}
                    await line.send(request("POST", "/review/import/", length, BODY[:-1]))
            await complete.wait()
            if line is not None:
                line.writer.write(BODY[-1:])
                await target.note_answer(line)

    await asyncio.gather(*(send_whole_body() for _ in range(target.count)))


async def chunks(target: Target) -> None:
    """Send bodies in chunks of one byte over ``count`` connections at a time."""
    head = request("POST", "/", {"Host": target.site, "Transfer-Encoding": "chunked"})

    async def flood() -> None:
        async with target.line() as line:
            if line is not None:
                await pour(line, head, ONE_BYTE_CHUNK, asyncio.create_task(target.note_answer(line)))

    await target.repeat(flood)


async def log_ins(target: Target) -> None:
    """Send ``count`` logins with wrong passwords at once, ten from each address."""
    async with target.line() as line:
        assert line
        form = await line.ask(request("GET", "/accounts/login/", {"Host": target.site}))
    cookie, token = COOKIE.search(form.headers["set-cookie"]), TOKEN.search(form.body)
    assert cookie
    assert token

    async def log_in(number: int) -> None:
        fields = {"csrfmiddlewaretoken": token[1], "login": f"nobody{number}", "password": "wrong"}
        data = urlencode(fields).encode()
        headers = {"Host": target.site, "Cookie": cookie[1], "Content-Length": str(len(data))}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        async with target.line(target.sources[number // 10 % len(target.sources)]) as line:
            if line is not None:
                target.note((await line.ask(request("POST", "/accounts/login/", headers, data))).status)

    await asyncio.gather(*map(log_in, range(target.count)))


async def sockets(target: Target) -> None:
    """Hold ``count`` sockets of a visitor at a table and send ``ready`` as often as the site allows."""

    async def hold() -> None:
        async with target.socket() as line:
            if line is not None:
                closing = asyncio.create_task(target.note_close(line))
                try:
                    await send_ready(line, closing)
                    await closing
                finally:
                    closing.cancel()
        await asyncio.sleep(RETRY_SECONDS)

    await target.repeat(hold)


async def send_ready(line: Line, closing: asyncio.Task[None]) -> None:
    with suppress(OSError):
        while not closing.done():
            await line.send(READY)
            await asyncio.sleep(READY_SECONDS)


async def reconnecting(target: Target) -> None:
    """Open ``count`` sockets at once, send eighteen frames, close, and begin again."""

    async def reconnect() -> None:
        async with target.socket() as line:
            if line is not None:
                with suppress(*CUT_OFF):
                    await line.send(BURST + frame((1000).to_bytes(2), CLOSE))
                    await line.reader.read()

    await target.repeat(reconnect)


async def flood_sockets(first: bytes, part: bytes, target: Target) -> None:
    """Send small frames over ``count`` sockets at a time."""

    async def flood() -> None:
        async with target.socket() as line:
            if line is not None:
                await pour(line, first, part, asyncio.create_task(target.note_close(line)))
                return
        await asyncio.sleep(READY_SECONDS)

    await target.repeat(flood)


async def pour(line: Line, first: bytes, part: bytes, answer: asyncio.Task[None]) -> None:
    """Send up to ``PARTS`` parts until there is an answer, and wait for it."""
    try:
        with suppress(OSError):
            line.writer.write(first)
            for _ in range(PARTS // PARTS_AT_ONCE):
                if answer.done():
                    break
                await line.send(part * PARTS_AT_ONCE)
        await answer
    finally:
        answer.cancel()


def fragments_of(payload: bytes) -> Callable[[Target], Awaitable[None]]:
    """Return a flood by one message with an endless number of fragments."""
    first, part = frame(payload, TEXT, last=False), frame(payload, CONTINUATION, last=False)
    return partial(flood_sockets, first, part)


KINDS: dict[str, Callable[[Target], Awaitable[None]]] = {
    **{attack.__name__: attack for attack in (pages, bodies, whole_bodies, chunks, log_ins, sockets, reconnecting)},
    "fragments": fragments_of(b"x"),
    "empty_fragments": fragments_of(b""),
    "pings": partial(flood_sockets, b"", frame(b"", PING)),
    "pongs": partial(flood_sockets, b"", frame(b"", PONG)),
}


def main() -> None:
    kind, target = KINDS[sys.argv[1]], Target(**json.loads(sys.argv[2]))
    # The measured players run on the same cores and have priority.
    os.nice(5)
    print("ready", flush=True)
    sys.stdin.readline()
    with suppress(TimeoutError):
        asyncio.run(asyncio.wait_for(kind(target), MAX_SECONDS))
    print(json.dumps(target.answers), flush=True)


if __name__ == "__main__":
    main()
