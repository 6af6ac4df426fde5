"""Daphne's HTTP connection with limits on what a browser sends, before anything of the site sees it.

A large body is stored in a file while it arrives and in memory while its request waits (Daphne's issues 126 and 483).
So only addresses of ``UPLOAD_PATHS`` accept one, and only ``BODIES_PLACES`` for each client address at a time. Of
smaller ones, those that arrive slowly are dropped when an address sends many.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from typing import Any

from daphne.http_protocol import WebRequest
from django.conf import settings
from twisted.web.http import HTTPChannel

from infrastructure.addresses import address_of_headers
from infrastructure.limits import TooFast, limits
from infrastructure.runtime import PerProcess
from infrastructure.server.refusals import BUSY, FULL, LATE, NO_LENGTH, OTHER, HttpRefusal, too_long

ROOT_PATH = b"Daphne-Root-Path"
# Timeout of a connection without a request: browsers open one ahead, and keep it for the next page.
IDLE_SECONDS = 60
# After a refusal, how long and how many times the largest body is still read and dropped. A browser would not show the
# answer if the connection were closed at once.
LINGER_SECONDS = 10
LINGER_BODIES = 4
# Bodies of one address that are arriving at the same time; a form arrives in milliseconds.
MAX_INCOMPLETE = 100


def max_bytes(path: bytes) -> int:
    """Return the largest body that is accepted at this path."""
    is_upload = path.partition(b"?")[0].decode("latin1") in settings.UPLOAD_PATHS
    return settings.BODY_BYTES if is_upload else min(settings.FORM_BYTES, settings.BODY_BYTES)


def hold_place(length: int, address: str) -> Callable[[], None] | None:
    """Return a function that gives the place of a large body back, None for a small one. Raises TooFast."""
    return limits.hold("bodies", address=address) if length > settings.FORM_BYTES else None


class IncompleteBodies:
    """The requests whose bodies are still arriving, by client address, oldest first."""

    def __init__(self) -> None:
        self.requests: dict[str, dict[BoundedRequest, None]] = {}

    def add(self, request: BoundedRequest) -> None:
        """Add a request. If its address has too many, refuse the oldest, so that a newer form still gets through."""
        requests = self.requests.setdefault(request.address, {})
        requests[request] = None
        if len(requests) > MAX_INCOMPLETE:
            oldest = next(iter(requests))
            self.discard(oldest)
            oldest.channel.refuse(BUSY)
            oldest.channel.loseConnection()

    def discard(self, request: BoundedRequest) -> None:
        requests = self.requests.get(request.address, {})
        requests.pop(request, None)
        if not requests:
            self.requests.pop(request.address, None)


incomplete_bodies: PerProcess[IncompleteBodies] = PerProcess(IncompleteBodies)


class BoundedRequest(WebRequest):
    """A request with a valid path, and a body of a known length that is not too long."""

    channel: Any  # a BoundedChannel; Twisted's types have other ones for its private attributes
    address = ""  # under which limits count the client; set when the headers are complete
    give_back: Callable[[], None] | None = None  # the place of a large body

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # Django parses forms. Twisted would do so too, and stop everything for a second with a megabyte of fields.
        super().__init__(*arguments, **options | {"parsePOSTFormSubmission": False})

    def gotLength(self, length: int | None) -> None:
        self.address = address_of_headers(self.channel.getPeer(), self.requestHeaders)
        refusal = self.refusal(length)
        super().gotLength(0 if refusal else length)
        if refusal:
            self.channel.refuse(refusal)
        elif length:
            incomplete_bodies().add(self)

    def refusal(self, length: int | None) -> HttpRefusal | None:
        """Return why this body is not read, None if it is. Takes a place for a large body until the request ends."""
        if length is None:
            # In chunks. Browsers send none, and of small chunks each costs as much as a whole form.
            return NO_LENGTH
        if length and self.requestHeaders.hasHeader(b"Upgrade"):
            return OTHER
        # Twisted has no public name for the path before the body has arrived.
        if length > (most := max_bytes(self.channel._path)):
            return too_long(most)
        try:
            self.give_back = hold_place(length, self.address)
        except TooFast:
            return BUSY
        self.notifyFinish().addBoth(lambda _result: self.release())
        return None

    def hold_until(self, application: asyncio.Future[Any]) -> None:
        """Keep the place of the body until the application ends, which may be long after the connection is lost."""
        give_back, self.give_back = self.give_back, None
        if give_back:
            application.add_done_callback(lambda _application: give_back())

    def release(self) -> None:
        if self.give_back:
            self.give_back()
            self.give_back = None

    def handleContentChunk(self, data: bytes) -> None:
        if not self.channel.refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        incomplete_bodies().discard(self)
        # A path that begins with anything else would change the host when they are joined.
        if path.startswith(b"/"):
            super().requestReceived(command, path, version)
        else:
            self.channel.refuse(OTHER)

    def connectionLost(self, reason: Any) -> None:
        incomplete_bodies().discard(self)
        super().connectionLost(reason)

    def process(self) -> Any:
        # Daphne would put it in front of every address of the site, even if a visitor sends it.
        self.requestHeaders.removeHeader(ROOT_PATH)
        return super().process()

    def handle_reply(self, message: dict[str, Any]) -> None:
        # Twisted drops only the first part of such a body; the rest would look like the next answer on the connection.
        if self.method == b"HEAD" and message["type"] == "http.response.body":
            message = message | {"body": b""}
        super().handle_reply(message)


class BoundedChannel(HTTPChannel):
    """The HTTP connection of one browser, until it becomes a socket. Headers and bodies have a deadline each."""

    # Twisted's interface lacks the file descriptor of this transport.
    transport: Any
    refused = False
    begun = False  # whether a request has begun to arrive and is not complete
    dropped = 0  # bytes, after a refusal

    def connectionMade(self) -> None:
        # Daphne's factory has set its own timeout by now.
        self.requestFactory, self.timeOut = BoundedRequest, IDLE_SECONDS
        super().connectionMade()
        if self.transport.fileno() >= most_lines():
            self.refuse(FULL)
            self.loseConnection()

    def dataReceived(self, data: bytes) -> None:
        if self.refused:
            self.drop(data)
            return
        if not (self.begun or self._handlingRequest):
            self.begun = True
            self.setTimeout(settings.HEADER_SECONDS)
        super().dataReceived(data)

    def resetTimeout(self) -> None:
        """Keep deadlines as they are: Twisted would restart them with every byte."""

    def allHeadersReceived(self) -> None:
        self.setTimeout(settings.BODY_SECONDS)
        super().allHeadersReceived()

    def _send100Continue(self) -> None:
        if not self.refused:
            super()._send100Continue()

    def allContentReceived(self) -> None:
        self.begun = False
        if not self.refused:
            # For when the answer is given; until then there is no deadline.
            self.setTimeout(IDLE_SECONDS)
            super().allContentReceived()
        if self.refused:
            self.loseConnection()

    def rawDataReceived(self, data: bytes) -> None:
        if self.refused:
            self.drop(data)
        else:
            super().rawDataReceived(data)

    def timeoutConnection(self) -> None:
        if self.begun and not self.refused:
            self.refuse(LATE)
        super().timeoutConnection()

    def refuse(self, refusal: HttpRefusal) -> None:
        """Answer, and go on reading for a while without storing anything."""
        self.refused = True
        headers = self.requests[-1].requestHeaders if self.requests else None
        self.transport.write(refusal.answer(headers))
        self.setTimeout(LINGER_SECONDS)

    def drop(self, data: bytes) -> None:
        self.dropped += len(data)
        if self.dropped > LINGER_BODIES * settings.BODY_BYTES:
            self.loseConnection()


def most_lines() -> int:
    """Return the limit for the descriptors of connections: a quarter is left for databases, logs and files.

    The system always assigns the lowest free number.
    """
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4
