"""A browser that does not read holds up its own socket only, and then sees the newest view."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import daphne.server  # noqa: F401  the reactor of asyncio, before Twisted takes another
import pytest
from twisted.internet.testing import StringTransport
from twisted.web.http import HTTPChannel, Request
from twisted.web.test.requesthelper import DummyChannel

from infrastructure.server import backpressure, websocket
from infrastructure.server.backpressure import Backpressure, apply_to_stream
from infrastructure.server.daphne_server import BoundedServer
from infrastructure.server.websocket import BoundedSocket


def opened_socket() -> BoundedSocket:
    socket = BoundedSocket()
    socket.transport = StringTransport()
    socket.transport.registerProducer(object(), True)
    socket.server = SimpleNamespace(log_action=lambda *_: None, protocol_disconnected=lambda _: None)
    socket.client_addr, socket.request, socket.closedByMe = None, SimpleNamespace(path="/"), False
    socket.onOpen()
    return socket


def test_transport_pauses_the_socket_when_too_much_waits() -> None:
    socket = opened_socket()
    assert isinstance(socket.transport.producer, Backpressure)
    socket.transport.producer.pauseProducing()
    assert not socket.backpressure.writable.is_set()
    socket.transport.producer.resumeProducing()
    assert socket.backpressure.writable.is_set()


async def test_sender_waits_only_for_its_own_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    server = BoundedServer.__new__(BoundedServer)
    slow, quick = opened_socket(), opened_socket()
    server.connections = {slow: {}, quick: {}}
    sent = []
    monkeypatch.setattr(BoundedSocket, "handle_reply", lambda self, message: sent.append(self))
    slow.backpressure.pauseProducing()
    waiting = asyncio.create_task(server.handle_reply(slow, {"type": "websocket.send"}))
    await asyncio.sleep(0)
    await server.handle_reply(quick, {"type": "websocket.send"})
    assert [socket is slow for socket in sent] == [True, False]
    assert not waiting.done()
    slow.backpressure.resumeProducing()
    await waiting


async def test_a_browser_that_never_reads_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backpressure, "MAX_STALL_SECONDS", 0)
    server = BoundedServer.__new__(BoundedServer)
    deaf = opened_socket()
    server.connections = {deaf: {}}
    monkeypatch.setattr(BoundedSocket, "handle_reply", lambda self, message: None)
    deaf.backpressure.pauseProducing()
    await asyncio.wait_for(server.handle_reply(deaf, {"type": "websocket.send"}), 5)
    assert deaf.transport.disconnected


def test_the_lag_is_that_of_the_slowest_of_the_last_three_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    socket, now = opened_socket(), 0.0
    monkeypatch.setattr(websocket, "time", SimpleNamespace(monotonic=lambda: now))
    requests: list[bytes] = []
    monkeypatch.setattr(socket, "sendPing", requests.append)
    lags = []
    for seconds in (0.81, 0.02, 0.03, 0.04):
        lags.append(socket.lag_ms)
        socket.ping_browser()
        now += seconds
        socket.onPong(b"of another ping")
        socket.onPong(requests[-1])
    assert [*lags, socket.lag_ms] == [None, 900, 900, 900, 100]


class Line(StringTransport):
    """A line that takes so many bytes at once; what Twisted would send in the loop's next round is in ``value``."""

    dataBuffer = b""

    def __init__(self, takes: int) -> None:
        super().__init__()
        self._tempDataBuffer: list[bytes] = []
        self.takes, self.sent = takes, b""

    def writeSomeData(self, data: bytes) -> int:
        self.sent += data[: self.takes]
        return min(len(data), self.takes)


def socket_on(line: Line) -> BoundedSocket:
    socket: Any = opened_socket()
    socket.transport, socket.send_queue, socket.state = line, [], BoundedSocket.STATE_OPEN
    socket.peer, socket.logOctets = "", False
    socket.trafficStats = SimpleNamespace(outgoingOctetsWireLevel=0)
    return socket


def test_data_is_written_immediately_as_far_as_possible() -> None:
    socket = socket_on(Line(takes=4))
    socket.sendData(b"whole")
    assert (socket.transport.sent, socket.transport.value()) == (b"whol", b"e")


def test_waiting_data_is_sent_first() -> None:
    socket = socket_on(Line(takes=4))
    socket.transport._tempDataBuffer.append(b"before")
    socket.sendData(b"after")
    assert (socket.transport.sent, socket.transport.value()) == (b"", b"after")


def test_lost_connection_is_left_to_twisted() -> None:
    socket = socket_on(Line(takes=4))
    socket.transport.writeSomeData = lambda data: ConnectionError()
    socket.sendData(b"whole")
    assert socket.transport.value() == b"whole"


@pytest.mark.parametrize("state", [BoundedSocket.STATE_CLOSING, BoundedSocket.STATE_CLOSED])
def test_messages_to_a_closing_browser_are_dropped(state: int) -> None:
    socket = socket_on(Line(takes=4))
    socket.state = state
    socket.handle_reply({"type": "websocket.send", "text": "whole"})
    socket.handle_reply({"type": "websocket.close", "code": 4401})
    assert (socket.transport.sent, socket.transport.value()) == (b"", b"")


async def test_closing_a_socket_ends_the_wait() -> None:
    socket = opened_socket()
    socket.backpressure.pauseProducing()
    socket.muted = True
    socket.onClose(False, 1006, "")
    await asyncio.wait_for(socket.backpressure.writable.wait(), 1)


def test_stream_waits_for_its_browser() -> None:
    request: Any = Request(cast(HTTPChannel, DummyChannel()), False)
    apply_to_stream(request, more=True)
    backpressure = request.backpressure
    apply_to_stream(request, more=True)
    assert request.backpressure is backpressure
    backpressure.pauseProducing()
    assert not backpressure.writable.is_set()
    request.producer.stopProducing()
    assert backpressure.writable.is_set(), "the browser is gone"
    apply_to_stream(request, more=False)
    assert (request.producer, hasattr(request, "backpressure")) == (None, False)
