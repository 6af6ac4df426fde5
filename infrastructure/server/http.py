"""Daphne's HTTP connection with limits on what a browser sends, before anything of the site sees it.

A large body is stored in a file while it arrives and in memory while its request waits (Daphne's issues 126 and 483).
So only ``UPLOAD_PATHS`` accept large bodies, and only ``BODIES_PLACES`` for each client address at a time. If an
address sends many smaller ones, those that arrive slowly are refused.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from typing import Any

from daphne.http_protocol import WebRequest
from django.conf import settings
from twisted.web.http import HTTPChannel

from infrastructure.addresses import address_key_of_headers
from infrastructure.limits import LimitExceeded, limits
from infrastructure.runtime import PerProcess
from infrastructure.server.connection import STREAM_HEADER, STREAM_RESTART_MESSAGE
from infrastructure.server.refusals import (
    BAD_REQUEST_REFUSAL,
    LENGTH_REQUIRED_REFUSAL,
    REQUEST_TIMEOUT_REFUSAL,
    TOO_MANY_REQUESTS_REFUSAL,
    UNAVAILABLE_REFUSAL,
    HttpRefusal,
    too_large_refusal,
)

ROOT_PATH_HEADER = b"Daphne-Root-Path"
# Timeout of a connection without a request. Browsers open connections in advance and keep them for the next page.
IDLE_SECONDS = 60
# After a refusal, the connection drops what arrives for this time, up to this many times the largest body. A browser
# would not show the answer if the connection were closed at once.
LINGER_SECONDS = 10
LINGER_BODIES = 4
# Incomplete bodies of one address at the same time. A form arrives in milliseconds.
MAX_INCOMPLETE = 100


def max_body_bytes(path: bytes) -> int:
    """Return the largest body that is accepted at this path."""
    is_upload = path.partition(b"?")[0].decode("latin1") in settings.UPLOAD_PATHS
    return settings.BODY_BYTES if is_upload else min(settings.FORM_BYTES, settings.BODY_BYTES)


def acquire_body_place(length: int, address: str) -> Callable[[], None] | None:
    """Return a function that frees the place taken for a large body, None for a small body. Raises LimitExceeded."""
    return limits.acquire_place("bodies", address=address) if length > settings.FORM_BYTES else None


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
            self.remove(oldest)
            oldest.channel.refuse(TOO_MANY_REQUESTS_REFUSAL)
            oldest.channel.loseConnection()

    def remove(self, request: BoundedRequest) -> None:
        requests = self.requests.get(request.address, {})
        requests.pop(request, None)
        if not requests:
            self.requests.pop(request.address, None)


incomplete_bodies: PerProcess[IncompleteBodies] = PerProcess(IncompleteBodies)


class BoundedRequest(WebRequest):
    """A request with a valid path and a body of known, acceptable length."""

    channel: Any  # a BoundedChannel; Twisted's types have other ones for its private attributes
    application_queue: Any  # of Daphne
    address = ""  # the key under which limits count the client; set when the headers are complete
    release_body_place: Callable[[], None] | None = None  # frees the place of a large body
    is_stream = False  # its response has begun, and lasts until one side ends it

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # Django parses forms. Twisted would parse them too, and block the event loop for a second for 1 MB of fields.
        super().__init__(*arguments, **options | {"parsePOSTFormSubmission": False})

    def gotLength(self, length: int | None) -> None:
        self.address = address_key_of_headers(self.channel.getPeer(), self.requestHeaders)
        refusal = self.refusal(length)
        super().gotLength(0 if refusal else length)
        if refusal:
            self.channel.refuse(refusal)
        elif length:
            incomplete_bodies().add(self)

    def refusal(self, length: int | None) -> HttpRefusal | None:
        """Return the refusal of this body, None if it is accepted. A large one holds a place until its end."""
        if length is None:
            # Chunked. Browsers send no such bodies, and each small chunk costs as much as a whole form.
            return LENGTH_REQUIRED_REFUSAL
        if length and self.requestHeaders.hasHeader(b"Upgrade"):
            return BAD_REQUEST_REFUSAL
        # Twisted has no public name for the path before the body has arrived.
        if length > (limit := max_body_bytes(self.channel._path)):
            return too_large_refusal(limit)
        try:
            self.release_body_place = acquire_body_place(length, self.address)
        except LimitExceeded:
            return TOO_MANY_REQUESTS_REFUSAL
        self.notifyFinish().addBoth(lambda _result: self.release_place())
        return None

    def keep_place_until(self, application: asyncio.Future[Any]) -> None:
        """Keep the place of the body until the application ends, which may be long after the connection is lost."""
        release, self.release_body_place = self.release_body_place, None
        if release:
            application.add_done_callback(lambda _application: release())

    def release_place(self) -> None:
        if self.release_body_place:
            self.release_body_place()
            self.release_body_place = None

    def handleContentChunk(self, data: bytes) -> None:
        if not self.channel.refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        incomplete_bodies().remove(self)
        # Any other path would change the host when both are joined.
        if path.startswith(b"/"):
            super().requestReceived(command, path, version)
        else:
            self.channel.refuse(BAD_REQUEST_REFUSAL)

    def connectionLost(self, reason: Any) -> None:
        incomplete_bodies().remove(self)
        super().connectionLost(reason)

    def process(self) -> Any:
        # Daphne would prefix every URL of the site with it, even if a visitor sends it.
        self.requestHeaders.removeHeader(ROOT_PATH_HEADER)
        return super().process()

    def stop_soon(self) -> None:
        """Close the connection after this response: the server is stopping."""
        self.responseHeaders.setRawHeaders(b"Connection", [b"close"])
        if self.channel is not None:  # the browser is still there
            self.channel.persistent = False
        if self.is_stream:
            self.application_queue.put_nowait(STREAM_RESTART_MESSAGE)

    def handle_reply(self, message: dict[str, Any]) -> None:
        # Twisted drops only the first part of the body of a HEAD request. The rest would look like the next response.
        if self.method == b"HEAD" and message["type"] == "http.response.body":
            message = message | {"body": b""}
        if message["type"] == "http.response.start":
            self.is_stream = STREAM_HEADER in message.get("headers", ())
        super().handle_reply(message)


class BoundedChannel(HTTPChannel):
    """The HTTP connection of one browser, until it becomes a socket. Headers and bodies have a deadline each."""

    # Twisted's interface lacks the file descriptor of this transport.
    transport: Any
    refused = False
    is_receiving = False  # a request is arriving and not complete
    discarded_bytes = 0  # bytes read after a refusal

    def connectionMade(self) -> None:
        # Daphne's factory has set its own timeout by now.
        self.requestFactory, self.timeOut = BoundedRequest, IDLE_SECONDS
        super().connectionMade()
        if self.transport.fileno() >= max_descriptor():
            self.refuse(UNAVAILABLE_REFUSAL)
            self.loseConnection()

    def dataReceived(self, data: bytes) -> None:
        if self.refused:
            self.discard_data(data)
            return
        if not (self.is_receiving or self._handlingRequest):
            self.is_receiving = True
            self.setTimeout(settings.HEADER_SECONDS)
        super().dataReceived(data)

    def resetTimeout(self) -> None:
        """Keep the deadlines. Twisted would restart them with every byte."""

    def allHeadersReceived(self) -> None:
        self.setTimeout(settings.BODY_SECONDS)
        super().allHeadersReceived()

    def _send100Continue(self) -> None:
        if not self.refused:
            super()._send100Continue()

    def allContentReceived(self) -> None:
        self.is_receiving = False
        if not self.refused:
            # Applies after the answer; until then there is no deadline.
            self.setTimeout(IDLE_SECONDS)
            super().allContentReceived()
        if self.refused:
            self.loseConnection()

    def rawDataReceived(self, data: bytes) -> None:
        if self.refused:
            self.discard_data(data)
        else:
            super().rawDataReceived(data)

    def timeoutConnection(self) -> None:
        if self.is_receiving and not self.refused:
            self.refuse(REQUEST_TIMEOUT_REFUSAL)
        super().timeoutConnection()

    def refuse(self, refusal: HttpRefusal) -> None:
        """Answer, and keep reading for a while without storing anything."""
        self.refused = True
        headers = self.requests[-1].requestHeaders if self.requests else None
        self.transport.write(refusal.answer(headers))
        self.setTimeout(LINGER_SECONDS)

    def discard_data(self, data: bytes) -> None:
        self.discarded_bytes += len(data)
        if self.discarded_bytes > LINGER_BODIES * settings.BODY_BYTES:
            self.loseConnection()


def max_descriptor() -> int:
    """Return the highest descriptor number for connections. A quarter is left for databases, logs and files.

    The system always assigns the lowest free number.
    """
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4
