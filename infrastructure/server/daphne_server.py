"""Daphne's server with the protocols of this package, which stops without losing what it has received."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from daphne.http_protocol import WebRequest
from daphne.server import Server
from twisted.internet import defer, reactor

from infrastructure.server.backpressure import apply_to_stream
from infrastructure.server.connection import ASGI_EXTENSION, Connection
from infrastructure.server.http import BoundedChannel
from infrastructure.server.websocket import BoundedSocket

STOP_SECONDS = 10
CANCEL_SECONDS = 1


class BoundedServer(Server):
    """A server in which each application waits for its own slow browser."""

    # mypy would take the factories' protocols, which are attributes, for methods.
    http_factory: Any
    ws_factory: Any
    is_stopping = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.ports: list[Any] = []
        self.after_applications: list[Callable[[], Awaitable[None]]] = []  # called when the last one has ended

    def run(self) -> None:
        # The factories are made by ``run`` itself.
        reactor.callWhenRunning(self.set_protocols)
        super().run()

    def set_protocols(self) -> None:
        self.http_factory.protocol = BoundedChannel
        self.ws_factory.protocol = BoundedSocket

    def listen_success(self, port: Any) -> None:
        self.ports.append(port)
        super().listen_success(port)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] == "websocket":
            scope["extensions"] = {ASGI_EXTENSION: Connection(protocol)}
        queue = super().create_application(protocol, scope)
        if queue is not None and scope["type"] == "http":
            protocol.keep_place_until(self.connections[protocol]["application_instance"])
        if queue is not None and self.is_stopping:  # it arrived on a connection that was open
            asyncio.get_running_loop().call_soon(protocol.stop_soon)
        return queue

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            apply_to_stream(protocol, more=message.get("more_body", False))
        await super().handle_reply(protocol, message)
        backpressure = getattr(protocol, "backpressure", None)
        if backpressure and not backpressure.writable.is_set():
            await backpressure.wait_until_writable(protocol.transport)

    def kill_all_applications(self) -> defer.Deferred[None]:
        """Accept no more connections, and let the applications callback what they have received."""
        self.is_stopping = True
        for port in self.ports:
            port.doRead()  # browsers that are connected already would lose their requests
            port.stopListening()
        return defer.Deferred.fromFuture(asyncio.ensure_future(self.end_applications()))

    async def end_applications(self) -> None:
        """Have pages close their connections and sockets close with "service restart", and wait for both.

        A page that takes too long is not cancelled: it would leave a thread that waits for the event loop for ever, so
        the process would never end.
        """
        for protocol in self.running_applications():
            protocol.stop_soon()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                while running := self.running_applications():
                    await asyncio.wait(running.values())
        except TimeoutError:
            await self.cancel_sockets()
        for callback in self.after_applications:
            await callback()

    def running_applications(self) -> dict[Any, asyncio.Future[None]]:
        """Return the applications by protocol. A request that is not complete has none yet."""
        applications = {
            protocol: details.get("application_instance") for protocol, details in self.connections.items()
        }
        return {protocol: task for protocol, task in applications.items() if task is not None and not task.done()}

    async def cancel_sockets(self) -> None:
        running = self.running_applications()
        sockets = [task for protocol, task in running.items() if not isinstance(protocol, WebRequest)]
        for task in sockets:
            task.cancel()
        if sockets:
            await asyncio.wait(sockets, timeout=CANCEL_SECONDS)
