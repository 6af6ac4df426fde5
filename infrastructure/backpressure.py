"""Backpressure: the sender waits for slow browsers, and sockets skip versions. Daphne would buffer everything."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import deque
from contextlib import suppress
from typing import Any

from autobahn.exception import Disconnected
from daphne.http_protocol import WebRequest
from daphne.server import Server
from twisted.internet import defer, reactor
from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer

from infrastructure.bounds import BoundedChannel
from infrastructure.frame_limits import PacedSocket
from infrastructure.prepared_messages import EXTENSION, PreparedLine

SEND_SECONDS = 90
PINGS = 3
"""Of so many answers the slowest counts: the next one may be as slow."""
LAG_STEP_MS = 100
STOP_SECONDS = 10


@implementer(IPushProducer)
class Backpressure:
    """Told by Twisted to pause while more than 64 kB wait to be sent to a browser."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()

    def pauseProducing(self) -> None:
        self.open.clear()

    def resumeProducing(self) -> None:
        self.open.set()

    def stopProducing(self) -> None:
        self.open.set()


class BackpressureSocket(PacedSocket):
    """A socket whose sender waits for its browser."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.asked_at: dict[bytes, float] = {}
        self.lags: deque[float] = deque(maxlen=PINGS)

    def onOpen(self) -> None:
        self.backpressure = Backpressure()
        # Until now the HTTP protocol was the producer; it has nothing to send any more.
        self.transport.unregisterProducer()
        self.transport.registerProducer(self.backpressure, True)
        super().onOpen()

    def onMessageEnd(self) -> None:
        """Hand on a message. Autobahn would also tell its listeners, of which there are none."""
        if not self.failedByMe:
            self._onMessage(b"".join(self.message_data), self.message_is_binary)
        self.message_data = []

    def measure(self) -> None:
        """Ask the browser for an answer, which browsers give whatever their pages do."""
        payload = os.urandom(8)
        self.asked_at = {payload: time.monotonic()}
        self.sendPing(payload)

    def onPong(self, payload: bytes) -> None:
        if (asked_at := self.asked_at.pop(payload, None)) is not None:
            self.lags.append(time.monotonic() - asked_at)

    @property
    def lag_ms(self) -> int | None:
        """Return the longest of the last answers' times, rounded up to ``LAG_STEP_MS``."""
        return math.ceil(max(self.lags) * 1000 / LAG_STEP_MS) * LAG_STEP_MS if self.lags else None

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:
        """Drop what is sent after the browser closed; the application learns of that only later."""
        with suppress(Disconnected):
            super().serverSend(content, binary)

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        """Write at once what the connection takes. Twisted would wait for the next turn of the event loop."""
        sent = 0
        if self.transport.connected and not self.waits():
            sent = self.transport.writeSomeData(data)
        if sent != len(data):  # something waits, or the connection is lost, which Twisted notices itself
            super().sendData(data[sent:] if isinstance(sent, int) else data, sync, chopsize)

    def waits(self) -> bool:
        """Return whether something has to be sent first.

        Twisted has two buffers for what waits, and no public name for the one that is not joined yet.
        """
        return bool(self.send_queue or self.transport.dataBuffer or self.transport._tempDataBuffer)

    def onClose(self, wasClean: bool, code: int, reason: str) -> None:
        if backpressure := getattr(self, "backpressure", None):
            backpressure.open.set()
        if hasattr(self, "server"):  # otherwise the handshake failed before daphne knew of it
            super().onClose(wasClean, code, reason)


def hold_stream(request: Any, *, more: bool) -> None:
    """Make a streamed answer wait for its browser too, until its last part."""
    if request.channel is None:  # the browser is gone
        return
    if more and request.producer is None:
        request.backpressure = Backpressure()
        request.registerProducer(request.backpressure, True)
    elif not more and request.producer is not None:
        request.unregisterProducer()
        del request.backpressure


class BackpressureServer(Server):
    """A server in which each application waits for its own slow browser."""

    # mypy would take the factories' protocols, which are attributes, for methods.
    http_factory: Any
    ws_factory: Any

    def run(self) -> None:
        # The factories are made by ``run`` itself.
        reactor.callWhenRunning(self.equip)
        super().run()

    def equip(self) -> None:
        """Set our own protocols in the factories."""
        self.http_factory.protocol = BoundedChannel
        self.ws_factory.protocol = BackpressureSocket

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] == "websocket":
            scope["extensions"] = {EXTENSION: PreparedLine(protocol)}
        queue = super().create_application(protocol, scope)
        if queue is not None and scope["type"] == "http":
            protocol.hold_until(self.connections[protocol]["application_instance"])
        return queue

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            hold_stream(protocol, more=message.get("more_body", False))
        await super().handle_reply(protocol, message)
        backpressure = getattr(protocol, "backpressure", None)
        if backpressure and not backpressure.open.is_set():
            await end_of_wait(protocol, backpressure)

    def kill_all_applications(self) -> defer.Deferred[None]:
        """Accept nothing new, end the sockets, and wait for the pages in progress.

        A cancelled page would leave a thread that waits for the loop for ever, and the process would never end.
        """
        self.application = nothing
        return defer.Deferred.fromFuture(asyncio.ensure_future(self.end_all()))

    async def end_all(self) -> None:
        # A request that is not complete has no application yet.
        tasks = [(protocol, facts.get("application_instance")) for protocol, facts in self.connections.items()]
        running = [(protocol, task) for protocol, task in tasks if task is not None and not task.done()]
        for protocol, task in running:
            if not isinstance(protocol, WebRequest):
                task.cancel()
        if running:
            await asyncio.wait([task for _protocol, task in running], timeout=STOP_SECONDS)


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """Leave a request without an answer: the connection is closed in a moment."""


async def end_of_wait(protocol: Any, backpressure: Backpressure) -> None:
    """Wait until a browser reads on, and close the connection if it does not: what waits for it takes memory."""
    try:
        async with asyncio.timeout(SEND_SECONDS):
            await backpressure.open.wait()
    except TimeoutError:
        protocol.transport.abortConnection()
