"""How much a browser may send, how slowly, and to which path, before anything of the site sees it."""

from __future__ import annotations

import resource
from typing import Any

from daphne.http_protocol import WebRequest
from django.conf import settings
from twisted.web.http import HTTPChannel

from infrastructure.refusals import FULL, LATE, LONG, OTHER, HttpRefusal

ROOT_PATH = b"Daphne-Root-Path"
IDLE_SECONDS = 60
"""Of a line on which nothing has begun: browsers open one ahead, and keep it for the next page."""
LINGER_SECONDS = 10
LINGER_BODIES = 4
"""So long, and so many times the largest body, more is read and dropped: a line cut sooner shows no answer."""


class BoundedRequest(WebRequest):
    """A request for a path of this site, with a body that is not too long."""

    channel: BoundedChannel
    received = 0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # Django reads forms. Before it, Twisted would hold everybody up for a second with a megabyte of small fields.
        super().__init__(*arguments, **options | {"parsePOSTFormSubmission": False})

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        if length is not None and length > settings.BODY_BYTES:
            self.channel.refuse(LONG)

    def handleContentChunk(self, data: bytes) -> None:
        self.received += len(data)
        if self.channel.refused:
            return
        if self.received > settings.BODY_BYTES:
            self.channel.refuse(LONG)
        else:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        # Joined to the host, what begins with anything else would be another host.
        if path.startswith(b"/"):
            super().requestReceived(command, path, version)
        else:
            self.channel.refuse(OTHER)

    def process(self) -> Any:
        # Daphne would begin all addresses of the site with it, whoever sends it.
        self.requestHeaders.removeHeader(ROOT_PATH)
        return super().process()

    def handle_reply(self, message: dict[str, Any]) -> None:
        # Twisted would hold only the first part of a body back; the next answer on the line would seem to begin there.
        if self.method == b"HEAD" and message["type"] == "http.response.body":
            message = message | {"body": b""}
        super().handle_reply(message)


class BoundedChannel(HTTPChannel):
    """The line of one browser, for pages and until it becomes a socket. Headers and bodies have a deadline each."""

    # Twisted declares what every kind of line has; this one also has a number.
    transport: Any
    refused = False
    begun = False
    """Whether something of a request has come that is not yet whole."""
    dropped = 0

    def connectionMade(self) -> None:
        # Daphne's factory has set its own by now.
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
        """Let no deadline begin anew with every byte that comes."""

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
        """Answer, and read on for a while without keeping anything."""
        self.refused = True
        headers = self.requests[-1].requestHeaders if self.requests else None
        self.transport.write(refusal.answer(headers))
        self.setTimeout(LINGER_SECONDS)

    def drop(self, data: bytes) -> None:
        self.dropped += len(data)
        if self.dropped > LINGER_BODIES * settings.BODY_BYTES:
            self.loseConnection()


def most_lines() -> int:
    """Return below which number a line's descriptor must be: a quarter is left for databases, logs and files.

    The system gives each the lowest number that is free.
    """
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4
