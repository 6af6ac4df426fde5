"""Backpressure: the sender waits for a browser that reads slowly. Daphne would buffer everything (its issue 170)."""

from __future__ import annotations

import asyncio
from typing import Any

from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer

# A connection is closed when its browser has not read for this long, because waiting data takes memory.
MAX_STALL_SECONDS = 90


@implementer(IPushProducer)
class Backpressure:
    """A producer that Twisted pauses while more than 64 kB wait to be sent to a browser."""

    def __init__(self) -> None:
        self.writable = asyncio.Event()
        self.writable.set()

    def pauseProducing(self) -> None:
        self.writable.clear()

    def resumeProducing(self) -> None:
        self.writable.set()

    def stopProducing(self) -> None:
        self.writable.set()

    async def wait_until_writable(self, transport: Any) -> None:
        """Wait until the browser reads again. Close the connection after ``MAX_STALL_SECONDS``."""
        try:
            async with asyncio.timeout(MAX_STALL_SECONDS):
                await self.writable.wait()
        except TimeoutError:
            transport.abortConnection()


def apply_to_stream(request: Any, *, more: bool) -> None:
    """Make a streamed answer wait for its browser too, until its last part."""
    if request.channel is None:  # the browser is gone
        return
    if more and request.producer is None:
        request.backpressure = Backpressure()
        request.registerProducer(request.backpressure, True)
    elif not more and request.producer is not None:
        request.unregisterProducer()
        del request.backpressure
