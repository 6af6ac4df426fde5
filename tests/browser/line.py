"""The line between one browser and the site: a TCP relay that can be slow, cut and mended, or die without a word.

Each comes from a network address of its own, as browsers do that stand in different homes.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal, Self

UPGRADE = b"Upgrade: websocket"


class Line:
    """Relay connections to ``port`` on this machine from ``self.port``."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.whole = True
        self.homes = 1
        self.delay = 0.0
        """Seconds that everything takes in each direction."""
        self.sockets: Literal["pass", "refused", "unanswered"] = "pass"
        """What happens to the request that opens a WebSocket."""
        self.flows = threading.Event()
        self.flows.set()
        self.ends: set[socket.socket] = set()
        self.silenced: set[socket.socket] = set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self.listener.getsockname()[1])
        self.url = f"http://localhost:{self.port}"
        self.address = self.home(1)

    def __enter__(self) -> Self:
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_exc: object) -> None:
        # Closing alone does not wake a thread that waits in accept().
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()
        self.flows.set()

    def renew(self) -> None:
        """Be as in the beginning, without a connection, for somebody else."""
        self.cut()
        self.mend()
        self.delay = 0.0
        self.sockets = "pass"
        self.flows.set()
        self.silenced.clear()
        self.homes = self.homes % 254 + 1
        self.address = self.home(self.homes)

    def home(self, number: int) -> str:
        """Return an address of this line. Somebody else comes from another one, of which the site knows nothing."""
        return f"127.{number}.{self.port >> 8}.{self.port & 0xFF}"

    def cut(self) -> None:
        """Drop every connection without a word, and new ones as they come."""
        self.whole = False
        for end in list(self.ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self.whole = True

    def silence(self) -> None:
        """Let nothing through on the present connections, and tell nobody; new ones work."""
        self.silenced |= self.ends

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let everything wait until the end of the block: a line as slow as can be."""
        self.flows.clear()
        yield
        self.flows.set()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _address = self.listener.accept()
                threading.Thread(target=self.relay, args=(browser,), daemon=True).start()

    def relay(self, browser: socket.socket) -> None:
        with browser, suppress(OSError):
            if not self.whole:
                return
            with socket.create_connection(("127.0.0.1", self.target), source_address=(self.address, 0)) as site:
                self.ends |= {browser, site}
                back = threading.Thread(target=self.copy, args=(site, browser), daemon=True)
                back.start()
                self.copy(browser, site)
                back.join()
                self.ends -= {browser, site}

    def copy(self, source: socket.socket, target: socket.socket) -> None:
        """Carry bytes until one side is closed, then close the other."""
        with suppress(OSError):
            while data := source.recv(65536):
                self.flows.wait()
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
