"""Limits on the frames of one WebSocket connection, counted where they arrive.

A message may have any number of fragments, and between messages a client may send pings and pongs. Each costs the
event loop about as much as a short message. Limits on whole messages (``FRAMES_RATE``) do not see them.
"""

from __future__ import annotations

import time
from typing import Any

from daphne.ws_protocol import WebSocketProtocol

from infrastructure.limits import Bucket
from infrastructure.socket_limits import FLOOD

# Frames of all kinds that a connection may send. A page sends up to 20 messages at once and one pong for each ping.
FRAMES_AT_ONCE, FRAMES_A_SECOND = 80, 10
MESSAGE_BYTES = 8192  # in one frame or in fragments


class PacedSocket(WebSocketProtocol):
    """A socket that is closed when its client sends frames too fast."""

    # Twisted's interfaces lack ``pauseProducing`` and ``abortConnection`` of this transport.
    transport: Any

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.frames = Bucket(FRAMES_AT_ONCE, FRAMES_A_SECOND, time.monotonic())
        self.early_bytes = 0

    def dataReceived(self, data: bytes) -> None:
        """Handle what a browser sends. Autobahn's own method also formats a log line each time, which nobody reads."""
        if hasattr(self, "handshake_deferred"):  # not accepted yet: autobahn would store any amount of data
            self.early_bytes += len(data)
            if self.early_bytes > MESSAGE_BYTES:
                self.transport.abortConnection()
                return
        self._dataReceived(data)

    def onFrameBegin(self) -> None:
        super().onFrameBegin()
        if not self.frames.take(time.monotonic()):
            self.cut(FLOOD)

    def onMessageFrameBegin(self, length: int) -> None:
        super().onMessageFrameBegin(length)
        if self.message_data_total_length > MESSAGE_BYTES:
            self.cut(self.CLOSE_STATUS_CODE_MESSAGE_TOO_BIG)

    def cut(self, code: int) -> None:
        """Close without reading any further, so that the rest waits at the sender.

        Autobahn aborts the connection when the client has not answered the close frame for a second.
        """
        self.sendCloseFrame(code=code)
        self.transport.pauseProducing()
        self.data = b""

    def onClose(self, wasClean: bool, code: Any, reason: str) -> None:
        if self.closedByMe and not wasClean:
            code = self.localCloseCode  # 1006, as for a lost connection, if the client did not answer
        super().onClose(wasClean, code, reason)
