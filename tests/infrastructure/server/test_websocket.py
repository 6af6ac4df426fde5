"""One connection cannot keep the event loop busy with small frames, whatever their kind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.wire import CLOSE, CONTINUATION, PING, PONG, TEXT, encode_frame
from infrastructure.server.websocket import FRAME_BURST, MAX_MESSAGE_BYTES
from infrastructure.socket_limits import FLOOD_CODE
from tests.wire import ServerConnection, websocket_request

READ_BYTES = 2**16  # what Twisted reads from a connection at once
CPU_SECONDS = 0.05

FLOODS = {
    "one-byte fragments": (encode_frame(b"x", TEXT, last=False), encode_frame(b"x", CONTINUATION, last=False)),
    "empty fragments": (encode_frame(b"", TEXT, last=False), encode_frame(b"", CONTINUATION, last=False)),
    "pings": (encode_frame(b"", PING),) * 2,
    "pings with a payload": (encode_frame(b"x" * 125, PING),) * 2,
    "pongs": (encode_frame(b"", PONG),) * 2,
    "messages": (encode_frame(b"", TEXT),) * 2,
}


class Site:
    """An application that accepts a socket and keeps the messages it receives."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.close_code = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            self.messages.append(message)
        self.close_code = message["code"]


async def connect(site: Any) -> ServerConnection:
    line = ServerConnection(site)
    line.send(websocket_request("/ws/lobby/"))
    await line.receive_until(b"\r\n\r\n")
    line.clear()
    return line


def reads(frames: tuple[bytes, ...], count: int) -> Iterator[bytes]:
    """Yield ``count`` frames as they arrive from the network."""
    first, rest = frames
    data = first + rest * (count - 1)
    return (data[start : start + READ_BYTES] for start in range(0, len(data), READ_BYTES))


@pytest.mark.parametrize("kind", FLOODS)
async def test_flood_of_frames_is_closed_before_it_costs_processor_time(kind: str) -> None:
    site = Site()
    line = await connect(site)
    used = 0.0
    for data in reads(FLOODS[kind], 100_000):
        begun = time.thread_time()
        line.send(data)
        used += time.thread_time() - begun
        if line.producerState != "producing":
            break
    assert line.producerState == "paused", "the kernel must make the sender wait"
    assert line.received.endswith(bytes([128 | CLOSE, 2]) + FLOOD_CODE.to_bytes(2))
    assert used < CPU_SECONDS
    assert line.protocol.data == b""
    line.protocol.onCloseHandshakeTimeout()
    assert line.disconnected
    await line.disconnect()
    assert site.close_code == FLOOD_CODE, "not a connection that was lost"


async def test_frames_at_the_pace_of_a_page_are_all_received() -> None:
    site = Site()
    line = await connect(site)
    for _ in range(FRAME_BURST // 2):
        line.send(encode_frame(b"{}", TEXT) + encode_frame(b"", PONG))
    assert line.producerState == "producing"
    await line.disconnect()
    assert len(site.messages) == FRAME_BURST // 2


async def test_message_in_fragments_is_as_short_as_one_in_a_single_frame() -> None:
    site = Site()
    line = await connect(site)
    half = b"x" * (MAX_MESSAGE_BYTES // 2)
    line.send(encode_frame(half, TEXT, last=False) + encode_frame(half, CONTINUATION))
    assert line.producerState == "producing"
    line.send(
        encode_frame(half, TEXT, last=False)
        + encode_frame(half, CONTINUATION, last=False)
        + encode_frame(b"x", CONTINUATION)
    )
    assert line.received.startswith(bytes([128 | CLOSE, 2]) + (1009).to_bytes(2))
    assert line.producerState == "paused"
    await line.disconnect()
    assert [len(message["text"]) for message in site.messages] == [MAX_MESSAGE_BYTES]


async def test_socket_that_is_not_open_yet_stores_little() -> None:
    """A page sends nothing before its socket is open."""

    async def undecided(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["type"] != "websocket.disconnect":
            pass

    line = ServerConnection(undecided)
    line.send(websocket_request("/ws/lobby/"))
    line.send(b"x" * MAX_MESSAGE_BYTES)
    assert not line.closed
    line.send(b"x")
    assert line.disconnected
