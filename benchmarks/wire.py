"""HTTP and WebSockets at the level of bytes, so that clients can send anything, from any loopback address."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

HOST = "127.0.0.1"
MAX_HEAD_BYTES = 2**20
STREAM_TYPE = "application/x-ndjson"
CONNECTION_LOST = 0  # the status of a missing response
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
CONNECTION_ERRORS = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
STATUSES_WITHOUT_BODY = {204, 304}


class InvalidResponse(Exception):
    """The data is no response: the previous one was longer than its Content-Length."""


@dataclass(frozen=True, slots=True)
class Response:
    """A response; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""


NO_RESPONSE = Response(CONNECTION_LOST, {})


class Connection:
    """A connection to a server of this machine."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, source: str = HOST, tls: ssl.SSLContext | None = None) -> Self:
        streams = await asyncio.open_connection(
            HOST,
            port,
            local_addr=(source, 0),
            limit=MAX_HEAD_BYTES,
            ssl=tls,
            server_hostname="localhost" if tls else None,
        )
        return cls(*streams)

    async def exchange(self, request: bytes) -> Response:
        """Send a whole request. Return ``NO_RESPONSE`` if the connection is lost. Raises InvalidResponse."""
        try:
            self.writer.write(request)
            await self.writer.drain()
            return await self.read_response(bodiless=request.startswith(b"HEAD "))
        except CONNECTION_ERRORS:
            return NO_RESPONSE

    async def read_response(self, *, bodiless: bool = False) -> Response:
        status, headers = await self.read_head()
        if bodiless or status in STATUSES_WITHOUT_BODY or status < 200:
            return Response(status, headers)
        if headers.get("content-type") == STREAM_TYPE:  # has no end, so its first line is enough
            return Response(status, headers | {"connection": "close"}, await self.read_chunk())
        if "chunked" in headers.get("transfer-encoding", ""):
            return Response(status, headers, await self.read_chunks())
        if "content-length" in headers:
            return Response(status, headers, await self.reader.readexactly(int(headers["content-length"])))
        return Response(status, headers, await self.reader.read())

    async def read_head(self) -> tuple[int, dict[str, str]]:
        """Return the status and the headers, past any "100 Continue". Raises InvalidResponse."""
        status = 100
        while status == 100:
            first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            if not first.startswith("HTTP/1.1 "):
                raise InvalidResponse(first)
            status = int(first.split()[1])
        pairs = (line.partition(":") for line in lines if line)
        return status, {name.lower(): value.strip() for name, _colon, value in pairs}

    async def read_chunks(self) -> bytes:
        body = []
        while chunk := await self.read_chunk():
            body.append(chunk)
        return b"".join(body)

    async def read_chunk(self) -> bytes:
        """Return the next chunk, b"" at the end."""
        chunk = await self.reader.readexactly(int(await self.reader.readuntil(b"\r\n"), 16))
        await self.reader.readexactly(2)
        return chunk

    async def open_websocket(self, path: str, headers: Mapping[str, str]) -> int:
        """Ask for a socket and return the status; 101: it is open."""
        ours = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        ours["Sec-WebSocket-Key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
        return (await self.exchange(encode_request("GET", path, ours | dict(headers)))).status

    async def read_frame(self) -> tuple[int, bytes]:
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


def encode_request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """Return the bytes of a request, with whatever is in its parts."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "surrogatepass") + body


def encode_frame(payload: bytes, opcode: int = TEXT, *, last: bool = True, reserved: int = 0) -> bytes:
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
