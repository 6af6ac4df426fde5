"""The network between a browser and the site: a TCP relay that can be slowed, cut, restored or silenced.

Every relay connects from an address of its own, as browsers in different homes do.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal, Self

UPGRADE = b"Upgrade: websocket"


class NetworkRelay:
    """Relays connections to ``port`` on this machine from ``self.port``."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.is_up = True
        self.home_number = 1
        self.delay = 0.0  # seconds that data takes in each direction
        # what happens to the request that opens a WebSocket
        self.sockets: Literal["pass", "refused", "unanswered"] = "pass"
        self.is_flowing = threading.Event()
        self.is_flowing.set()
        self.connections: set[socket.socket] = set()
        self.silenced: set[socket.socket] = set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self.listener.getsockname()[1])
        self.url = f"http://localhost:{self.port}"
        self.address = self.home(1)

    def __enter__(self) -> Self:
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_exc: object) -> None:
        # Closing alone does not wake a thread blocked in accept().
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.disconnect()
        self.is_flowing.set()

    def reset(self) -> None:
        """Reset to the initial state, without connections and with a new address, for the next visitor."""
        self.disconnect()
        self.reconnect()
        self.delay = 0.0
        self.sockets = "pass"
        self.is_flowing.set()
        self.silenced.clear()
        self.home_number = self.home_number % 254 + 1
        self.address = self.home(self.home_number)

    def home(self, number: int) -> str:
        """Return one of this relay's addresses. The site has not seen the next one before."""
        return f"127.{number}.{self.port >> 8}.{self.port & 0xFF}"

    def disconnect(self) -> None:
        """Drop all connections, and new ones on arrival."""
        self.is_up = False
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def reconnect(self) -> None:
        self.is_up = True

    def silence(self) -> None:
        """Transmit nothing on the current connections without closing them; new ones work."""
        self.silenced |= self.connections

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pause all traffic until the end of the block."""
        self.is_flowing.clear()
        yield
        self.is_flowing.set()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _address = self.listener.accept()
                threading.Thread(target=self.relay, args=(browser,), daemon=True).start()

    def relay(self, browser: socket.socket) -> None:
        with browser, suppress(OSError):
            if not self.is_up:
                return
            with socket.create_connection(("127.0.0.1", self.target), source_address=(self.address, 0)) as site:
                self.connections |= {browser, site}
                back = threading.Thread(target=self.copy, args=(site, browser), daemon=True)
                back.start()
                self.copy(browser, site)
                back.join()
                self.connections -= {browser, site}

    def copy(self, source: socket.socket, target: socket.socket) -> None:
        """Copy bytes until one side is closed, then close the other."""
        with suppress(OSError):
            while data := source.recv(65536):
                self.is_flowing.wait()
                time.sleep(self.delay)
                if self.sockets != "pass" and UPGRADE in data:
                    if self.sockets == "refused":
                        break
                    self.silenced.add(source)
                if source not in self.silenced:
                    target.sendall(data)
        if source in self.silenced:
            return
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
