"""The benchmarks that attack: what they say on the line, and when they call an attack held."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.frames import Frame
from websockets.streams import StreamReader

from benchmarks.attack import ATTACKS, Figures, Waits
from benchmarks.attackers import KINDS
from benchmarks.wire import NOTHING, TEXT, Line, frame, request

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"


@asynccontextmanager
async def answering(*answers: bytes) -> AsyncIterator[Line]:
    """A connection to a server that gives these answers, one a request, and then cuts the line."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    line = await Line.open(server.sockets[0].getsockname()[1], "127.0.0.2")
    yield line
    line.close()
    server.close()


async def test_answers_of_every_shape_are_read_to_their_end() -> None:
    ask, peek = request("GET", "/", {"Host": "a"}), request("HEAD", "/", {})
    length = b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n"
    async with answering(b"HTTP/1.1 100 Continue\r\n\r\n" + CHUNKED, length, length + b"xyz", CHUNKED) as line:
        assert (await line.ask(ask)).body == b"abcde"
        assert (await line.ask(peek)).status == 404
        answer = await line.ask(ask)
        assert (answer.status, answer.headers, answer.body) == (404, {"content-length": "3"}, b"xyz")
        assert (await line.ask(ask)).body == b"abcde"
        assert await line.ask(ask) == NOTHING


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_is_what_other_implementations_read(size: int) -> None:
    payload = bytes(range(256)) * (size // 256 + 1)
    stream = StreamReader()
    stream.feed_data(frame(payload[:size], TEXT, last=False))
    parsing = Frame.parse(stream.read_exact, mask=True)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    assert (done.value.value.data, done.value.value.fin) == (payload[:size], False)


def figures(*, moves: int = 200, wait: float = 0.005, memory: float = 100.0, errors: int = 0) -> Figures:
    return Figures(Waits(10, 200, [0.005] * 200), Waits(10, moves, [wait] * moves), memory, errors=errors)


def test_an_attack_is_held_within_what_is_promised() -> None:
    assert figures(moves=180, wait=0.01, memory=300).verdict() == "held"
    assert figures(moves=179).verdict() == "moves"
    assert figures(wait=0.011).verdict() == "wait"
    assert figures(memory=301, errors=1).verdict() == "memory, errors"
    assert figures(moves=0).verdict() == "moves, wait"


def test_every_attack_has_its_attackers() -> None:
    assert {attack.kind for attack in ATTACKS.values()} == set(KINDS)
