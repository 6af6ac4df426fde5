"""One WebSocket message for many browsers: framed once, written to each without a wait.

The server offers this to applications as an extension of the scope, as the ASGI specification foresees. Where it is
missing, under another server or in a test, an application sends to each browser as usual.
"""

from __future__ import annotations

from typing import Any

from autobahn.websocket.protocol import PreparedMessage

__all__ = ["EXTENSION", "NO_LINE", "PreparedLine", "PreparedMessage", "prepare"]

EXTENSION = "websocket.prepared"


def prepare(text: str) -> PreparedMessage:
    """Return the message of a text, for any number of lines."""
    return PreparedMessage(text.encode(), isBinary=False, applyMask=False, doNotCompress=False)


class PreparedLine:
    """The line to one browser, for prepared messages."""

    __slots__ = ("protocol",)

    def __init__(self, protocol: Any) -> None:
        self.protocol = protocol

    @property
    def is_open(self) -> bool:
        """Return whether a message can be written now: the browser is there and reads what it is sent."""
        backpressure = getattr(self.protocol, "backpressure", None)
        return (
            backpressure is not None and backpressure.open.is_set() and self.protocol.state == self.protocol.STATE_OPEN
        )

    @property
    def lag_ms(self) -> int | None:
        """Return how long the browser took at most to answer the last pings, None before its first answer."""
        return getattr(self.protocol, "lag_ms", None)

    def measure(self) -> None:
        """Ping the browser, whose answer ``lag_ms`` tells later. Scripts cannot delay it, and closed lines drop it."""
        if self.protocol is not None:
            self.protocol.measure()

    def write(self, message: PreparedMessage) -> None:
        """Write a message to a line that is open."""
        self.protocol.sendPreparedMessage(message)


NO_LINE = PreparedLine(None)
"""Never open."""
