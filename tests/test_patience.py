"""A browser that does not read holds up its own socket only, and then sees the newest view."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from twisted.internet.testing import StringTransport

from domino_site.patience import PatientServer, PatientSocket, Valve


def opened_socket() -> PatientSocket:
    socket = PatientSocket()
    socket.transport = StringTransport()
    socket.transport.registerProducer(object(), True)
    socket.server = SimpleNamespace(log_action=lambda *_: None, protocol_disconnected=lambda _: None)
    socket.client_addr, socket.request = None, SimpleNamespace(path="/")
    socket.onOpen()
    return socket


def test_a_socket_hears_from_its_transport_when_too_much_waits():
    socket = opened_socket()
    assert isinstance(socket.transport.producer, Valve)
    socket.transport.producer.pauseProducing()
    assert not socket.valve.open.is_set()
    socket.transport.producer.resumeProducing()
    assert socket.valve.open.is_set()


async def test_the_sender_waits_for_its_own_browser_only(monkeypatch):
    server = PatientServer.__new__(PatientServer)
    slow, quick = opened_socket(), opened_socket()
    server.connections = {slow: {}, quick: {}}
    sent = []
    monkeypatch.setattr(PatientSocket, "handle_reply", lambda self, message: sent.append(self))
    slow.valve.pauseProducing()
    waiting = asyncio.create_task(server.handle_reply(slow, {"type": "websocket.send"}))
    await asyncio.sleep(0)
    await server.handle_reply(quick, {"type": "websocket.send"})
    assert [each is slow for each in sent] == [True, False]
    assert not waiting.done()
    slow.valve.resumeProducing()
    await waiting


async def test_nobody_waits_for_a_socket_that_closed():
    socket = opened_socket()
    socket.valve.pauseProducing()
    socket.muted = True
    socket.onClose(False, 1006, "")
    await asyncio.wait_for(socket.valve.open.wait(), 1)
