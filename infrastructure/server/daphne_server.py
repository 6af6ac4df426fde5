"""Daphne's server with the protocols of this package."""

from __future__ import annotations

import asyncio
from typing import Any

from daphne.http_protocol import WebRequest
from daphne.server import Server
from twisted.internet import defer, reactor

from infrastructure.server.backpressure import apply_to_stream
from infrastructure.server.connection import ASGI_EXTENSION, Connection
from infrastructure.server.http import BoundedChannel
from infrastructure.server.websocket import BoundedSocket

STOP_SECONDS = 10


class BoundedServer(Server):
    """A server in which each application waits for its own slow browser."""

    # mypy would take the factories' protocols, which are attributes, for methods.
    http_factory: Any
    ws_factory: Any

    def run(self) -> None:
        # The factories are made by ``run`` itself.
        reactor.callWhenRunning(self.set_protocols)
        super().run()

    def set_protocols(self) -> None:
        self.http_factory.protocol = BoundedChannel
        self.ws_factory.protocol = BoundedSocket

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] == "websocket":
            scope["extensions"] = {ASGI_EXTENSION: Connection(protocol)}
        queue = super().create_application(protocol, scope)
        if queue is not None and scope["type"] == "http":
            protocol.keep_place_until(self.connections[protocol]["application_instance"])
        return queue

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            apply_to_stream(protocol, more=message.get("more_body", False))
        await super().handle_reply(protocol, message)
        backpressure = getattr(protocol, "backpressure", None)
        if backpressure and not backpressure.writable.is_set():
            await backpressure.wait(protocol.transport)

    def kill_all_applications(self) -> defer.Deferred[None]:
        """Accept nothing new, close the sockets, and wait for the pages in progress.

        A cancelled page would leave a thread that waits for the event loop for ever, so the process would never end.
        """
        self.application = ignore_request
        return defer.Deferred.fromFuture(asyncio.ensure_future(self.end_applications()))

    async def end_applications(self) -> None:
        # A request that is not complete has no application yet.
        tasks = [(protocol, details.get("application_instance")) for protocol, details in self.connections.items()]
        running = [(protocol, task) for protocol, task in tasks if task is not None and not task.done()]
        for protocol, task in running:
            if not isinstance(protocol, WebRequest):
                task.cancel()
        if running:
            await asyncio.wait([task for _protocol, task in running], timeout=STOP_SECONDS)


async def ignore_request(scope: Any, receive: Any, send: Any) -> None:
    """Do not answer a request, because its connection is about to be closed."""
