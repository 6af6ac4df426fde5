"""HTTP and WebSockets at the level of bytes, so that clients can send anything, from any loopback address."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

HOST = "127.0.0.1"
LONGEST_HEAD = 2**20
CUT = 0  # the status of a missing answer: the server cut the line
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
CUT_OFF = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
WITHOUT_BODY = {204, 304}


class Garbled(Exception):
    """The data is not an answer: the previous one was longer than its Content-Length."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""


NOTHING = Answer(CUT, {})


class Line:
    """A connection to a server of this machine."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, source: str = HOST) -> Self:
        return cls(*await asyncio.open_connection(HOST, port, local_addr=(source, 0), limit=LONGEST_HEAD))

    async def ask(self, request: bytes) -> Answer:
        """Send a whole request and return the answer, ``NOTHING`` if the server cuts the line. Raises Garbled."""
        try:
            self.writer.write(request)
            await self.writer.drain()
            return await self.answer(bodiless=request.startswith(b"HEAD "))
        except CUT_OFF:
            return NOTHING

    async def answer(self, *, bodiless: bool = False) -> Answer:
        status, headers = await self.head()
        if bodiless or status in WITHOUT_BODY or status < 200:
            return Answer(status, headers)
        if "chunked" in headers.get("transfer-encoding", ""):
            return Answer(status, headers, await self.chunks())
        if "content-length" in headers:
            return Answer(status, headers, await self.reader.readexactly(int(headers["content-length"])))
        return Answer(status, headers, await self.reader.read())

    async def head(self) -> tuple[int, dict[str, str]]:
        """Return the status and the headers, past any "100 Continue". Raises Garbled."""
        status = 100
        while status == 100:
            first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            if not first.startswith("HTTP/1.1 "):
                raise Garbled(first)
            status = int(first.split()[1])
        pairs = (line.partition(":") for line in lines if line)
        return status, {name.lower(): value.strip() for name, _colon, value in pairs}

    async def chunks(self) -> bytes:
        body = []
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            body.append(await self.reader.readexactly(size))
            await self.reader.readexactly(2)
        await self.reader.readexactly(2)
        return b"".join(body)

    async def upgrade(self, path: str, headers: Mapping[str, str]) -> int:
        """Ask for a socket and return the status; 101: it is open."""
        ours = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        ours["Sec-WebSocket-Key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
        return (await self.ask(request("GET", path, ours | dict(headers)))).status

    async def frame(self) -> tuple[int, bytes]:
        """Return the next frame of the server: opcode and payload."""
        first, second = await self.reader.readexactly(2)
        size = second & 127
        if size > 125:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
        return first & 15, await self.reader.readexactly(size)

    async def send(self, data: bytes) -> None:
        """Send, and wait until the buffer is almost empty. Raises OSError."""
        self.writer.write(data)
        await self.writer.drain()

    def close(self) -> None:
        self.writer.close()


def request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """Return the bytes of a request, with whatever is in its parts."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "surrogatepass") + body


def frame(payload: bytes, opcode: int = TEXT, *, last: bool = True, reserved: int = 0) -> bytes:
    """Return the bytes of a masked frame."""
    size = len(payload)
    if size < 126:
        length = bytes([128 | size])
    elif size < 2**16:
        length = bytes([128 | 126]) + size.to_bytes(2)
    else:
        length = bytes([128 | 127]) + size.to_bytes(8)
    mask = os.urandom(4)
    pad = (mask * (size // 4 + 1))[:size]
    masked = (int.from_bytes(payload) ^ int.from_bytes(pad)).to_bytes(size)
    return bytes([last << 7 | reserved << 4 | opcode]) + length + mask + masked
