"""The connection to a browser, for applications: it writes messages immediately and measures the lag.

The server offers it as an extension of the scope. Other servers do not have it, so an application then sends as usual.
A message for a thousand browsers is encoded once.
"""

from __future__ import annotations

from typing import Any

from autobahn.websocket.protocol import PreparedMessage

__all__ = [
    "ASGI_EXTENSION",
    "NO_CONNECTION",
    "RESTART_CODE",
    "RESTART_MESSAGE",
    "STREAM_HEADER",
    "STREAM_RESTART_MESSAGE",
    "Connection",
    "PreparedMessage",
    "encode_message",
]

ASGI_EXTENSION = "websocket.connection"
# The server sends this message when it stops. The application closes with ``RESTART_CODE``.
RESTART_MESSAGE = {"type": "websocket.restart"}
RESTART_CODE = 1012
# A response with this header lasts until one side ends it. Its application gets this message when the server stops.
STREAM_HEADER = (b"content-type", b"application/x-ndjson")
STREAM_RESTART_MESSAGE = {"type": "http.restart"}


def encode_message(text: str) -> PreparedMessage:
    """Encode a text once for any number of browsers."""
    return PreparedMessage(text.encode(), isBinary=False, applyMask=False, doNotCompress=False)


class Connection:
    """The connection to one browser. ``protocol`` is a ``BoundedSocket``, None without one."""

    __slots__ = ("protocol",)

    def __init__(self, protocol: Any) -> None:
        self.protocol = protocol

    @property
    def is_open(self) -> bool:
        """Return True if a message can be written now: the browser is connected and reads."""
        backpressure = getattr(self.protocol, "backpressure", None)
        return (
            backpressure is not None
            and backpressure.writable.is_set()
            and self.protocol.state == self.protocol.STATE_OPEN
        )

    @property
    def lag_ms(self) -> int | None:
        """The longest round trip of the last pings, None before the first answer."""
        return getattr(self.protocol, "lag_ms", None)

    def ping_browser(self) -> None:
        """Ping the browser to measure ``lag_ms``. Scripts cannot delay the answer."""
        if self.protocol is not None:
            self.protocol.ping_browser()

    def write(self, message: PreparedMessage) -> None:
        """Write a message to a connection that is open."""
        self.protocol.sendPreparedMessage(message)


# Never open.
NO_CONNECTION = Connection(None)
