"""The server's own protocols on a line without a network, before the real site or an application of the test's."""

from __future__ import annotations

import asyncio
from typing import Any

from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from games.management.commands.serve import create_web_server


class ServerConnection(StringTransport):
    """One connection: what a browser says to the server, and ``received`` from it.

    For the limits of the line time passes only when its ``clock`` is advanced.
    """

    def __init__(self, application: Any = None, descriptor: int = 10) -> None:
        super().__init__()
        self.descriptor = descriptor
        server = create_web_server("localhost", 0, None)
        # As in ``Server.run``; the reactor of asyncio is installed by now.
        from daphne.http_protocol import HTTPFactory
        from daphne.ws_protocol import WebSocketFactory

        server.application = application or server.application
        server.connections = {}
        server.http_factory, server.ws_factory = HTTPFactory(server), WebSocketFactory(server)
        server.set_protocols()
        self.server, self.clock = server, Clock()
        server.http_factory.reactor = self.clock
        # Replaced by daphne when the line becomes a socket.
        self.protocol = server.http_factory.buildProtocol(None)
        self.protocol.makeConnection(self)

    # What Twisted's own transport has, of which nothing ever waits here.
    dataBuffer = b""
    _tempDataBuffer = ()

    def fileno(self) -> int:
        return self.descriptor

    def writeSomeData(self, data: bytes) -> int:
        self.write(data)
        return len(data)

    def send(self, data: bytes) -> None:
        self.protocol.dataReceived(data)

    @property
    def received(self) -> bytes:
        return self.value()

    @property
    def closed(self) -> bool:
        return self.disconnecting or self.disconnected

    async def receive_until(self, content: bytes) -> bytes:
        """Return what has been heard when it holds this. Raise ``TimeoutError`` when the line stays without it."""
        async with asyncio.timeout(10):
            while content not in self.received:
                await asyncio.sleep(0.005)
        return self.received

    async def exchange(self, request: bytes) -> bytes:
        """Say a request that asks for the line to be closed, and return all of the answer."""
        self.send(request)
        async with asyncio.timeout(10):
            while not self.closed:
                await asyncio.sleep(0.005)
        return self.received

    async def disconnect(self) -> None:
        """Cut the line, and wait until the application has ended."""
        self.protocol.connectionLost(Failure(ConnectionDone()))
        applications = [connection.get("application_instance") for connection in self.server.connections.values()]
        await asyncio.wait_for(asyncio.gather(*filter(None, applications)), 10)


def http_request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Return a request of a browser that keeps no line open; underlines in the names of headers stand for hyphens."""
    sent = {"Host": "localhost", "Connection": "close"}
    if body:
        sent |= {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin1") + body


def websocket_request(path: str, **headers: str) -> bytes:
    """Return the request that opens a socket from the site's own page."""
    headers_of_upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Origin": "http://localhost"}
    key = {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec_WebSocket_Version": "13"}
    return http_request("GET", path, b"", **(headers_of_upgrade | key | headers))
