"""Attackers that send many small parts, or many bodies at once."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from benchmarks.target import READY_SECONDS, Target, open_socket, read, until_end
from benchmarks.wire import CONTINUATION, PING, PONG, TEXT, Line, frame, request

PARTS = 100_000  # small frames or chunks that a connection sends, as fast as the site takes them
AT_ONCE = 5_000
ONE_BYTE_CHUNK = b"1\r\nx\r\n"
BODY = bytes(1_090_000)


async def fragments(target: Target) -> None:
    """Send messages of endless one-byte fragments over ``count`` sockets at a time."""
    await flood_sockets(target, frame(b"x", TEXT, last=False), frame(b"x", CONTINUATION, last=False))


async def empty_fragments(target: Target) -> None:
    """Send messages of endless fragments without any byte over ``count`` sockets at a time."""
    await flood_sockets(target, frame(b"", TEXT, last=False), frame(b"", CONTINUATION, last=False))


async def pings(target: Target) -> None:
    """Send pings over ``count`` sockets at a time."""
    await flood_sockets(target, b"", frame(b"", PING))


async def pongs(target: Target) -> None:
    """Send pongs that nobody asked for over ``count`` sockets at a time."""
    await flood_sockets(target, b"", frame(b"", PONG))


async def flood_sockets(target: Target, first: bytes, part: bytes) -> None:
    async def flood(target: Target) -> None:
        async with open_socket(target) as line:
            if line is not None:
                await pour(line, first, part, asyncio.create_task(read(target, line)))
                return
        await asyncio.sleep(READY_SECONDS)

    await until_end(target, flood)


async def pour(line: Line, first: bytes, part: bytes, answered: asyncio.Task[None]) -> None:
    """Send ``PARTS`` parts, but no more once there is an answer, and wait for it."""
    try:
        with suppress(OSError):
            line.writer.write(first)
            for _ in range(PARTS // AT_ONCE):
                if answered.done():
                    break
                await line.send(part * AT_ONCE)
        await answered
    finally:
        answered.cancel()


async def chunks(target: Target) -> None:
    """Send bodies in chunks of one byte over ``count`` connections at a time."""

    async def flood(target: Target) -> None:
        async with target.line(target.sources[0]) as line:
            if line is not None:
                head = request("POST", "/", {"Host": target.site, "Transfer-Encoding": "chunked"})
                await pour(line, head, ONE_BYTE_CHUNK, asyncio.create_task(note_answer(target, line)))

    await until_end(target, flood)


async def whole_bodies(target: Target) -> None:
    """Send ``count`` large bodies at once: first all but their last bytes, then those."""
    complete = asyncio.Barrier(target.count)

    async def send_body() -> None:
        async with target.line(target.sources[0]) as line:
            with suppress(OSError):
                if line is not None:
                    length = {"Host": target.site, "Content-Length": str(len(BODY))}
                    await line.send(request("POST", "/review/import/", length, BODY[:-1]))
            await complete.wait()
            if line is not None:
                line.writer.write(BODY[-1:])
                await note_answer(target, line)

    await asyncio.gather(*(send_body() for _ in range(target.count)))


async def note_answer(target: Target, line: Line) -> None:
    target.note((await line.ask(b"")).status)
