"""Daphne's WebSocket connection with limits on frames, backpressure and lag measurement.

A message may have any number of fragments, and between messages a client may send pings and pongs. Each costs the
event loop about as much as a short message. Limits on whole messages (``FRAMES_RATE``) do not count them, and neither
Daphne nor Autobahn limits them.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from contextlib import suppress
from typing import Any

from autobahn.exception import Disconnected
from daphne.ws_protocol import WebSocketProtocol

from infrastructure.limits import TokenBucket
from infrastructure.server.backpressure import Backpressure
from infrastructure.server.connection import RESTART_MESSAGE
from infrastructure.socket_limits import FLOOD_CODE, SOCKET_CLOSES

# The limit of frames of all kinds. A page sends up to 20 messages at once and one pong for each ping.
FRAME_BURST, FRAMES_PER_SECOND = 80, 10
MAX_MESSAGE_BYTES = 8192  # in one frame or in fragments
SOCKET_CLOSES.labels(WebSocketProtocol.CLOSE_STATUS_CODE_MESSAGE_TOO_BIG)
LAG_SAMPLES = 3  # the slowest of the last answers counts, because the next one may be as slow
LAG_STEP_MS = 100


class BoundedSocket(WebSocketProtocol):
    """A WebSocket connection that is closed when its client sends too fast or reads too slowly."""

    # Twisted's interfaces lack ``pauseProducing`` and ``abortConnection`` of this transport.
    transport: Any

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.frames = TokenBucket(FRAME_BURST, FRAMES_PER_SECOND, time.monotonic())
        self.early_bytes = 0
        self.pinged_at: dict[bytes, float] = {}
        self.lags: deque[float] = deque(maxlen=LAG_SAMPLES)

    def dataReceived(self, data: bytes) -> None:
        if hasattr(self, "handshake_deferred"):  # not accepted yet: Autobahn would store any amount of data
            self.early_bytes += len(data)
            if self.early_bytes > MAX_MESSAGE_BYTES:
                self.transport.abortConnection()
                return
        super().dataReceived(data)

    def onOpen(self) -> None:
        self.backpressure = Backpressure()
        # The HTTP protocol was the producer until now. It has nothing more to send.
        self.transport.unregisterProducer()
        self.transport.registerProducer(self.backpressure, True)
        super().onOpen()

    def onFrameBegin(self) -> None:
        super().onFrameBegin()
        if not self.frames.take_token(time.monotonic()):
            self.close_and_stop_reading(FLOOD_CODE)

    def onMessageFrameBegin(self, length: int) -> None:
        super().onMessageFrameBegin(length)
        if self.message_data_total_length > MAX_MESSAGE_BYTES:
            self.close_and_stop_reading(self.CLOSE_STATUS_CODE_MESSAGE_TOO_BIG)

    def close_and_stop_reading(self, code: int) -> None:
        """Close and stop reading, so that further data stays at the sender.

        Autobahn aborts the connection when the client has not answered the close frame for a second.
        """
        SOCKET_CLOSES.labels(code).inc()
        self.sendCloseFrame(code=code)
        self.transport.pauseProducing()
        self.data = b""

    def stop_soon(self) -> None:
        """Ask the application to close after it has handled what arrived. A browser that does not read is cut off."""
        self.application_queue.put_nowait(RESTART_MESSAGE)
        backpressure = getattr(self, "backpressure", None)
        if backpressure and not backpressure.writable.is_set():
            self.transport.abortConnection()

    def serverClose(self, code: int | None = None) -> None:
        """Close with any code. Autobahn would not send those that only servers may use."""
        self.sendCloseFrame(code=code or self.CLOSE_STATUS_CODE_NORMAL)

    def ping_browser(self) -> None:
        """Send a ping, which browsers answer regardless of their pages."""
        payload = os.urandom(8)
        self.pinged_at = {payload: time.monotonic()}
        self.sendPing(payload)

    def onPong(self, payload: bytes) -> None:
        if (pinged_at := self.pinged_at.pop(payload, None)) is not None:
            self.lags.append(time.monotonic() - pinged_at)

    @property
    def lag_ms(self) -> int | None:
        """Return the longest of the last round trips, rounded up to ``LAG_STEP_MS``."""
        return math.ceil(max(self.lags) * 1000 / LAG_STEP_MS) * LAG_STEP_MS if self.lags else None

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:
        """Drop messages sent after the browser closed the connection, because the application is notified later."""
        with suppress(Disconnected):
            super().serverSend(content, binary)

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        """Write as much as the connection takes now. Twisted would wait for the next turn of the event loop.

        That costs four times as much (docs/performance.md).
        """
        sent = 0
        if self.transport.connected and not self.is_sending():
            sent = self.transport.writeSomeData(data)
        if sent != len(data):  # data is waiting, or the connection is lost, which Twisted notices itself
            super().sendData(data[sent:] if isinstance(sent, int) else data, sync, chopsize)

    def is_sending(self) -> bool:
        """Return True if earlier data must be sent first.

        Twisted has two buffers for waiting data, and no public name for the second.
        """
        return bool(self.send_queue or self.transport.dataBuffer or self.transport._tempDataBuffer)

    def onClose(self, wasClean: bool, code: Any, reason: str) -> None:
        if backpressure := getattr(self, "backpressure", None):
            backpressure.writable.set()
        if self.closedByMe and not wasClean:
            code = self.localCloseCode  # 1006, as for a lost connection, if the client did not answer
        if hasattr(self, "server"):  # otherwise the handshake failed before Daphne knew of it
            super().onClose(wasClean, code, reason)
