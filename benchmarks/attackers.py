"""What attackers do, in a process of their own: ``python -m benchmarks.attackers KIND '{"port": 8000, ...}'``.

Says "here", begins when a line comes in, and prints which answers came, as one JSON object. Loopback only.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlencode

from benchmarks.floods import chunks, empty_fragments, fragments, pings, pongs, whole_bodies
from benchmarks.target import READY_SECONDS, Target, open_socket, read, until_end
from benchmarks.wire import CLOSE, CUT, CUT_OFF, Line, frame, request

PATIENCE = 90
"""Seconds after which an attack that has not ended is given up."""
CHUNK = bytes(2**16)
READY = frame(b'{"type": "ready"}')
BURST = frame(b'{"type": "seen"}') * 18
RETRY_SECONDS = 5
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
COOKIE = re.compile(r"(csrftoken=\w+)")


async def pages(target: Target) -> None:
    """Ask for the lobby, ``count`` times, twenty at once."""
    tickets = iter(range(target.count))
    await asyncio.gather(*(read_pages(target, tickets) for _ in range(20)))


async def read_pages(target: Target, tickets: Iterator[int]) -> None:
    page = request("GET", "/", {"Host": target.site})
    line, source = None, target.sources[0]
    for _ticket in tickets:
        try:
            line = line or await Line.open(target.port, source)
        except OSError:
            target.note(CUT)
            continue
        answer = await line.ask(page)
        target.note(answer.status)
        if answer.status == CUT or answer.headers.get("connection", "").lower() == "close":
            line.close()
            line = None


async def bodies(target: Target) -> None:
    """Send two bodies of ``count`` bytes at once: one says how long it is, the other comes in chunks."""
    await asyncio.gather(*(body(target, chunked=chunked) for chunked in (False, True)))


async def body(target: Target, *, chunked: bool) -> None:
    length = {"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(target.count)}
    chunk = f"{len(CHUNK):x}\r\n".encode() + CHUNK + b"\r\n" if chunked else CHUNK
    async with target.line(target.sources[0]) as line:
        if line is None:
            return
        line.writer.write(request("POST", "/", {"Host": target.site} | length))
        answered = asyncio.create_task(line.ask(b""))
        with suppress(OSError):
            for _ in range(target.count // len(CHUNK)):
                if answered.done():
                    break
                await line.send(chunk)
            else:
                await line.send(b"0\r\n\r\n" if chunked else bytes(target.count % len(CHUNK)))
        target.note((await answered).status)


async def log_ins(target: Target) -> None:
    """Send ``count`` log-ins with wrong passwords at once, ten from each address."""
    sources = [target.sources[number // 10 % len(target.sources)] for number in range(target.count)]
    form = await login_form(target)
    await asyncio.gather(*(log_in(target, source, number, *form) for number, source in enumerate(sources)))


async def login_form(target: Target) -> tuple[str, str]:
    """Return the cookie and the token of the form."""
    async with target.line(target.sources[0]) as line:
        assert line
        answer = await line.ask(request("GET", "/accounts/login/", {"Host": target.site}))
    cookie, token = COOKIE.search(answer.headers["set-cookie"]), TOKEN.search(answer.body)
    assert cookie
    assert token
    return cookie[1], token[1].decode()


async def log_in(target: Target, source: str, number: int, cookie: str, token: str) -> None:
    fields = {"csrfmiddlewaretoken": token, "login": f"nobody{number}", "password": "wrong"}
    data = urlencode(fields).encode()
    kind = "application/x-www-form-urlencoded"
    headers = {"Host": target.site, "Cookie": cookie, "Content-Type": kind, "Content-Length": str(len(data))}
    async with target.line(source) as line:
        if line is not None:
            target.note((await line.ask(request("POST", "/accounts/login/", headers, data))).status)


async def sockets(target: Target) -> None:
    """Hold ``count`` sockets of a visitor at a table and send ``ready`` as often as the site allows."""
    await until_end(target, hold_socket)


async def reconnecting(target: Target) -> None:
    """Open ``count`` sockets at once, send eighteen frames, close, again."""
    await until_end(target, open_and_close)


async def hold_socket(target: Target) -> None:
    """Send ``ready`` until the site closes; then come back after a while."""
    async with open_socket(target) as line:
        if line is not None:
            reading = asyncio.create_task(read(target, line))
            try:
                await send_ready(line, reading)
                await reading
            finally:
                reading.cancel()
    await asyncio.sleep(RETRY_SECONDS)


async def send_ready(line: Line, reading: asyncio.Task[None]) -> None:
    with suppress(OSError):
        while not reading.done():
            await line.send(READY)
            await asyncio.sleep(READY_SECONDS)


async def open_and_close(target: Target) -> None:
    async with open_socket(target) as line:
        if line is not None:
            with suppress(*CUT_OFF):
                await line.send(BURST + frame((1000).to_bytes(2), CLOSE))
                await line.reader.read()


FLOODS = (fragments, empty_fragments, pings, pongs, chunks, whole_bodies)
KINDS = {each.__name__: each for each in (pages, bodies, log_ins, sockets, reconnecting, *FLOODS)}


def main() -> None:
    kind, target = KINDS[sys.argv[1]], Target(**json.loads(sys.argv[2]))
    # Those whose moves are measured run on the same cores and come first.
    os.nice(5)
    print("here", flush=True)
    sys.stdin.readline()
    with suppress(TimeoutError):
        asyncio.run(asyncio.wait_for(kind(target), PATIENCE))
    print(json.dumps(target.answers), flush=True)


if __name__ == "__main__":
    main()
