"""A server that stops: it finishes what it has received, and closes sockets so that their pages come back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from benchmarks.wire import CLOSE, TEXT, encode_frame
from infrastructure.server import daphne_server
from infrastructure.server.connection import RESTART_CODE, STREAM_HEADER, STREAM_RESTART_MESSAGE
from tests.wire import ServerConnection, http_request, websocket_request

RESTART_PAYLOAD = RESTART_CODE.to_bytes(2, "big")
ANSWER = {"type": "http.response.body", "body": b"done"}


async def stop(line: ServerConnection) -> None:
    await line.server.kill_all_applications().asFuture(asyncio.get_running_loop())


async def test_incomplete_request_does_not_delay_the_stop() -> None:
    line = ServerConnection()
    line.send(b"GET / HTTP/1.1\r\n")
    await asyncio.wait_for(stop(line), 5)


async def test_page_is_finished_and_its_connection_closed() -> None:
    may_finish = asyncio.Event()

    async def page(scope: Any, receive: Any, send: Any) -> None:
        await may_finish.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send(ANSWER)

    line = ServerConnection(page)
    line.send(http_request("GET", "/", Connection="keep-alive"))
    stopping = asyncio.create_task(stop(line))
    await asyncio.sleep(0.02)
    assert not stopping.done()
    may_finish.set()
    await asyncio.wait_for(stopping, 5)
    assert b"Connection: close" in line.received
    assert line.received.endswith(b"done")
    assert line.closed


async def test_stream_is_asked_to_end() -> None:
    async def stream(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [STREAM_HEADER]})
        await send({"type": "http.response.body", "body": b"{}\n", "more_body": True})
        assert await receive() == STREAM_RESTART_MESSAGE
        await send({"type": "http.response.body", "body": b"end"})

    line = ServerConnection(stream)
    line.send(http_request("GET", "/"))
    await line.receive_until(b"{}\n")
    await asyncio.wait_for(stop(line), 5)
    assert b"end" in line.received


async def open_socket(site: Any) -> ServerConnection:
    line = ServerConnection(site)
    line.send(websocket_request("/ws/lobby/"))
    await line.receive_until(b"\r\n\r\n")
    line.clear()
    return line


class SlowSite:
    """An application that takes a while for each message, and closes when the server stops."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            if message["type"] == "websocket.restart":
                await send({"type": "websocket.close", "code": RESTART_CODE})
                continue
            await asyncio.sleep(0.02)
            self.messages.append(message["text"])
            await send({"type": "websocket.send", "text": f"got {message['text']}"})


async def test_socket_closes_after_the_messages_that_arrived_before() -> None:
    line = await open_socket(site := SlowSite())
    for text in (b"first", b"second"):
        line.send(encode_frame(text, TEXT))
    stopping = asyncio.create_task(stop(line))
    received = await line.receive_until(RESTART_PAYLOAD)
    assert received.index(b"got first") < received.index(b"got second") < received.index(RESTART_PAYLOAD)
    line.send(encode_frame(b"late", TEXT))  # sent before the browser saw the close frame
    line.send(encode_frame(RESTART_PAYLOAD, CLOSE))
    await line.disconnect()
    await asyncio.wait_for(stopping, 5)
    assert site.messages == ["first", "second", "late"]


async def test_socket_opened_on_an_open_connection_is_closed_too() -> None:
    line = ServerConnection(SlowSite())
    line.server.is_stopping = True
    line.send(websocket_request("/ws/lobby/"))
    await line.receive_until(RESTART_PAYLOAD)


async def test_socket_that_does_not_close_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daphne_server, "STOP_SECONDS", 0.02)
    ended = asyncio.Event()

    async def deaf(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    await asyncio.wait_for(stop(await open_socket(deaf)), 5)
    assert ended.is_set()
